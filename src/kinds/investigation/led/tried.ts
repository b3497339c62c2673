import { RUN_PROGRAM } from '../../../core/ports/experiments.ts';
import { type Conversation, isAnswer } from '../../../core/search/conversation.ts';
import { type CheckedDocument, writeDocument } from '../../../core/text/document.ts';
import { withoutNote } from '../../../engine/calls/tool-rounds.ts';
import { fenced } from '../../../engine/report/safe-markdown.ts';

const LONGEST_PROGRAM = 8000;
const LONGEST_OUTPUT = 4000;

/**
 * A document with the programs that were run for it, and what they printed, at its end: whoever reads that something was
 * tried can see how. What says that it was tried, where nothing was, is derived.
 * @param conversation which the answer ends, with the uses of tools on the way to it
 */
export function withTried(document: CheckedDocument, { turns }: Conversation, answer: string): CheckedDocument {
  const runs = runsIn(turns, answer);
  if (runs.length === 0) return claimsNothing(document);
  const parts = runs.map(
    ({ program, output }, at) =>
      `${at + 1}. The program:\n\n${fenced(program, 'text')}\n\nIts output:\n\n${fenced(output, 'text')}`,
  );
  const body = `${document.body}\n\n## Tried\n\n${parts.join('\n\n')}`;
  return { ...document, body, text: writeDocument(document.data, body) };
}

function claimsNothing(document: CheckedDocument): CheckedDocument {
  if (!document.text.includes('(tried)')) return document;
  const derived = <T>(value: T): T => JSON.parse(JSON.stringify(value).replaceAll('(tried)', '(derived)')) as T;
  const { data, body, summary, title } = derived({ ...document });
  return { data, body, summary, title, text: writeDocument(data, body) };
}

interface Run {
  readonly program: readonly string[];
  readonly output: readonly string[];
}

/** The programs that ran between a question and its answer. */
function runsIn(turns: Conversation['turns'], answer: string): Run[] {
  const end = turns.findLastIndex((turn) => isAnswer(turn) && turn.text === answer);
  const begin = turns
    .slice(0, Math.max(0, end))
    .findLastIndex(({ role, toolResults }) => role === 'user' && !toolResults);
  const between = turns.slice(begin + 1, Math.max(0, end));
  const results = between.flatMap(({ toolResults = [] }) => toolResults);
  return between.flatMap(({ toolCalls = [] }) =>
    toolCalls.flatMap(({ id, name, input }): Run[] => {
      const result = results.find((each) => each.id === id);
      if (name !== RUN_PROGRAM || !result || result.isRefused) return [];
      return [
        {
          program: linesOf(programIn(input), LONGEST_PROGRAM),
          output: linesOf(withoutNote(result.text), LONGEST_OUTPUT),
        },
      ];
    }),
  );
}

function programIn(input: unknown): string {
  const { program, code, source, script } = (input ?? {}) as Readonly<Record<string, unknown>>;
  return String(program ?? code ?? source ?? script ?? '');
}

function linesOf(text: string, longest: number): string[] {
  return text.slice(0, longest).toWellFormed().trimEnd().split('\n');
}
