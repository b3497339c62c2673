import { realpath } from 'node:fs/promises';
import { basename } from 'node:path';
import * as z from 'zod';
import { MOST_MEMBERS, ModelWorth, sumOfWorth } from '../../core/money/several-models.ts';
import { Limits } from '../../core/search/limits.ts';
import { SearchOptions } from '../../core/search/search-file.ts';
import { JournalSeal } from '../../store/journal/journal-seal.ts';
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

/** The most models that are remembered of one search. */
export const MOST_USED = 64;

const SearchUse = z.object({
  version: z.literal(1),
  /** Where the search was. */
  path: z.string(),
  model: z.string().optional(),
  judge: z.string().optional(),
  /** All that ever shared its work, each with the most that it might spend: `NAME`, or `NAME=0.5`. */
  models: z.array(z.string().max(320)).max(MOST_USED).optional(),
  /** The worth of each of these, in a search that this user began. */
  worth: z.array(ModelWorth).max(MOST_MEMBERS).optional(),
  isBegun: z.boolean().optional(),
  /** What earlier searches told of these when it began, as its search.json said then. */
  before: z.string().max(10_000).optional(),
  /** Of the model's server, as this user gave it; one that holds a secret is not remembered. */
  address: z.string().optional(),
  limits: Limits.optional(),
  spend: z.object({ calls: z.number(), tokens: z.number(), usd: z.number(), minutes: z.number() }).optional(),
  allowed: Allowed.optional(),
  /** The hash of the beginning of its requests. */
  system: z.string().optional(),
  /**
   * The journal as it was when it was last closed: just that is this user's own. Where it is open, in a run or after a kill, more may
   * follow. Without it, as an earlier version left it, the journal of whatever has the id is believed.
   */
  sealed: JournalSeal.extend({ isOpen: z.boolean() }).optional().catch(undefined),
});

/** No part of a journal. */
export const NOTHING = { bytes: 0, seal: '' };

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
  const isHere = use?.path === (await realPath(folder)) && !isUnadopted(use);
  return { id, here: isHere ? use : undefined, elsewhere: isHere ? undefined : use };
}

/** Tells whether a search was to be adopted with this user's limits and spend, but could not be opened. */
export function isUnadopted({ sealed }: SearchUse): boolean {
  return sealed?.bytes === 0 && !sealed.isOpen;
}

/**
 * Returns the address that this user gave for a model of the search in a folder, if there is one already; the folder
 * may be missing.
 */
export async function rememberedAddress(folder: string, model: string): Promise<string | undefined> {
  const { here } = await recallUse(folder);
  return here?.model === model ? here.address : undefined;
}

/** As many searches of this user, the latest, tell what models were worth. */
const MOST_TOLD = 200;

/** Returns what models were worth in the searches that this user began, as their state folder says and no other. */
export function earlierWorth(names: readonly string[]): ModelWorth[] {
  const files = StateFolder.open()?.latestIn('searches', MOST_TOLD) ?? [];
  const told = files.flatMap((file) => readUse(basename(file, '.json'))?.worth ?? []);
  return sumOfWorth(told.filter(({ model }) => names.includes(model)));
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

/** Remembers it; where that is impossible, the search counts as unused. */
export function writeUse(id: string, use: SearchUse, flush = false): void {
  StateFolder.open()?.write(fileOf(id), `${JSON.stringify(use, null, 2)}\n`, flush);
}

/** Forgets the use of a search that is no more. */
export function forgetUse(id: string): void {
  StateFolder.open()?.remove(fileOf(id));
}

/** Returns one path for a folder, however it was typed. */
export async function realPath(folder: string): Promise<string> {
  return await realpath(folder).catch(() => folder);
}

function fileOf(id: string): string {
  return `searches/${id}.json`;
}
