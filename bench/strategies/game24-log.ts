import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import * as z from 'zod';
import { foreign } from '../../src/core/messages/message.ts';
import type { Model, PromptData } from '../../src/core/ports/model.ts';
import { ThoughtTreeError } from '../../src/core/search/errors.ts';
import { findingsIn } from '../../src/core/search/record/search-state.ts';
import { openHeldSearch } from '../../src/engine-parts/opening/open-held-search.ts';
import { KINDS } from '../../src/kinds/kinds.ts';
import { thoughtAnswers } from '../../src/kinds/thoughts/prompts/recorded-answers.ts';
import { factsOf, STRATEGY_NAMES, type StrategyName } from '../../src/kinds/thoughts/strategy/strategies.ts';
import { game24 } from '../../src/kinds/thoughts/tasks/game24.ts';
import { createMemoryStore } from '../../test/support/memory-store.ts';
import { thoughtData } from '../../test/support/searches/thought-data.ts';
import { seededRandom, VirtualClock } from '../../test/support/virtual-clock.ts';
import type { Figure, PartOptions } from '../harness/figure.ts';
import { isAnswer } from '../thoughts/thoughts-run.ts';

const Log = z.array(
  z.object({
    steps: z.array(
      z.object({ x: z.string(), ys: z.array(z.string()), new_ys: z.array(z.string()), values: z.array(z.number()) }),
    ),
    infos: z.array(z.object({ r: z.number() })),
  }),
);
type Puzzle = z.infer<typeof Log>[number];

/** The steps that a puzzle takes: what the log has behind them are answers in another form. */
const STEPS = 3;
/** What the original adds up for a sample that says sure, likely or impossible. */
const SURE = 20;
const LIKELY = 1;
const IMPOSSIBLE = 0.001;
/** The scores that the task's own words give them. */
const SCORES = { sure: 9, likely: 6, impossible: 1.5 };

/**
 * The Game of 24 on GPT-4's log: what it holds at all, then each strategy with the recorded judge, which is asked about thoughts by
 * what they leave. A request is one list of proposals, or one judgement of a thought, which is the sum of three samples.
 */
export async function game24Log({ data, say, quick }: PartOptions): Promise<Figure[]> {
  const file = join(data ?? '', 'tree-of-thoughts', 'game24-gpt4-log.json.gz');
  if (data === undefined || !existsSync(file)) {
    say("GPT-4's log is left out: --data FOLDER names none with tree-of-thoughts/game24-gpt4-log.json.gz");
    return [];
  }
  const all = Log.parse(JSON.parse(gunzipSync(readFileSync(file), { maxOutputLength: 100_000_000 }).toString('utf8')));
  const log = quick ? all.slice(0, 20) : all;
  const part = 'strategies';
  const walked = log.map(walk);
  const requests = walked.map((each) => each.requests);
  const original = log.filter(({ infos }) => infos.some(({ r }) => r === 1)).length;
  const originals = mean(log.map(originalRequests));
  const figures: Figure[] = [
    {
      part,
      what: "GPT-4's log: puzzles with a legal chain to 24",
      value: walked.filter(({ isSolved }) => isSolved).length,
      unit: '',
      ...(quick ? {} : { target: { atLeast: 74 } }),
      note: `of ${log.length}; the most that any strategy can solve on it; the original solves ${original} at ${originals.toFixed(0)} requests`,
    },
    {
      part,
      what: "GPT-4's log: requests a puzzle, all that it holds by the checker alone",
      value: mean(requests),
      unit: '',
      ...(quick ? {} : { target: { atMost: 8.15 } }),
      note: `at most ${Math.max(...requests)}; no judge`,
    },
  ];
  const answers = log.map(answersOf);
  // The log has steps; whole drafts are no answers to any of them.
  for (const strategy of STRATEGY_NAMES.filter((name) => !factsOf(name).writesDrafts)) {
    say(`GPT-4's log: ${strategy}`);
    const runs: Run[] = [];
    const goingOn: Run[] = [];
    for (const [at, { steps }] of log.entries()) {
      const said = answers[at] ?? new Map();
      runs.push(await run(steps[0]?.x ?? '', said, strategy, true));
      goingOn.push(await run(steps[0]?.x ?? '', said, strategy, false));
    }
    const unasked = runs.filter(({ isUnasked }) => isUnasked).length;
    const proposals = mean(runs.map((each) => each.proposals));
    figures.push(
      {
        part,
        what: `GPT-4's log, ${strategy}: solved`,
        value: countSolved(runs),
        unit: '',
        note: `of ${log.length}; ${unasked} ended at a question that the log has no answer to; ${countSolved(goingOn)} solved by ${mean(goingOn.map(requestsOf)).toFixed(1)} requests where such a state is a dead end instead; original ${original}`,
      },
      {
        part,
        what: `GPT-4's log, ${strategy}: requests a puzzle`,
        value: mean(runs.map(requestsOf)),
        unit: '',
        note: `${proposals.toFixed(1)} proposals; the rest are judgements, each the sum of three samples; original ${originals.toFixed(0)}`,
      },
    );
  }
  return figures;
}

