import { foreign } from '../../../src/core/messages/message.ts';
import type { Model, ModelAnswer, ModelCall, ModelRequest } from '../../../src/core/ports/model.ts';
import type { Clock } from '../../../src/core/ports/ports.ts';
import { ThoughtTreeError } from '../../../src/core/search/errors.ts';
import type { Task } from '../../../src/kinds/thoughts/tasks/task.ts';
import { draftData, thoughtData } from '../searches/thought-data.ts';
import { countTokens } from '../servers/server-tokens.ts';

/** What a scripted model of thoughts was asked, in order, and what it charged. */
export interface ThoughtModel extends Model {
  readonly log: { purpose: string; node: string; about: string; tokens: number }[];
}

export interface ThoughtModelOptions {
  readonly clock?: Clock;
  readonly latencyMs?: (request: ModelRequest) => number;
  /** The thoughts below a path of thoughts; `earlier` names those that were proposed there before. */
  readonly thoughts?: (path: readonly string[], earlier: readonly string[], count: number) => readonly unknown[];
  readonly score?: (content: string, sample: number) => number;
  /** Whether one solution can be better than another. */
  readonly graded?: boolean;
  /** Another answer, or an error, instead of the usual one. */
  readonly instead?: (request: ModelRequest, attempt: number) => Error | string | undefined;
}

/** Returns a number from 0 to 1 that follows from a text alone. */
function chanceOf(text: string): number {
  let hash = 2166136261;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 16777619);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 4294967296;
}

/** A model whose answers follow from the request alone, so that one asked again says the same. */
export function thoughtModel(options: ThoughtModelOptions = {}): ThoughtModel {
  const log: ThoughtModel['log'] = [];
  const attempts = new Map<string, number>();
  const thoughts = options.thoughts ?? plainThoughts;
  const score = options.score ?? ((content: string) => Math.round(chanceOf(content) * 100) / 10);
  const answerTo = (request: ModelRequest): string => {
    const ofDraft = draftData(request.data);
    if (ofDraft) return answerOfDraft(ofDraft, score);
    const data = thoughtData(request.data);
    if (data.purpose === 'generate') {
      const { context, num_candidates: count } = data.message.payload;
      if (data.sources.length > 0)
        return output([{ content: `(${data.sources.map(({ steps }) => steps.at(-1)?.content).join(' + ')})!` }]);
      if (data.isWhole) return output([{ content: `${context.path.at(-1) ?? 'step'}!` }]);
      return output(thoughts(context.path, context.earlier, count));
    }
    if (data.purpose === 'evaluate') {
      const { candidates } = data.message.payload;
      const evaluations = candidates.map(({ id, content }) => ({
        id,
        score: score(content, data.sample),
        confidence: 0.8,
        ...(content.endsWith('!') ? { solution: true } : {}),
      }));
      return output({ evaluations });
    }
    if (data.purpose === 'decompose')
      return output({
        thought_granularity: 'step',
        intermediate_steps: ['one', 'two'],
        depth_estimate: 2,
        constraints: ['be brief'],
        success_criteria: 'done',
        ...(options.graded ? { solutions: 'graded' } : {}),
      });
    if (data.purpose === 'compare-solutions') {
      const [a, b] = [data.a, data.b].map((steps) => steps.at(-1)?.content ?? '') as [string, string];
      const better = chanceOf(`better ${a}`) > chanceOf(`better ${b}`) ? 'A' : 'B';
      return output({ better, why: `because of ${a} and ${b}`, take_over: [`the best of ${better === 'A' ? b : a}`] });
    }
    if (data.purpose === 'review')
      return output({ defects: options.graded && !data.answer.includes('again') ? ['It is short.'] : [] });
    if ('defects' in data)
      return '<answer>The answer, in more words again.</answer>\n<defects>\n1. mended: longer\n</defects>';
    return 'The answer, in words.\n';
  };
  const generate = async (request: ModelRequest, { signal }: ModelCall): Promise<ModelAnswer> => {
    await options.clock?.sleep(options.latencyMs?.(request) ?? 0, signal);
    if (signal.aborted) throw new ThoughtTreeError('aborted', foreign({ text: 'The call was stopped.' }));
    const about = aboutOf(request);
    const key = `${request.purpose} ${about}`;
    const attempt = (attempts.get(key) ?? 0) + 1;
    attempts.set(key, attempt);
    const instead = options.instead?.(request, attempt);
    if (instead instanceof Error) throw instead;
    const text = instead ?? answerTo(request);
    const usage = { prompt: countTokens(request.prompt), cached: 0, completion: countTokens(text) };
    log.push({ purpose: request.purpose, node: request.node, about, tokens: usage.prompt + usage.completion });
    return { text, finish: 'stop', usage };
  };
  return { name: 'scripted/thoughts', label: 'Scripted', free: false, generate, log };
}

