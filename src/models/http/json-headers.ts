import type { Server } from './server.ts';

/** What every JSON request carries that proves itself with a bearer token. */
export function jsonHeaders({ apiKey }: Server): Record<string, string> {
  return { 'content-type': 'application/json', ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }) };
}
