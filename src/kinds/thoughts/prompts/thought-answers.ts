import * as z from 'zod';
import * as say from '../../../core/messages/answers.ts';
import { ThoughtTreeError } from '../../../core/search/errors.ts';
import { isTooDeep } from '../../../core/text/loose-json.ts';
import { dataIn, listIn } from '../../../core/text/model-output.ts';
import { oneLine } from '../../../core/text/text.ts';
import type { Account } from './answer-prompts.ts';
import { draftIn, MOST_OF_DRAFT } from './draft-prompts.ts';
import { Decomposition, type Judgement, Metadata, type Thought } from './thought-messages.ts';

const LONGEST_CONTENT = 20_000;
const LONGEST_REASONING = 4000;
const LONGEST_LINE = 2000;
const LONGEST_TITLE = 120;
const LONGEST_DEFECT = 1000;
const MOST_DEFECTS = 20;

/** The length of an answer is checked before it is parsed. */
const LONGEST_ANSWER = 1_000_000;

const Said = z.looseObject({
  content: z.union([z.string(), z.number()]),
  title: z.string().nullish().catch(undefined),
  leads_to: z.string().nullish().catch(undefined),
  action_type: z.string().nullish().catch(undefined),
  metadata: z.unknown().optional(),
});

/**
 * The thoughts in an answer, in order: a bare list, or the source's message around it; plain texts are accepted too.
 * Empty and repeated ones are dropped, and the rest is cut to `most`.
 * @throws ThoughtTreeError `bad-answer` saying what is wrong, in words for the model
 */
export function readThoughts(answer: string, most: number): Thought[] {
  const list = listNamed(readOutput(answer), ['candidates', 'thoughts']);
  if (!list) throw new ThoughtTreeError('bad-answer', say.noThoughts());
  const seen = new Set<string>();
  const thoughts: Thought[] = [];
  for (const each of list.slice(0, 1000)) {
    const thought = thoughtFrom(each);
    if (!thought || seen.has(contentKey(thought.content))) continue;
    seen.add(contentKey(thought.content));
    thoughts.push(thought);
  }
  if (list.length > 0 && thoughts.length === 0) throw new ThoughtTreeError('bad-answer', say.noContent());
  return thoughts.slice(0, most);
}

function thoughtFrom(said: unknown): Thought | undefined {
  const parsed = Said.safeParse(typeof said === 'string' || typeof said === 'number' ? { content: said } : said);
  if (!parsed.success) return undefined;
  const content = safeText(String(parsed.data.content), LONGEST_CONTENT);
  if (content === '') return undefined;
  const action = oneLine(parsed.data.action_type ?? '', 100);
  const title = oneLine(parsed.data.title ?? '', LONGEST_TITLE);
  const state = oneLine(parsed.data.leads_to ?? '', LONGEST_LINE);
  const metadata = Metadata.safeParse(parsed.data.metadata);
  return {
    content,
    ...(title ? { title } : {}),
    ...(state ? { leads_to: state } : {}),
    ...(action ? { action_type: action } : {}),
    ...(metadata.success && Object.keys(metadata.data).length > 0 ? { metadata: metadata.data } : {}),
  };
}

/** Returns one key for thoughts that differ only in spacing or case. */
export function contentKey(content: string): string {
  return content.normalize('NFKC').replace(/\s+/gu, ' ').trim().toLowerCase();
}

/** Texts, each once, in order. */
export function eachOnce(texts: readonly string[]): string[] {
  return [...new Map(texts.map((text) => [contentKey(text), text])).values()];
}

/** Text that is safe to keep: whole characters, plain line ends, nothing invisible. */
function safeText(text: string, longest: number): string {
  return text
    .slice(0, longest)
    .toWellFormed()
    .replaceAll('\r\n', '\n')
    .replace(/[[\p{Cc}--[\t\n]]\u202a-\u202e\u2060-\u2069\ufeff]/gv, ' ')
    .trim();
}

const number = z.union([z.number(), z.string()]);
const SaidJudgement = z.looseObject({
  id: z.union([z.string(), z.number()]).optional(),
  node_id: z.union([z.string(), z.number()]).optional(),
  score: number,
  confidence: number.nullish().catch(undefined),
  reasoning: z.string().nullish().catch(undefined),
  dimension_scores: z.record(z.string(), z.unknown()).nullish().catch(undefined),
  /** The scores by the numbers of the success criteria. */
  criteria: z.record(z.string(), z.unknown()).nullish().catch(undefined),
  defects: z.array(z.unknown()).nullish().catch(undefined),
  solution: z.boolean().nullish().catch(undefined),
  violates_constraint: z.boolean().nullish().catch(undefined),
});