/** Returns what writers, readers and judges of drafts say. */
function answerOfDraft(
  data: NonNullable<ReturnType<typeof draftData>>,
  score: NonNullable<ThoughtModelOptions['score']>,
): string {
  if (data.purpose === 'compare-solutions')
    return output({ better: chanceOf(`better ${data.a}`) > chanceOf(`better ${data.b}`) ? 'A' : 'B', why: 'luck' });
  if (data.purpose === 'read-draft') {
    const { draft, sample } = data;
    return output({ defects: [`"${draft}" is too short.`], score: score(draft, sample), ready: draft.endsWith('!') });
  }
  const text = `${data.draft ?? 'draft'}.${data.draw + 1}`;
  const accounts = data.defects.map((_, at) => `${at + 1}. ${chanceOf(text) < 0.5 ? 'mended: so' : 'rejected: no'}`);
  return `<title>\n${text}\n</title>\n<answer>\n${text}\n</answer>\n<defects>\n${accounts.join('\n')}\n</defects>`;
}

/** Returns what a request is about, whoever asks again. */
function aboutOf({ data: sent, node }: ModelRequest): string {
  const ofDraft = draftData(sent);
  if (ofDraft?.purpose === 'read-draft') return `${ofDraft.draft} ${ofDraft.isVerdict} sample ${ofDraft.sample}`;
  if (ofDraft?.purpose === 'compare-solutions') return `${ofDraft.a} and ${ofDraft.b}`;
  if (ofDraft) return `${ofDraft.draft ?? 'first'} draw ${ofDraft.draw}`;
  const data = thoughtData(sent);
  if (data.purpose === 'generate')
    return `${node} after ${data.message.payload.context.earlier.length} draw ${data.draw}`;
  if (data.purpose !== 'evaluate') return node;
  return `${data.message.payload.candidates.map(({ id }) => id).join(' ')} sample ${data.sample}`;
}

function plainThoughts(path: readonly string[], earlier: readonly string[], count: number): { content: string }[] {
  const above = path.at(-1) ?? 'step';
  return Array.from({ length: count }, (_, index) => ({ content: `${above}.${earlier.length + index + 1}` }));
}

function output(value: unknown): string {
  return `Some thinking.\n<output>\n${JSON.stringify(value)}\n</output>`;
}

/** A task whose steps are right, equal and solved by chance of their texts alone. */
export const chanceTask: Task = {
  name: 'chance',
  defaults: {},
  decomposition: () => ({
    thought_granularity: 'step',
    intermediate_steps: [],
    depth_estimate: 3,
    constraints: [],
    success_criteria: 'luck',
  }),
  verify: ({ thoughts }) =>
    chanceOf(`right ${thoughts.at(-1)?.content}`) < 0.85 ? { ok: true } : { ok: false, why: 'It is wrong.' },
  state: ({ thoughts }) => `${thoughts.length}:${Math.floor(chanceOf(`state ${thoughts.at(-1)?.content}`) * 20)}`,
  solved: ({ thoughts }) => thoughts.length >= 2 && chanceOf(`solved ${thoughts.at(-1)?.content}`) < 0.05,
  compose: ({ thoughts }) => thoughts.map(({ content }) => content).join(' > '),
};
