import { createHash } from 'node:crypto';
import type { ModelRequest, Turn } from '../../core/ports/model.ts';

/** What makes one request another one than the next: its words, what they are for, and what tools gave. */
export type Words = Pick<ModelRequest, 'purpose' | 'system' | 'turns' | 'prompt' | 'toolResults' | 'toolsAreOver'>;

/**
 * The name of a request in a recording. Node, ids, dates and the longest answer allowed are no part of it, so that the
 * same words find their answer in another search, under another strategy, on another day.
 */
export function requestKey({ purpose, system, turns, prompt, toolResults, toolsAreOver = false }: Words): string {
  const said = turns.map(({ role, text, ...tools }) => [role, text, callsOf(tools), resultsOf(tools)]);
  return hashOf(JSON.stringify([purpose, system, said, prompt, resultsOf({ toolResults }), toolsAreOver]));
}

// The ids of uses are made anew every time.
function callsOf({ toolCalls = [] }: Pick<Turn, 'toolCalls'>): unknown {
  return toolCalls.map(({ name, input }) => [name, input]);
}

function resultsOf({ toolResults = [] }: { toolResults?: Turn['toolResults'] | undefined }): unknown {
  return toolResults.map(({ name, text }) => [name, text]);
}

/** A hash short enough to read, long enough to tell texts apart: 128 bits. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
