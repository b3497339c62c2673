import * as z from 'zod';
import type { Message } from '../../../core/messages/message.ts';
import type { AnswersByData, PromptData, SaidOf } from '../../../core/ports/model.ts';
import { isThoughtTreeError } from '../../../core/search/errors.ts';
import { oneLine } from '../../../core/text/text.ts';
import { unaskedJudgement, unaskedProblem, unaskedThoughts } from '../messages.ts';
import type { CompareData, DecomposeData, EvaluateData, GenerateData, PathData } from './prompts.ts';
import { contentKey, readDecomposition, readJudgements, readThoughts } from './thought-answers.ts';
import { criterionKey } from './thought-data.ts';
import { criteriaOf, type Thought } from './thought-messages.ts';

type Data = DecomposeData | GenerateData | EvaluateData | CompareData | (PromptData & { readonly purpose?: undefined });

/** As many thoughts of one answer are kept as any question may ask for. */
const MOST_THOUGHTS = 1000;
const LONGEST_SHOWN = 80;

const SaidThoughts = z.array(z.looseObject({ content: z.string() })).max(MOST_THOUGHTS);
const SaidJudgement = z.looseObject({ score: z.number(), prune: z.boolean().optional(), rank: z.number().optional() });

/**
 * Answers of thoughts by what they are about: which thoughts were proposed at a state, and how a thought was judged there. So
 * another strategy, beam or order, which groups the same questions in another way, finds its answers in a recording.
 */
export const thoughtAnswers: AnswersByData = {
  says(data, answer) {
    try {
      return saidIn(data as Data, answer);
    } catch (error) {
      // It is sent back, and says nothing.
      if (isThoughtTreeError(error, 'bad-answer')) return [];
      throw error;
    }
  },
  answer(data, said) {
    const asked = data as Data;
    if (asked.purpose === 'decompose') return said(aboutProblem(asked))[0] ?? unaskedProblem();
    if (asked.purpose === 'generate') return thoughtsFor(asked, said(aboutThoughts(asked)));
    if (asked.purpose === 'evaluate') return judgementsFor(asked, said);
    return undefined;
  },
};

function saidIn(data: Data, answer: string): SaidOf[] {
  if (data.purpose === 'decompose') {
    readDecomposition(answer);
    return [{ about: aboutProblem(data), said: answer }];
  }
  if (data.purpose === 'generate')
    return [{ about: aboutThoughts(data), said: JSON.stringify(readThoughts(answer, MOST_THOUGHTS)) }];
  if (data.purpose !== 'evaluate') return [];
  const { candidates, evaluation_strategy: way } = data.message.payload;
  const ids = candidates.map(({ id }) => id);
  const criteria = criteriaOf(data.plan.decomposition).map(criterionKey);
  const judgements = readJudgements(answer, { ids, criteria, isCompared: way === 'comparative_voting' });
  return ids.map((id, at) => {
    const { id: _, ...said } = judgements.get(id) ?? {};
    return { about: aboutJudgement(data, at), said: JSON.stringify(said) };
  });
}

function aboutProblem({ question }: DecomposeData): string {
  return JSON.stringify(['problem', question]);
}

/** The state that a path has led to: as a task says it, else by its steps. */
function stateOf({ state, steps }: Pick<PathData, 'state' | 'steps'>): unknown {
  return state ?? steps.map(({ content }) => contentKey(content));
}

function aboutThoughts({ question, path, isWhole, sources, refusals = [] }: GenerateData): string {
  const from = sources.map(({ steps }) => stateOf({ steps }));
  const back = refusals.length > 0 ? [refusals.map(({ content }) => contentKey(content))] : [];
  return JSON.stringify(['thoughts', question, stateOf(path), isWhole, from, ...back]);
}

/** A thought that is judged alone is judged the same beside others; one that is compared is not. */
function aboutJudgement(data: EvaluateData, at: number): string {
  const { candidates, evaluation_strategy: way } = data.message.payload;
  const ends = candidates.map(({ content, parent_id: parent }, nth) => {
    const steps: readonly Pick<Thought, 'content'>[] = data.paths[parent ?? '']?.steps ?? [];
    return stateOf({ state: data.states[nth], steps: [...steps, { content }] });
  });
  const beside = way === 'comparative_voting' ? ends.map((end) => JSON.stringify(end)).sort() : [];
  return JSON.stringify(['judgement', data.question, ends[at], data.isVerdict, beside]);
}

/** Returns what was proposed there and is not known yet, in its order. */
function thoughtsFor({ message, earlier, draw, path }: GenerateData, said: readonly string[]): string | Message {
  const { num_candidates: count } = message.payload;
  const known = new Set(earlier.map(({ thought }) => contentKey(thought.content)));
  const proposed = said.flatMap((text) => SaidThoughts.safeParse(parsed(text)).data ?? []);
  const fresh = [...new Map(proposed.map((each) => [contentKey(each.content), each])).values()].filter(
    ({ content }) => !known.has(contentKey(content)),
  );
  // That nothing was left to propose was an answer, too; that more was never asked for is none.
  if (said.length === 0 || (fresh.length === 0 && known.size > 0))
    return unaskedThoughts({ thought: shown(path.steps.at(-1)?.content ?? message.payload.context.problem) });
  const from = fresh.length === 0 ? 0 : (draw * count) % fresh.length;
  return output(fresh.slice(from, from + count));
}

function judgementsFor(data: EvaluateData, said: Parameters<AnswersByData['answer']>[1]): string | Message {
  const { candidates } = data.message.payload;
  const evaluations: (z.infer<typeof SaidJudgement> & { readonly id: string })[] = [];
  for (const [at, { id, content }] of candidates.entries()) {
    const samples = said(aboutJudgement(data, at));
    const judged = SaidJudgement.safeParse(parsed(samples[data.sample % samples.length] ?? '')).data;
    if (!judged) return unaskedJudgement({ thought: shown(content) });
    evaluations.push({ ...judged, id });
  }
  const ranked = evaluations.filter(({ rank }) => rank !== undefined).sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0));
  return output({
    evaluations,
    ranking: ranked.map(({ id }) => id),
    pruning_suggestions: evaluations.filter(({ prune }) => prune).map(({ id }) => id),
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function output(value: unknown): string {
  return `<output>\n${JSON.stringify(value)}\n</output>`;
}

function shown(text: string): string {
  return oneLine(text, LONGEST_SHOWN);
}
