import { realpath } from 'node:fs/promises';
import * as z from 'zod';
import { Limits } from '../../core/search/limits.ts';
import { SearchOptions } from '../../core/search/search-file.ts';
import { readSearchId } from '../../store/open-store.ts';
import { StateFolder } from './state-folder.ts';

/** The permissions that this user gave a search: what its own search.json may ask for. */
const Allowed = z.object({
  tools: z.boolean(),
  context: z.boolean(),
  concurrency: SearchOptions.shape.concurrency.unwrap(),
  /** Of the options that only cost more. */
  options: z.record(z.string(), z.number()),
});
export type Allowed = z.infer<typeof Allowed>;

const SearchUse = z.object({
  version: z.literal(1),
  /** Where the search was. */
  path: z.string(),
  model: z.string().optional(),
  judge: z.string().optional(),
  /** Of the model's server, as this user gave it; one that holds a secret is not remembered. */
  address: z.string().optional(),
  limits: Limits.optional(),
  spend: z.object({ calls: z.number(), tokens: z.number(), usd: z.number(), minutes: z.number() }).optional(),
  allowed: Allowed.optional(),
  /** The hash of the beginning of its requests. */
  system: z.string().optional(),
});

/** This user's use of a search, in `searches/<id>.json` of their state folder. */
export type SearchUse = z.infer<typeof SearchUse>;

/** The use that is remembered of a search. */
export interface Recalled {
  /** Undefined if it has none yet. */
  readonly id: string | undefined;
  /** Their use of it where it is. */
  readonly here: SearchUse | undefined;
  /** Their use of it in another place: it was moved, or copied. */
  readonly elsewhere: SearchUse | undefined;
}

/** Looks up what this user did with the search in a folder. */
export async function recallUse(folder: string): Promise<Recalled> {
  const id = await readSearchId(folder);
  const use = id === undefined ? undefined : readUse(id);
  const isHere = use !== undefined && use.path === (await realPath(folder));
  return { id, here: isHere ? use : undefined, elsewhere: isHere ? undefined : use };
}

/** The address that this user gave for a model of the search in a folder, if there is one already; the folder may be missing. */
export async function rememberedAddress(folder: string, model: string): Promise<string | undefined> {
  const { here } = await recallUse(folder);
  return here?.model === model ? here.address : undefined;
}

function readUse(id: string): SearchUse | undefined {
  const text = StateFolder.open()?.read(fileOf(id));
  if (text === undefined) return undefined;
  try {
    return SearchUse.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** Remembers it; where that is impossible, the search counts as never used. */
export function writeUse(id: string, use: SearchUse): void {
  StateFolder.open()?.write(fileOf(id), `${JSON.stringify(use, null, 2)}\n`);
}

/** Returns one path for a folder, however it was typed. */
export async function realPath(folder: string): Promise<string> {
  return await realpath(folder).catch(() => folder);
}

function fileOf(id: string): string {
  return `searches/${id}.json`;
}
