import type { ModelAnswer, ModelRequest, Purpose, Turn } from '../../core/ports/model.ts';
import type { Clock } from '../../core/ports/ports.ts';
import type { Store } from '../../core/ports/store.ts';
import { wordsOf } from '../../core/ports/tool-turns.ts';
import { isThoughtTreeError, ThoughtTreeError, toThoughtTreeError } from '../../core/search/errors.ts';
import type { Answered, ModelCaller } from './model-caller.ts';
import type { Patience } from './patience.ts';
import { nextRound, rejectStopped, type ToolUser, turnsAsked } from './tool-rounds.ts';

/** Tries of one request before its node fails; those that only wait for the model are not counted. */
const ATTEMPTS = 5;
/** What conversations hold, so that its words need not be kept a second time. */
const IN_CONVERSATIONS: ReadonlySet<Purpose> = new Set<Purpose>(['document', 'children']);
/** How often a wrong answer goes back with what was wrong. */
const CORRECTIONS = 2;
/** Tries before a model that was never reached is given up. */
const FIRST_TRIES = 3;

export interface Asker {
  readonly caller: ModelCaller;
  readonly patience: Patience;
  readonly clock: Clock;
  readonly store: Pick<Store, 'writeCall'>;
  /** What models with `tools` may use; missing where the search gives them none. */
  readonly tools?: ToolUser | undefined;
}

/** The uses of tools on the way to an answer, as turns; grows as they are done. */
export interface Rounds {
  turns: readonly Turn[];
  /** Keeps them, so that they need not be paid for again. */
  readonly keep?: (turns: readonly Turn[]) => Promise<void>;
  /** How many calls were made before for the same answer; none unless told. */
  readonly made?: number;
}

/** A model's answer beside what a check made of it. */
export interface Checked<T> {
  readonly answer: ModelAnswer;
  readonly value: T;
  /** What the answer was given to, corrections and uses of tools included. */
  readonly request: ModelRequest;
  /** The call that brought it, and how many were made on the way. */
  readonly call: string;
  readonly made: number;
}

interface Attempts {
  made: number;
  /** The call that was begun last, as long as it has no answer. */
  unanswered?: string | undefined;
}

/**
 * Asks until the answer passes its check: failures of the way are tried again with growing waits, a wrong answer goes
 * back with what was wrong with it. The correction turns are not part of the result.
 * @param check throws ThoughtTreeError `bad-answer` with words for the model
 * @param isShortened whether the turns are not those of the conversations, so that the words are kept by themselves
 * @param rounds the uses of tools that the request has been through
 */
export async function askModel<T>(
  asker: Asker,
  request: ModelRequest,
  check: (answer: ModelAnswer) => T,
  signal: AbortSignal,
  isShortened = false,
  rounds: Rounds = { turns: [] },
): Promise<Checked<T>> {
  const attempts: Attempts = { made: rounds.made ?? 0 };
  const isKept = IN_CONVERSATIONS.has(request.purpose) && !isShortened;
  let asked = request;
  for (let correction = 0; ; correction++) {
    const { call, answer, last } = await answerInWords(asker, asked, attempts, signal, rounds);
    asked = last;
    const checked = attempt(() => {
      rejectIncomplete(answer);
      return check(answer);
    });
    // A conversation keeps neither corrections nor what stands outside of it, nor what was sent in its place.
    if (correction > 0 || checked.error || !isKept) await recordCall(asker, call, asked, answer.text);
    if (!checked.error) return { answer, value: checked.value as T, request: asked, call, made: attempts.made };
    if (!isThoughtTreeError(checked.error, 'bad-answer') || correction === CORRECTIONS) throw checked.error;
    asked = corrected(asked, answer, checked.error.message);
  }
}

function attempt<T>(work: () => T): { value?: T; error?: unknown } {
  try {
    return { value: work() };
  } catch (error) {
    return { error: error ?? new ThoughtTreeError('internal', 'An unknown error.') };
  }
}

