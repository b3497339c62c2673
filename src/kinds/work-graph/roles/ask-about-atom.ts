import * as z from 'zod';
import type { Purpose } from '../../../core/ports/model.ts';
import type { Checkout, WorkOutcome, Workshop } from '../../../core/ports/workshop.ts';
import { type Conversation, turnOf } from '../../../core/search/conversation.ts';
import type { TreeNode } from '../../../core/tree/tree.ts';
import type { SearchContext } from '../../../engine/context.ts';
import type { Prompt, QuestionTools } from '../../../engine/question.ts';
import { notesFor, sessionOf, withNotes } from '../../../engine-parts/transcripts/conversations.ts';
import { sentBack } from '../graph/loop.ts';
import type { Check, CheckItem } from '../plan/plan.ts';
import type { Evidence, Try } from '../run/own-fields.ts';
import {
  type AtomData,
  againPrompt,
  cutText,
  cutTexts,
  probePrompt,
  readAnswer,
  shortened,
  workPrompt,
} from './prompts.ts';
import type { AtomTask, Discovered, Probed, Worked } from './roles.ts';

interface AboutAtom<T> {
  readonly purpose: Purpose;
  /** @param before the conversation about the atom so far */
  readonly words: (before: Conversation) => Promise<Prompt> | Prompt;
  readonly check: (text: string) => T;
}

const MOST_BINDINGS = 50;
const LONGEST_BINDING = 600;
const MOST_SEEN = 5;
const LONGEST_SEEN = 3000;
const MOST_ARTIFACTS = 20;

/**
 * Asks about an atom. The answer is kept in the conversation of its node, and counts for the try that is under way: one that
 * a killed process has got is not asked for again, while a further try gets an answer of its own.
 */
export async function askAboutAtom<T>(
  ctx: SearchContext,
  { node, fields }: AtomTask,
  { purpose, words, check }: AboutAtom<T>,
  signal: AbortSignal,
): Promise<T> {
  const conversation = await conversationOf(ctx, node);
  const round = triesBefore(fields.tries) + 1;
  const { value } = await ctx.asks.ask(
    {
      purpose,
      node,
      keep: { conversation, isLike: (answer) => answer.round === round, marks: { round } },
      words: async (before) => {
        const notes = await notesFor(ctx, node);
        const { prompt, noted, ...rest } = await words(before);
        const heard = notes.length > 0 ? { notes: notes.map(({ id }) => id) } : {};
        return { ...rest, prompt: withNotes(prompt, notes), noted: { ...noted, ...heard } };
      },
      check,
    },
    signal,
  );
  return value;
}

/** Tries whose answers are of no more use. One that was stopped goes on. */
function triesBefore(tries: readonly Try[] = []): number {
  return tries.filter(({ ended }) => ended !== undefined).length;
}

async function conversationOf(ctx: SearchContext, node: TreeNode): Promise<Conversation> {
  const session = await sessionOf(ctx, node);
  if (node.sessionId !== session) await ctx.nodes.change(node, { sessionId: session });
  return (await ctx.store.readConversation(session)) ?? { id: session, title: node.title, turns: [] };
}

/** Returns an atom as prompts tell of it, bounded. */
export function atomData({ node, fields, plan, bindings, seen }: AtomTask): AtomData {
  return {
    name: fields.name,
    title: node.title,
    does: fields.does,
    checks: fields.checks ?? [],
    touches: fields.touches,
    constraints: plan.constraints,
    out_of_scope: plan.out_of_scope,
    bindings: bindings.slice(0, MOST_BINDINGS).map((binding) => ({
      ...binding,
      summary: shortened(binding.summary, LONGEST_BINDING),
      artifacts: binding.artifacts.slice(0, MOST_ARTIFACTS),
    })),
    seen: seen.slice(-MOST_SEEN).map((each) => shortened(each, LONGEST_SEEN)),
  };
}

/** Returns the typed data of requests that only models that write are asked. */
export function unruled({ file }: SearchContext): Prompt['data'] {
  return { question: file.prompt };
}

const PROBE_TOKENS = 3000;
/** Uses of tools by a model without tools of its own. */
const PROBE_ROUNDS = 20;

/** Finds out whether an atom can be done, by reading what was accepted so far. */
export async function probe(
  ctx: SearchContext,
  task: AtomTask,
  { folder }: Checkout,
  signal: AbortSignal,
): Promise<Probed> {
  const model = ctx.modelFor('probe');
  const run = (): never => {
    throw new Error('a probe runs no commands');
  };
  const toolbox = ctx.toolsIn?.({ folder, rights: 'read', commands: [], run });
  const words = () => ({
    prompt: probePrompt(atomData(task)),
    data: unruled(ctx),
    maxOutputTokens: PROBE_TOKENS,
    workplace: { folder, rights: 'read' as const },
    ...(toolbox && !model.worksByItself && { tools: { toolbox, rounds: PROBE_ROUNDS } }),
  });
  const found = await askAboutAtom(ctx, task, { purpose: 'probe', words, check: checkProbe }, signal);
  return { ...found, by: model.name };
}