/** Returns the steps of a path; remarks behind them, as in "(repeated)", are left out. */
function linesOf(text: string): string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => line.replace(/(?<=\))\s*\([a-z ]+\)\s*$/i, ''));
}

/** Returns the state after steps that are all right; undefined if one of them is wrong. */
function stateOf(problem: string, lines: readonly string[]): string | undefined {
  return game24.state?.({ problem, thoughts: lines.map((content) => ({ content })) });
}

/** Returns the proposals of each list that was asked for, by the steps before it. */
function listsOf({ steps }: Puzzle): { readonly path: readonly string[]; readonly next: readonly string[] }[] {
  return steps.slice(0, STEPS).flatMap(({ ys, new_ys: proposed }) =>
    ys.map((text) => {
      const path = linesOf(text);
      const own = proposed.filter((each) => each.startsWith(text) && linesOf(each).length === path.length + 1);
      return { path, next: own.flatMap((each) => linesOf(each).slice(path.length)) };
    }),
  );
}

/** Asks for all lists that the log holds, in its order, those behind wrong steps too, until right steps end at 24. */
function walk(puzzle: Puzzle): { readonly isSolved: boolean; readonly requests: number } {
  const problem = puzzle.steps[0]?.x ?? '';
  let requests = 0;
  for (const { path, next } of listsOf(puzzle)) {
    requests++;
    for (const line of next) {
      const lines = [...path, line];
      const thoughts = lines.map((content) => ({ content }));
      if (stateOf(problem, lines) !== undefined && game24.solved?.({ problem, thoughts }, AbortSignal.abort()) === true)
        return { isSolved: true, requests };
    }
  }
  return { isSolved: false, requests };
}

/**
 * Returns as many as the original made: a list for each state that it kept, a value for each set of numbers left that
 * it had not judged.
 */
function originalRequests({ steps }: Puzzle): number {
  const judged = steps.flatMap(({ new_ys: proposed }) =>
    proposed.map((text) => /left: ([^)]*)/.exec(linesOf(text).at(-1) ?? '')?.[1] ?? text),
  );
  return steps.reduce((sum, { ys }) => sum + ys.length, new Set(judged).size);
}

type Said = ReadonlyMap<string, readonly string[]>;