/** Keeps the words of a call that no conversation holds. */
export async function recordCall({ store }: Asker, id: string, request: ModelRequest, answer: string): Promise<void> {
  const { system, turns, prompt, toolResults } = request;
  await store.writeCall({
    id,
    system,
    turns: turns.map((turn) => ({ role: turn.role, text: wordsOf(turn) })),
    prompt: wordsOf({ text: prompt, toolResults }),
    answer,
  });
}

function rejectIncomplete(answer: ModelAnswer): void {
  if (answer.finish === 'tools')
    throw new ThoughtTreeError('bad-answer', 'No tool can be used any more. Answer in words.');
  if (answer.finish === 'length')
    throw new ThoughtTreeError('bad-answer', 'The answer was cut off because it was too long. Give a shorter one.');
  if (answer.finish === 'refused')
    throw new ThoughtTreeError('bad-answer', 'The model refused to answer. Answer as far as the rules allow.');
}

/** A request that sends a wrong answer back, with what was wrong with it. */
export function corrected(request: ModelRequest, answer: ModelAnswer, wrong: string): ModelRequest {
  const { session, text } = answer;
  const turn: Turn = { role: 'assistant', text: text || '(nothing)', ...(session === undefined ? {} : { session }) };
  const prompt = `That answer cannot be used: ${wrong}\nGive the whole answer again, with this put right.`;
  const { toolResults: _, ...rest } = request;
  return { ...rest, turns: [...turnsAsked(request), turn], prompt };
}

/** Asks until the answer is one in words: what comes of a use of tools is brought to the model by a further call. */
async function answerInWords(
  asker: Asker,
  request: ModelRequest,
  attempts: Attempts,
  signal: AbortSignal,
  rounds: Rounds,
): Promise<Answered & { last: ModelRequest }> {
  for (let last = request; ; ) {
    const answered = await callOrKeep(asker, last, attempts, signal);
    if (answered.answer.finish !== 'tools' || !asker.tools || last.toolsAreOver) return { ...answered, last };
    const done = rounds.turns.filter(({ toolCalls }) => toolCalls).length;
    last = await nextRound(asker.tools, last, answered, done, signal);
    rejectStopped(signal);
    rounds.turns = [...rounds.turns, ...turnsAsked(last).slice(-2)];
    await rounds.keep?.(rounds.turns);
  }
}

/** Where no answer comes, what was sent in vain is kept if it can be: it says best why. */
async function callOrKeep(
  asker: Asker,
  request: ModelRequest,
  attempts: Attempts,
  signal: AbortSignal,
): Promise<Answered> {
  try {
    return await callPersistently(asker, request, attempts, signal);
  } catch (error) {
    if (attempts.unanswered !== undefined)
      await recordCall(asker, attempts.unanswered, request, '').catch(() => undefined);
    throw error;
  }
}

async function callPersistently(
  { caller, patience, clock }: Asker,
  request: ModelRequest,
  attempts: Attempts,
  signal: AbortSignal,
): Promise<Answered> {
  for (let failures = 0, unreached = 0; ; ) {
    await patience.ready(signal);
    try {
      const answered = await caller.call(request, ++attempts.made, signal, (call) => {
        attempts.unanswered = call;
      });
      attempts.unanswered = undefined;
      patience.succeed();
      return answered;
    } catch (error) {
      const { reason, message, details } = toThoughtTreeError(error);
      if (reason === 'unreachable') {
        if (!patience.reached && ++unreached >= FIRST_TRIES) throw error;
        patience.wait(reason, message, undefined);
      } else if (reason === 'rate-limited') {
        patience.hear();
        patience.wait(reason, message, details.retryAfterMs);
      } else if (RETRIED.has(reason)) {
        if (reason !== 'timed-out') patience.hear();
        if (++failures >= ATTEMPTS) throw error;
        await clock.sleep(Math.max(details.retryAfterMs ?? 0, patience.backoff(failures)), signal);
      } else throw error;
    }
  }
}

const RETRIED = new Set(['bad-answer', 'server-error', 'timed-out', 'cut-off', 'refused', 'internal']);