const LONGEST_FINDINGS = 4000;

const ProbeAnswer = z.looseObject({
  feasible: z.boolean(),
  findings: cutText(LONGEST_FINDINGS),
  cost_estimate: cutText(100).nullish(),
  risks: cutTexts(20, 500),
  recommendations: cutTexts(20, 500),
  relevant_files: cutTexts(50, 500),
});

/** Reads a probe's findings, estimate, risks and recommendations in one text. @throws ThoughtTreeError `bad-answer` */
export function checkProbe(text: string): { readonly feasible: boolean; readonly findings: string } {
  const { feasible, findings, cost_estimate, risks, recommendations, relevant_files } = readAnswer(text, ProbeAnswer);
  const parts = [
    findings.trim(),
    cost_estimate ? `Cost: ${cost_estimate}` : '',
    listed('Risks', risks),
    listed('Recommendations', recommendations),
    listed('Files', relevant_files),
  ];
  const whole = parts.filter((part) => part !== '').join('\n');
  return { feasible, findings: shortened(whole, LONGEST_FINDINGS) };
}

function listed(title: string, items: readonly string[]): string {
  return items.length === 0 ? '' : `${title}: ${items.join('; ')}`;
}

const MAX_OUTPUT_TOKENS = 12_000;
/** Uses of tools by a model without tools of its own. */
const ROUNDS = 80;
const LONGEST_DIFF = 20_000;

/** Works on an atom in its checkout. What is changed there is the work; the answer only tells of it. */
export async function workByModel(
  ctx: SearchContext & { readonly workshop: Workshop },
  task: AtomTask,
  checkout: Checkout,
  commands: readonly string[],
  signal: AbortSignal,
): Promise<Worked> {
  const model = ctx.modelFor('work-on');
  const { fields } = task;
  const runs = new OwnRuns(checkout, fields.checks ?? []);
  const words = async (before: Conversation): Promise<Prompt> => ({
    ...(await wordsFor(ctx, task, checkout, commands, before)),
    data: unruled(ctx),
    maxOutputTokens: MAX_OUTPUT_TOKENS,
    workplace: { folder: checkout.folder, rights: 'write' },
    ...toolsFor(ctx, checkout, commands, runs, model.worksByItself === true),
  });
  const answer = await askAboutAtom(ctx, task, { purpose: 'work-on', words, check: checkWork }, signal);
  const time = new Date(ctx.clock.now()).toISOString();
  return { ...answer, evidence: answer.success ? runs.evidence(time) : [], by: model.name };
}

/**
 * Returns the atom in full; or, where its work came back, what was seen of that, in the conversation in which it was
 * done.
 */
async function wordsFor(
  ctx: SearchContext & { readonly workshop: Workshop },
  task: AtomTask,
  checkout: Checkout,
  commands: readonly string[],
  before: Conversation,
): Promise<Pick<Prompt, 'prompt' | 'turns'>> {
  const { probe, tries = [] } = task.fields;
  const turns = before.turns.filter((turn) => turn.purpose === 'work-on' && !turn.toolCalls && !turn.toolResults);
  const [last, now] = tries.slice(-2);
  const isBack = last !== undefined && sentBack(tries).includes(last) && last.begunWith === now?.begunWith;
  const data = atomData(task);
  if (isBack && turns.length > 0) {
    const isInPlace = last.ended === 'contradicted' && checkout.isContinued;
    return { prompt: againPrompt({ ...data, commands, isInPlace }), turns: turns.map(turnOf) };
  }
  const findings = typeof probe === 'object' ? probe.findings : undefined;
  return { prompt: workPrompt({ ...data, commands, findings, left: await leftIn(ctx.workshop, checkout) }) };
}

/** An agent has tools of its own for files, and gets ours for commands only. */
function toolsFor(
  { toolsIn }: SearchContext,
  { folder }: Checkout,
  commands: readonly string[],
  runs: OwnRuns,
  isForCommandsOnly: boolean,
): { readonly tools?: QuestionTools } {
  if (!toolsIn || (isForCommandsOnly && commands.length === 0)) return {};
  const run = (line: string, signal: AbortSignal) => runs.run(line, signal);
  const toolbox = toolsIn({ folder, rights: 'write', commands, run, isForCommandsOnly });
  return { tools: { toolbox, rounds: ROUNDS } };
}