/** Returns what the log says, by what it is about: as the product's own recordings have it. */
function answersOf(puzzle: Puzzle): Said {
  const question = puzzle.steps[0]?.x ?? '';
  const said = new Map<string, string[]>();
  const keep = (data: object, answer: unknown): void => {
    const text = `<output>\n${JSON.stringify(answer)}\n</output>`;
    for (const { about, said: what } of thoughtAnswers.says(data as PromptData, text))
      said.set(about, [...(said.get(about) ?? []), what]);
  };
  const pathData = (lines: readonly string[]): object => ({
    state: lines.length > 0 ? stateOf(question, lines) : undefined,
    steps: lines.map((content) => ({ content })),
  });
  for (const { path, next } of listsOf(puzzle)) {
    if (path.length > 0 && stateOf(question, path) === undefined) continue;
    const thoughts = next.map((content) => ({ content }));
    keep({ purpose: 'generate', question, path: pathData(path), isWhole: false, sources: [] }, thoughts);
  }
  for (const { new_ys: proposed, values } of puzzle.steps.slice(0, STEPS))
    for (const [at, text] of proposed.entries()) {
      const lines = linesOf(text);
      const state = stateOf(question, lines);
      // What it proposed twice it judged once: the second value is 0.
      if (state === undefined || !values[at]) continue;
      const candidate = { id: 'x', parent_id: 'p', content: lines.at(-1) ?? '' };
      const payload = { candidates: [candidate], evaluation_strategy: 'independent_scoring' };
      const plan = { decomposition: game24.decomposition?.(question) };
      const paths = { p: pathData(lines.slice(0, -1)) };
      const asked = {
        purpose: 'evaluate',
        question,
        message: { payload },
        plan,
        paths,
        states: [state],
        isVerdict: false,
      };
      keep(asked, { evaluations: [{ id: 'x', score: scoreOf(values[at] ?? 0) }] });
    }
  return said;
}

/** Returns the mean score of the samples that a value is the sum of. */
function scoreOf(value: number): number {
  const sure = Math.floor(value / SURE + 1e-6);
  const likely = Math.floor((value - sure * SURE) / LIKELY + 1e-6);
  const impossible = Math.round((value - sure * SURE - likely * LIKELY) / IMPOSSIBLE);
  const sum = sure * SCORES.sure + likely * SCORES.likely + impossible * SCORES.impossible;
  return sum / Math.max(1, sure + likely + impossible);
}

interface Run {
  readonly isSolved: boolean;
  readonly isUnasked: boolean;
  readonly proposals: number;
  readonly judgements: number;
}

function requestsOf({ proposals, judgements }: Run): number {
  return proposals + judgements;
}

function countSolved(runs: readonly Run[]): number {
  return runs.filter(({ isSolved }) => isSolved).length;
}

/**
 * One search with the recorded answers: one slot, one try at a node, all that was proposed.
 * @param ends whether it ends, unsolved, at the first question that the log has no answer to; else that node fails
 */
async function run(problem: string, said: Said, strategy: StrategyName, ends: boolean): Promise<Run> {
  const made = { isUnasked: false, proposals: 0, judgements: 0 };
  const model: Model = {
    name: 'recorded/gpt-4',
    label: "GPT-4's log",
    free: true,
    async generate({ data }) {
      const text = thoughtAnswers.answer(data, (about) => said.get(about) ?? []);
      if (typeof text !== 'string') {
        made.isUnasked = true;
        if (ends) search.pause(true);
        throw new ThoughtTreeError('not-found', text ?? foreign({ text: 'It is not in the log.' }), { charged: false });
      }
      const asked = thoughtData(data);
      if (asked.purpose === 'generate') made.proposals++;
      else if (asked.purpose === 'evaluate') made.judgements += asked.message.payload.candidates.length;
      return { text, finish: 'stop', usage: { prompt: 0, cached: 0, completion: 0 } };
    },
  };
  const options = { task: 'game24', samples: 1, candidates: 50, beam: 5, tries: 1 };
  const search = await openHeldSearch({
    kinds: KINDS,
    store: createMemoryStore({ version: 1, kind: 'thoughts', title: problem, prompt: problem, strategy, options }),
    model,
    clock: new VirtualClock(),
    random: seededRandom(1),
    folder: 'thought-trees/puzzle',
    concurrency: 1,
    limits: { size: 'all', guards: { calls: 1000 } },
  });
  await search.run();
  const found = findingsIn(search.results, 'thoughts');
  await search.close();
  const isEnded = ends && made.isUnasked;
  return { ...made, isSolved: !isEnded && found?.solved === true && isAnswer(found.answer, problem) };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