/** A judgement, with the judge's additional statements. */
export interface ReadJudgement extends Judgement {
  /** Its place in the judge's ranking, from 1. */
  readonly rank?: number;
  /** The judge wants it pruned. */
  readonly prune?: boolean;
  readonly violates_constraint?: boolean;
}

/** The candidates and criteria that a judge was asked about. */
export interface JudgedAbout {
  /** The candidates, in the order they were sent; an answer without ids is read in that order. */
  readonly ids: readonly string[];
  /** The keys of the success criteria, in their order. */
  readonly criteria?: readonly string[];
  /** The candidates were compared: then the ranking decides, and the scores are dealt in its order. */
  readonly isCompared?: boolean;
}

/**
 * The judgements in an answer, by candidate id; ignores those about no candidate or without a score.
 * @throws ThoughtTreeError `bad-answer` if a candidate was left out, in words for the model
 */
export function readJudgements(answer: string, about: JudgedAbout): Map<string, ReadJudgement> {
  const { ids, criteria = [], isCompared = false } = about;
  const output = readOutput(answer);
  const list = listNamed(output, ['evaluations', 'results']);
  if (!list) throw new ThoughtTreeError('bad-answer', say.noEvaluations());
  const pruned = namesIn(partOf(output, 'pruning_suggestions'));
  const ranking = [...namesIn(partOf(output, 'ranking'))].filter((name) => ids.includes(name));
  const judgements = new Map<string, ReadJudgement>();
  const bound = list.slice(0, 1000);
  const isUnnamed = bound.length === ids.length && bound.every((each) => idOf(each) === undefined);
  for (const [index, each] of bound.entries()) {
    const id = isUnnamed ? ids[index] : ids.find((one) => one === idOf(each));
    const judgement = id === undefined ? undefined : judgementFrom(id, each, criteria);
    if (!judgement || judgements.has(judgement.id)) continue;
    const rank = isCompared ? ranking.indexOf(judgement.id) + 1 : 0;
    const said = { ...(rank > 0 ? { rank } : {}), ...(pruned.has(judgement.id) ? { prune: true } : {}) };
    judgements.set(judgement.id, { ...judgement, ...said });
  }
  const missing = ids.filter((id) => !judgements.has(id));
  if (missing.length > 0)
    throw new ThoughtTreeError('bad-answer', say.noEvaluationOf({ ids: missing.slice(0, 20).join(', ') }));
  return isCompared ? inOrder(judgements) : judgements;
}

/** Deals the scores in the order of the ranking, if all candidates are in it: it was made by comparing them. */
function inOrder(judgements: Map<string, ReadJudgement>): Map<string, ReadJudgement> {
  const ranked = [...judgements.values()];
  if (ranked.some(({ rank }) => rank === undefined)) return judgements;
  const scores = ranked.map(({ score }) => score).sort((a, b) => b - a);
  ranked.sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0));
  const dealt = new Map(ranked.map(({ id }, at) => [id, scores[at] as number]));
  return new Map([...judgements].map(([id, each]) => [id, { ...each, score: dealt.get(id) ?? each.score }]));
}

function idOf(said: unknown): string | undefined {
  const parsed = SaidJudgement.safeParse(said);
  const id = parsed.success ? (parsed.data.id ?? parsed.data.node_id) : undefined;
  return id === undefined ? undefined : String(id).trim();
}

function judgementFrom(id: string, said: unknown, criteria: readonly string[]): ReadJudgement | undefined {
  const parsed = SaidJudgement.safeParse(said);
  const score = parsed.success ? within(parsed.data.score, 10) : undefined;
  if (!parsed.success || score === undefined) return undefined;
  const { confidence, reasoning, dimension_scores, criteria: byNumber, solution, violates_constraint } = parsed.data;
  const sure = within(confidence, 1);
  const why = safeText(reasoning ?? '', LONGEST_REASONING);
  const dimensions = dimensionsFrom({ ...dimension_scores, ...byKey(byNumber ?? {}, criteria) });
  const defects = defectsFrom(parsed.data.defects ?? []);
  return {
    id,
    score,
    ...(sure === undefined ? {} : { confidence: sure }),
    ...(why ? { reasoning: why } : {}),
    ...(Object.keys(dimensions).length > 0 ? { dimension_scores: dimensions } : {}),
    ...(defects.length > 0 ? { defects } : {}),
    ...(typeof solution === 'boolean' ? { solution } : {}),
    ...(violates_constraint ? { violates_constraint } : {}),
  };
}

