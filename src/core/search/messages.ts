import { type Entry, message } from '../messages/message.ts';
import type { SearchState } from './record/search-state.ts';

/** The names of a search's states, wherever they are shown. */
export const stateWords: Readonly<Record<SearchState, Entry<object>>> = {
  running: message('search.state.running', 'running'),
  waiting: message('search.state.waiting', 'waiting'),
  paused: message('search.state.paused', 'paused'),
  interrupted: message('search.state.interrupted', 'interrupted'),
  finished: message('search.state.finished', 'finished'),
};
