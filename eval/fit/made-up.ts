// Makes questions from the comments of functions: node eval/fit/made-up.ts [--only NAME]... makes those of packages.json
// that are not in the cache folder yet, and prints how many there are.
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { archives, cacheFolder, fetched } from '../code-bases.ts';
import { makePackage, type Triple } from './made-package.ts';

/** Weights are fitted on the one half, and the other half tells how good they are. */
export type FitHalf = 'fitted' | 'held-out';

/** A package with its questions. */
export interface MadeUp {
  readonly name: string;
  readonly language: string;
  /** The package without the comments that the questions were made from: the workspace to ask. */
  readonly folder: string;
  readonly triples: readonly Triple[];
}

const CACHE = join(cacheFolder(), 'made-up');

/**
 * Returns the packages of a half with their questions, which are made first where they are missing; or only those
 * named.
 */
export async function madeUp(half: FitHalf, only: readonly string[] = []): Promise<MadeUp[]> {
  const recipe = await archives(join(import.meta.dirname, 'packages.json'), {
    half: z.enum(['fitted', 'held-out']),
  });
  const made: MadeUp[] = [];
  for (const { half: its, ...one } of recipe) {
    if (its !== half || (only.length > 0 && !only.includes(one.name))) continue;
    const folder = join(CACHE, one.name);
    const stamp = hash(`${programs()} ${JSON.stringify(one)}`);
    let triples = await readTriples(folder, stamp);
    if (!triples) {
      const published = await fetched(one, join(cacheFolder(), 'packages'));
      triples = await make(one.name, published, folder, stamp);
    }
    made.push({ name: one.name, language: one.language, folder, triples });
  }
  return made;
}

async function readTriples(folder: string, stamp: string): Promise<Triple[] | undefined> {
  try {
    const kept = JSON.parse(await readFile(`${folder}.json`, 'utf8')) as { stamp: string; triples: Triple[] };
    return kept.stamp === stamp ? kept.triples : undefined;
  } catch {
    return undefined; // never made, or not to its end
  }
}

async function make(name: string, published: string, folder: string, stamp: string): Promise<Triple[]> {
  await mkdir(CACHE, { recursive: true });
  const work = await mkdtemp(join(CACHE, '.making-'));
  const triples = await makePackage(name, published, work);
  await rm(folder, { recursive: true, force: true });
  await rename(work, folder);
  await writeFile(`${folder}.json`, JSON.stringify({ stamp, triples }, undefined, 1));
  return triples;
}

/** Returns what the questions are made by: when it changes, they are made anew. */
function programs(): string {
  const files = globSync('{made-package,comments,sentences}.ts', { cwd: import.meta.dirname }).sort();
  return hash(files.map((file) => readFileSync(join(import.meta.dirname, file), 'utf8')).join('\0'));
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { only: { type: 'string', multiple: true, default: [] } } });
  for (const half of ['fitted', 'held-out'] as const) {
    const packages = await madeUp(half, values.only);
    for (const { name, language, triples } of packages) {
      const maskedOnes = triples.filter((triple) => triple.masked).length;
      console.log(`${half}  ${name.padEnd(26)}${language.padEnd(12)}${triples.length} questions, ${maskedOnes} masked`);
    }
    const all = packages.reduce((sum, { triples }) => sum + triples.length, 0);
    console.log(`${half}: ${all} questions about ${packages.length} packages\n`);
  }
}
