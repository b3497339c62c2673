import { counted, type Entry, type Message, message } from '../messages/message.ts';
import type { SpendLimit } from './limits.ts';
import type { LimitReached, SearchState } from './record/search-state.ts';

/** The names of a search's states, wherever they are shown. */
export const stateWords: Readonly<Record<SearchState, Entry<object>>> = {
  running: message('search.state.running', 'running'),
  waiting: message('search.state.waiting', 'waiting'),
  paused: message('search.state.paused', 'paused'),
  interrupted: message('search.state.interrupted', 'interrupted'),
  finished: message('search.state.finished', 'finished'),
};

/** The spend limit that a search rests at. */
export const limitWords: Readonly<Record<SpendLimit, Entry<{ readonly limit: number }>>> = {
  calls: message('search.limit.calls', 'limit of {limit:number} calls reached'),
  tokens: message('search.limit.tokens', 'the next call could exceed the limit of {limit:number} tokens'),
  usd: message('search.limit.usd', 'the next call could exceed the limit of {limit:exactUsd}'),
  minutes: message('search.limit.minutes', 'limit of {limit:number} minutes reached'),
};

/** A button that raises it, and continues. */
export const raiseWords: Readonly<Record<SpendLimit, Entry<{ readonly limit: number }>>> = {
  calls: message('search.raise.calls', 'Raise to {limit:number} Calls and Continue'),
  tokens: message('search.raise.tokens', 'Raise to {limit:number} Tokens and Continue'),
  usd: message('search.raise.usd', 'Raise to {limit:exactUsd} and Continue'),
  minutes: message('search.raise.minutes', 'Raise to {limit:number} Minutes and Continue'),
};

/** A search, as far as its state is told. */
interface Stated {
  readonly state: SearchState;
  /** Its progress, where somebody outside leads it. */
  readonly led?: { readonly say: Message } | undefined;
}

/** Returns the progress of a search that somebody outside leads, until it has ended; undefined for any other. */
export function ledWords({ state, led }: Stated): Message | undefined {
  return state === 'finished' ? undefined : led?.say;
}

/** Returns the state of a search, or its progress where somebody outside leads it. */
export function stateOf(search: Stated): Message {
  return ledWords(search) ?? stateWords[search.state]();
}

/** Describes a search in a few words: the limit that it rests at, else its state. */
export function standingWords(search: Stated, reached: LimitReached | undefined): Message {
  return reached && search.state === 'paused' ? limitWords[reached.guard]({ limit: reached.limit }) : stateOf(search);
}

/** Why a search is interrupted: nobody was left to say it. */
export const endedUnderWay = message('search.ended-under-way', 'What ran it ended before it was done.');
export const notRunHere = message('search.not-run-here', 'It was not run here yet.');

/** Notes on what was written below a document before a person edited that. */
export const olderBelow = counted(
  'search.older-below',
  '1 document below "{title}" is older than your text of it, and rests on the one before.',
  '{count:number} documents below "{title}" are older than your text of it, and rest on the one before.',
);