/** Scores under the criteria's keys instead of their numbers. */
function byKey(said: Record<string, unknown>, criteria: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(said).flatMap(([name, score]) => {
      const key = criteria[Number(name) - 1];
      return key === undefined ? [] : [[key, score]];
    }),
  );
}

/** Defects as lines, each once; a judge may also give them as objects with a text. */
function defectsFrom(said: readonly unknown[]): string[] {
  const lines = said.flatMap((each) => {
    const text =
      typeof each === 'object' && each !== null ? Object.values(each).find((one) => typeof one === 'string') : each;
    return typeof text === 'string' ? oneLine(text, LONGEST_DEFECT) : [];
  });
  return eachOnce(lines.filter(Boolean)).slice(0, MOST_DEFECTS);
}

function dimensionsFrom(said: Record<string, unknown>): Record<string, number> {
  const scores: Record<string, number> = {};
  for (const [name, value] of Object.entries(said).slice(0, 20)) {
    const score = typeof value === 'number' || typeof value === 'string' ? within(value, 10) : undefined;
    const key = oneLine(name, 100);
    if (score !== undefined && key && key !== '__proto__') scores[key] = score;
  }
  return scores;
}

/** Returns a number from 0 to `most`; undefined if it is not a number. */
function within(said: number | string | null | undefined, most: number): number | undefined {
  const value = typeof said === 'string' && said.trim() !== '' ? Number(said) : said;
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined;
  return Math.min(most, Math.max(0, value)) + 0; // no -0: it would not survive being written
}

function namesIn(said: unknown): Set<string> {
  if (!Array.isArray(said)) return new Set();
  return new Set(
    said
      .slice(0, 1000)
      .flatMap((each) => (typeof each === 'string' ? each.trim() : (idOf({ score: 0, ...each }) ?? []))),
  );
}

const SaidComparison = z.looseObject({
  better: z.string().transform((said) => said.trim().toUpperCase()),
  why: z.string().nullish().catch(undefined),
  take_over: z.array(z.unknown()).nullish().catch(undefined),
  defects: z.looseObject({ A: z.unknown().optional(), B: z.unknown().optional() }).nullish().catch(undefined),
});

/** Which of two solutions is better, as one answer has it. */
export interface ReadComparison {
  readonly better: 'A' | 'B' | 'neither';
  readonly why: string;
  readonly takeOver: readonly string[];
  readonly defects: { readonly A: readonly string[]; readonly B: readonly string[] };
}

/**
 * A comparison of two solutions in an answer.
 * @throws ThoughtTreeError `bad-answer` saying what is wrong, in words for the model
 */
export function readComparison(answer: string): ReadComparison {
  const parsed = SaidComparison.safeParse(readOutput(answer));
  const { better = '', why, take_over: takeOver, defects } = parsed.data ?? {};
  if (better !== 'A' && better !== 'B' && better !== 'NEITHER')
    throw new ThoughtTreeError('bad-answer', say.noBetter());
  const lines = (said: unknown): string[] => (Array.isArray(said) ? defectsFrom(said) : []);
  return {
    better: better === 'NEITHER' ? 'neither' : better,
    why: oneLine(why ?? '', LONGEST_LINE),
    takeOver: lines(takeOver),
    defects: { A: lines(defects?.A), B: lines(defects?.B) },
  };
}

/**
 * Returns the defects that a reader found in an answer, the gravest first.
 * @throws ThoughtTreeError `bad-answer` if the reader says neither that there are some nor that there is none
 */
export function readReview(answer: string): string[] {
  const list = listNamed(readOutput(answer), ['defects']);
  if (!list) throw new ThoughtTreeError('bad-answer', say.noDefects());
  return defectsFrom(list);
}

/** A draft as a thought, with what it says about the defects of the one above it. */
export interface Draft extends Thought {
  readonly mended?: readonly Account[];
  /** Those that it rejects, or leaves open. */
  readonly open?: readonly Account[];
}

/**
 * Returns the draft in an answer.
 * @param defects as its request numbered them
 * @throws ThoughtTreeError `bad-answer` if it is empty
 */
