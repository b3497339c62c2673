import * as z from 'zod';
import { askJson } from '../http/ask-json.ts';
import { jsonHeaders } from '../http/json-headers.ts';
import type { Server } from '../http/server.ts';

const SHORT_MS = 2000;

const Shown = z.object({ model_info: z.record(z.string(), z.unknown()) });
const Length = z.int().positive();

/** The longest prompt plus answer that a model was made for, in tokens; undefined if the server does not say. */
export async function askContextLength(
  server: Server,
  model: string,
  signal?: AbortSignal,
): Promise<number | undefined> {
  const question = { path: '/api/show', headers: jsonHeaders(server), body: { model }, timeoutMs: SHORT_MS, signal };
  // Whatever is wrong, the request itself will report it better.
  const body = await askJson(server, question).catch(() => undefined);
  const { data } = Shown.safeParse(body);
  if (!data) return undefined;
  // Its key begins with the model's architecture, as in `llama.context_length`.
  const architecture = String(data.model_info['general.architecture']);
  return Length.safeParse(data.model_info[`${architecture}.context_length`]).data;
}
