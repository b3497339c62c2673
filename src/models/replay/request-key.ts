import { createHash } from 'node:crypto';
import type { ModelRequest, Turn } from '../../core/ports/model.ts';
import { MEANWHILE, WORKSPACE, withoutVarying } from '../../core/text/varying-parts.ts';

/** The parts that distinguish one request from another: its words, their purpose, and the results of tools. */
export type Words = Pick<ModelRequest, 'purpose' | 'system' | 'turns' | 'prompt' | 'toolResults' | 'toolsAreOver'>;

/**
 * The name of a request in a recording. Node, ids, dates and the maximum length of the answer are not part of it, so that
 * the same words find their answer in another search, under another strategy, on another day; nor is what the workspace is
 * just now, or what other branches have found by then.
 */
export function requestKey({ purpose, system, turns, prompt, toolResults, toolsAreOver = false }: Words): string {
  const said = turns.map(({ role, text, ...tools }) => [role, lasting(text), callsOf(tools), resultsOf(tools)]);
  const rules = withoutVarying(system, WORKSPACE);
  return hashOf(JSON.stringify([purpose, rules, said, lasting(prompt), resultsOf({ toolResults }), toolsAreOver]));
}

const lasting = (text: string): string => withoutVarying(text, MEANWHILE);

// The ids of uses are different every time.
function callsOf({ toolCalls = [] }: Pick<Turn, 'toolCalls'>): unknown {
  return toolCalls.map(({ name, input }) => [name, input]);
}

function resultsOf({ toolResults = [] }: { toolResults?: Turn['toolResults'] | undefined }): unknown {
  return toolResults.map(({ name, text }) => [name, text]);
}

/** A hash short enough to read, long enough to distinguish texts: 128 bits. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
