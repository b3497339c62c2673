import type { Model, ModelAnswer, ModelRequest } from '../../../src/core/ports/model.ts';
import type { DecomposeData, EvaluateData, GenerateData } from '../../../src/kinds/thoughts/prompts/prompts.ts';
import type { Judgement, Thought } from '../../../src/kinds/thoughts/prompts/thought-messages.ts';
import { equal, game24 } from '../../../src/kinds/thoughts/tasks/game24.ts';
import { thoughtData } from '../searches/thought-data.ts';
import { chance } from '../servers/server-random.ts';
import { countTokens, PrefixCache } from '../servers/server-tokens.ts';
import { JUDGE, PROPOSED, REPEATED, SCORES, WRONG } from './game24-figures.ts';
import { canMake24, type Joining, keyOf, type Next, type Numbers, nextOf } from './game24-solver.ts';
import { claimedNumbers, stepText } from './game24-writing.ts';

type Verdict = keyof typeof SCORES;

/** What a scripted Game of 24 model was asked, in order. */
export interface Game24Model extends Model {
  readonly log: { purpose: string; node: string; prompt: number; cached: number; completion: number }[];
}

/**
 * A model that plays the Game of 24 and errs as often as GPT-4 did (game24-figures.ts). What it says depends on the
 * seed, the state, and how often it was asked about that state before; a repeated question about a state is drawn again, and tries
 * that a prompt names are not avoided. It reads states as they are claimed: a wrong step misleads it.
 */
export function game24Model(seed: number): Game24Model {
  const asked = new Map<string, number>();
  const nth = (what: string): number => {
    const before = asked.get(what) ?? 0;
    asked.set(what, before + 1);
    return before;
  };
  const cache = new PrefixCache();
  const log: Game24Model['log'] = [];
  const textFor = (request: ModelRequest): string => {
    const data = thoughtData(request.data);
    if (data.purpose === 'generate') return output(proposals(data));
    if (data.purpose === 'evaluate') return output({ evaluations: judgements(data) });
    if (data.purpose === 'decompose') return output(decomposition(data));
    return 'The steps of the best path lead to the answer.\n';
  };
  const proposals = ({ message: { payload } }: GenerateData): Thought[] => {
    const { problem, path } = payload.context;
    const numbers = claimedNumbers(problem, path);
    if (!numbers) return [];
    const key = `${problem} ${keyOf(numbers)}`;
    const said = propose(numbers, seed, key, nth(`propose ${key}`)).slice(0, payload.num_candidates);
    return said.map(({ content }) => ({ content }));
  };
  const judgements = ({ message: { payload } }: EvaluateData): Judgement[] =>
    payload.candidates.map(({ id, content }) => {
      const numbers = claimedNumbers(payload.context.problem, [content]);
      const key = `${payload.context.problem} ${numbers ? keyOf(numbers) : content}`;
      const verdict = numbers ? judge(numbers, seed, key, nth(`judge ${key}`)) : 'impossible';
      return { id, score: SCORES[verdict], reasoning: verdict, ...(verdict === 'finished' ? { solution: true } : {}) };
    });
  const generate = async (request: ModelRequest): Promise<ModelAnswer> => {
    const text = textFor(request);
    const messages = [
      { role: 'system', content: request.system },
      ...request.turns.map(({ role, text: content }) => ({ role, content })),
      { role: 'user', content: request.prompt },
    ];
    const usage = { ...cache.take(messages), completion: countTokens(text) };
    log.push({ purpose: request.purpose, node: request.node, ...usage });
    return { text, finish: 'stop', usage };
  };
  return { name: 'scripted/game24', label: 'Scripted Game of 24', free: false, generate, log };
}

function output(answer: unknown): string {
  return `<output>\n${JSON.stringify(answer)}\n</output>\n`;
}

function decomposition({ message }: DecomposeData): unknown {
  return game24.decomposition?.(message.payload.problem);
}

/** What the proposer says, and what it had in mind. */
export interface Proposal {
  readonly content: string;
  readonly aim: Next;
  readonly isWrong: boolean;
}

/** One answer of the proposer, in an order of its own. */
export function propose(numbers: Numbers, seed: number, key: string, time: number): Proposal[] {
  const figures = PROPOSED[numbers.length];
  if (!figures) return [];
  const draw = (...words: (string | number)[]): number => chance('propose', seed, key, time, ...words);
  const said = nextOf(numbers).flatMap((aim) => {
    const to = keyOf(aim.numbers);
    const often = canMake24(aim.numbers) ? figures.can : aim.isBroken ? figures.broken : figures.cannot;
    if (draw(to) >= often) return [];
    const times = draw(to, 'again') < (REPEATED[numbers.length] ?? 0) ? 2 : 1;
    return Array.from({ length: times }, (_, i) => {
      const isWrong = draw(to, 'wrong', i) < WRONG;
      const joining = pick(aim.joinings, draw(to, 'how', i));
      const others = nextOf(numbers).filter((next) => next !== aim);
      const content = say(joining, aim, isWrong ? pick(others, draw(to, 'claim', i)) : undefined);
      return { content, aim, isWrong, place: draw(to, 'place', i) };
    });
  });
  return said.sort((a, b) => a.place - b.place);
}

function pick<T>(from: readonly T[], drawn: number): T {
  return from[Math.floor(drawn * from.length)] as T;
}

/** Returns a step as it is said. A wrong one claims a result, or numbers left, that belong to another step. */
function say(joining: Joining, aim: Next, claimed: Next | undefined): string {
  if (!claimed) return stepText(joining, aim.numbers);
  const other = claimed.joinings.find(
    ({ first, second }) => equal(first, joining.first) && equal(second, joining.second),
  );
  return stepText({ ...joining, result: (other ?? joining).result }, claimed.numbers);
}

/** Returns one sample of the judge. */
export function judge(numbers: Numbers, seed: number, key: string, time: number): Verdict {
  const can = canMake24(numbers);
  if (numbers.length === 1 && can) return 'finished';
  const figures = JUDGE[numbers.length]?.[can ? 'can' : 'cannot'];
  if (!figures) return 'impossible';
  const drawn = chance('judge', seed, key, time);
  return drawn < figures.sure ? 'sure' : drawn < figures.sure + figures.likely ? 'likely' : 'impossible';
}
