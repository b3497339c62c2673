import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fetched } from '../../eval/code-bases.ts';
import type { Figure, Part } from '../harness/figure.ts';
import { inChild } from '../harness/in-child.ts';
import { fill } from './indexing.ts';

const MB = 1024 * 1024;
const QUESTION = 'How does it restart an app that keeps crashing?';

/** 229 files, 1 MB, some of them shell scripts. */
const PM2 = {
  name: 'pm2-7.0.4',
  language: 'JavaScript',
  from: 'npm',
  package: 'pm2',
  version: '7.0.4',
  sha256: '5efd8e2c586d7fc1e878d4d0742e2c0aae76c68814308c4b9c08cab25ef24894',
  root: 'package',
} as const;

interface Case {
  readonly what: string;
  readonly atMost: number;
  /** Makes the folder, and says what is in it; undefined if it is there. */
  readonly folder: (place: string) => Promise<{ readonly folder: string; readonly note: string }>;
}

const CASES: readonly Case[] = [
  {
    what: 'one shell script',
    atMost: 300,
    folder: async (place) => {
      writeFileSync(join(place, 'a.sh'), '#!/bin/sh\nset -e\nhello() {\n  echo "hello"\n}\nhello\n');
      return { folder: place, note: '' };
    },
  },
  { what: 'pm2 7.0.4', atMost: 300, folder: async () => ({ folder: await fetched(PM2), note: '229 files, 1 MB' }) },
  {
    what: '60,000 files',
    atMost: 450,
    folder: async (place) => {
      const { files, places } = fill(place, 60_000);
      return { folder: place, note: `${files.toLocaleString('en')} from ${places.join(', ')}` };
    },
  },
];

/** Returns how much memory the first question about a folder takes, with nothing kept, and its whole first level. */
export const indexingMemory: Part = async ({ quick, say }) => {
  const figures: Figure[] = [];
  for (const { what, atMost, folder: make } of quick ? CASES.slice(0, 2) : CASES) {
    const place = mkdtempSync(join(tmpdir(), 'indexing-memory-'));
    try {
      mkdirSync(join(place, 'code'));
      const { folder, note } = await make(join(place, 'code'));
      const memory = await memoryOf(folder, join(place, 'cache'));
      say(`${what}: ${memory.toFixed(0)} MB`);
      figures.push({
        part: 'indexing-memory',
        what: `most memory to index ${what}`,
        value: memory,
        unit: 'MB',
        target: { atMost },
        note,
      });
    } finally {
      rmSync(place, { recursive: true, force: true });
    }
  }
  return figures;
};

/** Returns what a process and those that it starts have at most together to answer one question, in MB. */
export async function memoryOf(folder: string, cache: string): Promise<number> {
  process.env['THOUGHT_TREE_CACHE'] = cache;
  const asked = await inChild<{ memory: number }>(new URL('indexing-child.mjs', import.meta.url), folder, QUESTION);
  return asked.memory / MB;
}
