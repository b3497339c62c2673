import type { Server } from './server.ts';

/** The headers of every JSON request that is authorized by a bearer token. */
export function jsonHeaders({ apiKey }: Server): Record<string, string> {
  return { 'content-type': 'application/json', ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }) };
}
