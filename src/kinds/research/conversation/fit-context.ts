import type { Model, Turn } from '../../../core/ports/model.ts';
import { withoutToolTurns } from '../../../core/ports/tool-turns.ts';
import { type Conversation, isAnswer, turnOf } from '../../../core/search/conversation.ts';
import { ThoughtTreeError } from '../../../core/search/errors.ts';
import { pathOf, type TreeNode } from '../../../core/tree/tree.ts';
import { answerThatFits } from '../../../engine/budget/answer-that-fits.ts';
import { bytesOf } from '../../../engine/budget/token-estimate.ts';
import { contextTooLong } from '../../../engine/messages.ts';
import { withOtherText } from '../answers/document-answer.ts';
import type { Above } from './node-conversations.ts';

/** Tokens that every message takes in addition to its text. */
const TOKENS_A_MESSAGE = 16;

/** A request before it is known whether it fits. */
export interface Fitting {
  readonly model: Pick<Model, 'name' | 'contextTokens'>;
  readonly node: TreeNode;
  /** From the first level down; the nearest last. */
  readonly above: readonly Above[];
  /** The node's own turns. */
  readonly own: readonly Turn[];
  readonly system: string;
  readonly prompt: string;
  /** The longest answer wanted, in tokens. */
  readonly maxOutputTokens: number;
  /** The room for reasoning besides it, in tokens; none by default. */
  readonly thinking?: number;
  /** Estimates the tokens of so many bytes. */
  readonly tokensOf: (bytes: number) => number;
}

/** The request as it is sent. */
export interface Fitted {
  readonly turns: readonly Turn[];
  /** The number of turns that come from above. */
  readonly shared: number;
  readonly maxOutputTokens: number;
  /** The parts that were sent shortened, if necessary: slug paths, and the estimated tokens of the whole before. */
  readonly shortened?: {
    readonly documents: string[];
    readonly lists: string[];
    readonly tokens: number;
    readonly room: number;
  };
}

/**
 * Makes a conversation fit into its model: the documents above are replaced by their summaries, the most distant first and
 * the parent's last; then the lists of children are reduced to the one entry that leads down here, in the same order; then all
 * of it goes, in the same order.
 * Siblings share what is sent of the nodes above, so that caches still serve it.
 * @throws ThoughtTreeError `bad-request` if even that is too long
 */
export function fitContext(fitting: Fitting): Fitted {
  const { model, above, own } = fitting;
  const parts = above.map(({ conversation }) => conversation.turns);
  const shared = parts.reduce((sum, turns) => sum + turns.length, 0);
  const whole = { turns: [...plain(parts), ...own], shared };
  if (model.contextTokens === undefined) return { ...whole, maxOutputTokens: fitting.maxOutputTokens };
  const room = model.contextTokens - (fitting.thinking ?? 0);
  const maxOutputTokens = answerThatFits(model, fitting.maxOutputTokens);
  const tokens = tokensOf(fitting, parts, maxOutputTokens);
  if (tokens <= room) return { ...whole, maxOutputTokens };
  // Uses of tools above go first: their results are reflected in the documents.
  for (const [index, turns] of parts.entries()) parts[index] = withoutToolTurns(turns);
  const documents: string[] = [];
  const lists: string[] = [];
  const gone: string[] = [];
  for (const [gaveWay, shorten] of [
    [documents, withoutDocument],
    [lists, withoutList],
    // In a very short context a topic stands alone: its prompt says what it is about, and the system text the question.
    [gone, withoutAll],
  ] as const)
    for (const [index, { node }] of above.entries()) {
      if (tokensOf(fitting, parts, maxOutputTokens) <= room) break;
      const next = above[index + 1]?.node ?? fitting.node;
      parts[index] = shorten(parts[index] ?? [], node, next);
      gaveWay.push(pathOf(node));
    }
  const least = tokensOf(fitting, parts, maxOutputTokens);
  if (least > room) throw tooLong(fitting, least, room);
  const shortened = { documents, lists, tokens, room };
  return { turns: [...plain(parts), ...own], shared: parts.flat().length, maxOutputTokens, shortened };
}

type Turns = Conversation['turns'];

function plain(parts: readonly Turns[]): Turn[] {
  return parts.flat().map(turnOf);
}

function tokensOf(
  { own, system, prompt, tokensOf: estimate }: Fitting,
  parts: readonly Turns[],
  answer: number,
): number {
  const turns = [...plain(parts), ...own];
  return estimate(bytesOf({ system, turns, prompt })) + TOKENS_A_MESSAGE * (turns.length + 2) + answer;
}

/** The turns with the document, and a person's version of the one above it, as their summaries. */
function withoutDocument(turns: Turns, node: TreeNode): Turns {
  return turns.map((turn) => {
    if (isAnswer(turn) && turn.purpose === 'document')
      return { ...turn, text: withOtherText(turn.text, inShort(node)) };
    if (turn.role !== 'user' || turn.purpose !== 'edited' || !node.parent) return turn;
    return { ...turn, text: `A person has edited the document on "${node.parent.title}". ${summaryOf(node.parent)}` };
  });
}

/** The turns with lists that only name the topic that leads on. */
function withoutList(turns: Turns, node: TreeNode, next: TreeNode): Turns {
  const list = `<output>${JSON.stringify([{ title: next.title }])}</output>`;
  return turns.map((turn) => {
    if (!isAnswer(turn)) return turn;
    if (turn.purpose === 'children') return { ...turn, text: list };
    const hasList = turn.purpose === 'document' && withOtherText(turn.text, '') !== '';
    return hasList ? { ...turn, text: `${inShort(node)}\n${list}` } : turn;
  });
}

function withoutAll(): Turns {
  return [];
}

function inShort(node: TreeNode): string {
  const front = `title: ${JSON.stringify(node.title)}\nsummary: ${JSON.stringify(node.summary ?? '')}`;
  return `---\n${front}\n---\n\n(The rest of this document is left out here to save room.)\n`;
}

function summaryOf({ summary }: TreeNode): string {
  return summary ? `In short it says: ${summary}` : 'It is left out here to save room.';
}

function tooLong({ model, node }: Fitting, tokens: number, room: number): ThoughtTreeError {
  const what = contextTooLong({ title: node.title, tokens, model: model.name, room });
  return new ThoughtTreeError('bad-request', what, { charged: false });
}