/** Returns what an earlier try left, for a worker who knows nothing of it; undefined if there is nothing. */
async function leftIn(workshop: Workshop, checkout: Checkout): Promise<string | undefined> {
  if (!checkout.isContinued) return undefined;
  const commit = await checkout.commit('What an earlier try left');
  if (commit === undefined) return undefined;
  const { files, text } = await workshop.diff(checkout.base, commit);
  const named = files.slice(0, 100).map(({ path, change }) => `${change} ${path}`);
  return shortened([...named, text].join('\n'), LONGEST_DIFF);
}

const MOST_MADE = 100;
const MOST_DISCOVERED = 20;
const LONGEST_TITLE = 200;
const LONGEST_TEXT = 4000;

const NextStep = z.union([
  cutText(LONGEST_TEXT).transform((does) => ({ title: does, does })),
  z.looseObject({ title: cutText(LONGEST_TITLE), does: cutText(LONGEST_TEXT).nullish() }),
]);

const Answer = z.looseObject({
  success: z.boolean(),
  summary: cutText(2000),
  artifacts: cutTexts(MOST_MADE, 500),
  details: cutText(20_000).nullish(),
  issues: cutTexts(50, LONGEST_TEXT),
  next_steps: z.array(NextStep).max(1000).nullish(),
});

export interface WorkAnswer {
  readonly success: boolean;
  readonly summary: string;
  readonly artifacts: readonly string[];
  /** Markdown: its details, and what is left open. */
  readonly details: string;
  readonly discovered: readonly Discovered[];
}

/** @throws ThoughtTreeError `bad-answer` */
export function checkWork(text: string): WorkAnswer {
  const { success, summary, artifacts, details, issues, next_steps } = readAnswer(text, Answer);
  const open = issues.length > 0 ? `## Issues\n\n${issues.map((issue) => `- ${issue}`).join('\n')}` : '';
  const discovered = (next_steps ?? [])
    .map(({ title, does }) => ({ title: oneTitle(title), does: does ?? title }))
    .filter(({ title }) => title !== '');
  return {
    success,
    summary,
    artifacts,
    details: [details?.trim() ?? '', open].filter((part) => part !== '').join('\n\n'),
    discovered: discovered.slice(0, MOST_DISCOVERED),
  };
}

function oneTitle(title: string): string {
  return title.split('\n')[0]?.trim().slice(0, LONGEST_TITLE).toWellFormed() ?? '';
}

/** The default time limit of a command, in seconds. */
const DEFAULT_TIMEOUT = 600;

/** The commands that a worker ran itself, and how each ended last. */
class OwnRuns {
  readonly #checkout: Pick<Checkout, 'run'>;
  readonly #checks: readonly CheckItem[];
  readonly #last = new Map<string, WorkOutcome>();

  constructor(checkout: Pick<Checkout, 'run'>, checks: readonly CheckItem[]) {
    this.#checkout = checkout;
    this.#checks = checks;
  }

  /** Runs a line in the checkout, with the time limit that a check of it has. */
  async run(line: string, signal: AbortSignal): Promise<WorkOutcome> {
    const limits = checksOf(this.#checks).flatMap(({ check }) =>
      lineOf(check) === line ? (timeoutOf(check) ?? []) : [],
    );
    const timeoutMs = (limits.length > 0 ? Math.max(...limits) : DEFAULT_TIMEOUT) * 1000;
    const outcome = await this.#checkout.run({ line, rights: 'write', timeoutMs }, signal);
    this.#last.set(line, outcome);
    return outcome;
  }

  /**
   * Returns what the worker's word is worth for each check: `checked` where it ran the command and saw it hold,
   * otherwise `reported`. A check that it saw fail is not reported to hold.
   */
  evidence(time: string): Evidence[] {
    return checksOf(this.#checks).flatMap(({ place: item, check }): Evidence[] => {
      const line = lineOf(check);
      const outcome = line === undefined ? undefined : this.#last.get(line);
      if (!outcome) return [{ item, word: 'reported', time }];
      const { exitCode, outputHash, stopped } = outcome;
      if (stopped !== undefined || exitCode === undefined) return [];
      const holds = 'command' in check ? exitCode === 0 : exitCode !== 0;
      return holds ? [{ item, word: 'checked', exitCode, outputHash: outputHash.slice(0, 128), time }] : [];
    });
  }
}

interface PlacedCheck {
  readonly place: string;
  readonly check: Check;
}

/** Returns all checks of a checklist with their places: `0`, `2.1`. */
function checksOf(items: readonly CheckItem[], above = ''): PlacedCheck[] {
  return items.flatMap(({ check, all_of, any_of }, i) => {
    const place = `${above}${i}`;
    return [...(check ? [{ place, check }] : []), ...checksOf(all_of ?? any_of ?? [], `${place}.`)];
  });
}

function lineOf(check: Check): string | undefined {
  if ('command' in check) return check.command;
  return 'not_command' in check ? check.not_command : undefined;
}

function timeoutOf(check: Check): number | undefined {
  return 'command' in check || 'not_command' in check ? check.timeout : undefined;
}