export function readDraft(answer: string, defects: readonly string[] = []): Draft {
  const { title = '', content: said, mended, open } = draftIn(answer.slice(0, LONGEST_ANSWER), defects);
  const content = safeText(said, LONGEST_CONTENT);
  if (content === '') throw new ThoughtTreeError('bad-answer', say.empty());
  const name = oneLine(title, LONGEST_TITLE);
  return {
    content,
    ...(name && { title: name }),
    ...(mended.length > 0 && { mended }),
    ...(open.length > 0 && { open }),
  };
}

const SaidReading = z.looseObject({ ready: z.boolean().nullish().catch(undefined) });

/**
 * Returns what a reader says of a draft, as a judgement: one that is ready is a solution.
 * @throws ThoughtTreeError `bad-answer` if it has no score
 */
export function readReading(
  answer: string,
  { ids: [id = ''], criteria = [] }: JudgedAbout,
): Map<string, ReadJudgement> {
  const output = readOutput(answer);
  const { ready } = SaidReading.safeParse(output).data ?? {};
  const judgement = judgementFrom(id, output, criteria);
  if (!judgement) throw new ThoughtTreeError('bad-answer', say.noEvaluationOf({ ids: id }));
  const defects = judgement.defects?.slice(0, MOST_OF_DRAFT);
  return new Map([[id, { ...judgement, ...(defects && { defects }), solution: ready === true }]]);
}

/**
 * A decomposition in an answer.
 * @throws ThoughtTreeError `bad-answer` saying what is wrong, in words for the model
 */
export function readDecomposition(answer: string): Decomposition {
  const output = readOutput(answer);
  return decompositionFrom(partOf(output, 'payload') ?? output);
}

const text = z.union([z.string(), z.number()]).transform((said) => oneLine(String(said), LONGEST_LINE));
const SaidDecomposition = z.looseObject({
  thought_granularity: text.catch('step'),
  intermediate_steps: z.array(text).catch([]),
  depth_estimate: z.coerce.number().catch(3),
  constraints: z.array(text).catch([]),
  assumptions: z.array(text).optional().catch(undefined),
  success_criteria: z.union([text, z.array(text)]),
  solutions: z.enum(['graded', 'exact']).optional().catch(undefined),
});

/**
 * A decomposition given by a model or a person.
 * @throws ThoughtTreeError `bad-answer` saying what is wrong
 */
export function decompositionFrom(said: unknown): Decomposition {
  const parsed = SaidDecomposition.safeParse(said);
  if (!parsed.success)
    throw new ThoughtTreeError(
      'bad-answer',
      say.wrongDecomposition({ why: oneLine(z.prettifyError(parsed.error), 500) }),
    );
  const { thought_granularity, intermediate_steps, depth_estimate, constraints, assumptions } = parsed.data;
  const { success_criteria, solutions } = parsed.data;
  const whole = typeof success_criteria === 'string' ? success_criteria : success_criteria.filter(Boolean).slice(0, 20);
  return Decomposition.parse({
    thought_granularity: thought_granularity || 'step',
    intermediate_steps: intermediate_steps.filter(Boolean).slice(0, 100),
    depth_estimate: Math.min(64, Math.max(1, Math.round(Number.isFinite(depth_estimate) ? depth_estimate : 3))),
    constraints: constraints.filter(Boolean).slice(0, 100),
    ...(assumptions ? { assumptions: assumptions.filter(Boolean).slice(0, 100) } : {}),
    success_criteria: whole.length > 0 ? whole : 'The problem is solved.',
    ...(solutions ? { solutions } : {}),
  });
}

function readOutput(answer: string): unknown {
  if (answer.length > LONGEST_ANSWER) throw new ThoughtTreeError('bad-answer', say.answerTooLong());
  const value = dataIn(answer);
  if (isTooDeep(value)) throw new ThoughtTreeError('bad-answer', say.notJson());
  return value;
}

/** Returns the list under one of these names, also inside a message's `payload`, or the only one that there is. */
function listNamed(output: unknown, names: readonly string[]): unknown[] | undefined {
  const named = names.map((name) => partOf(output, name)).find((list) => Array.isArray(list));
  return Array.isArray(named) ? named : listIn(output);
}

function partOf(output: unknown, name: string): unknown {
  if (typeof output !== 'object' || output === null) return undefined;
  if (Object.hasOwn(output, name)) return (output as Record<string, unknown>)[name];
  const payload = Object.hasOwn(output, 'payload') ? (output as { payload: unknown }).payload : undefined;
  return typeof payload === 'object' && payload !== null && Object.hasOwn(payload, name)
    ? (payload as Record<string, unknown>)[name]
    : undefined;
}
