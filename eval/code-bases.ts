import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';

const run = promisify(execFile);

const HALVES = ['tuning', 'held-out'] as const;
const NAME = /^[a-z0-9][a-z0-9.-]{0,63}$/;
/** A folder inside an archive. */
const INSIDE = /^(?!.*\.\.)[\w.@+~-][\w.@+~/-]{0,299}$/;

const archive = z.strictObject({
  name: z.string().regex(NAME),
  language: z.string().min(1).max(40),
  from: z.enum(['npm', 'debian']),
  package: z.string().regex(/^(@[a-z0-9~-][\w.~-]*\/)?[a-z0-9~][\w.+~-]{0,199}$/),
  version: z.string().regex(/^[\w.+~:-]{1,100}$/),
  /** Of the archive as it comes. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** The folder inside the archive that is the code base. */
  root: z.string().regex(INSIDE).default('package'),
});
const codeBase = archive.extend({ half: z.enum(HALVES) });

/** A package of a registry, pinned. */
export type Archive = z.infer<typeof archive>;
/** A package that questions are about. */
export type CodeBase = z.infer<typeof codeBase>;
/** Questions are tried on the one half, and the other half tells whether that was right. */
export type Half = (typeof HALVES)[number];

/** Returns the code bases of the evaluation. */
export async function codeBases(): Promise<CodeBase[]> {
  return z.array(codeBase).parse(await readJson(join(import.meta.dirname, 'code-bases.json')));
}

/** The pinned packages that a file lists; each may have more fields, given by `more`. */
export async function archives<More extends z.ZodRawShape>(path: string, more: More) {
  return z.array(archive.extend(more)).parse(await readJson(path));
}

/** Returns the folder that everything fetched or made for the evaluation is kept in; safe to delete. */
export function cacheFolder(): string {
  return join(homedir(), '.cache', 'thought-tree', 'eval');
}

/**
 * The folder of a package, which is fetched and unpacked first if it is not there.
 * @throws Error if the archive is not the pinned one
 */
export async function fetched(one: Archive, cache = cacheFolder()): Promise<string> {
  const place = join(cache, one.name);
  const mark = `${place}.sha256`;
  if (existsSync(place) && existsSync(mark) && (await readFile(mark, 'utf8')) === one.sha256) return place;
  await mkdir(cache, { recursive: true });
  const work = await mkdtemp(join(cache, '.fetching-'));
  try {
    const file = await download(one, work);
    const sha256 = createHash('sha256')
      .update(await readFile(file))
      .digest('hex');
    if (sha256 !== one.sha256) throw new Error(`${one.name} is not the pinned archive: its sha256 is ${sha256}`);
    const inside = join(work, 'unpacked');
    await mkdir(inside);
    if (one.from === 'npm') await run('tar', ['-xzf', file, '-C', inside, '--no-same-owner']);
    else await run('dpkg-deb', ['-x', file, inside]);
    await rm(place, { recursive: true, force: true });
    await rename(join(inside, one.root), place);
    await writeFile(mark, one.sha256);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  return place;
}

async function download(one: Archive, folder: string): Promise<string> {
  const into = join(folder, 'archive');
  await mkdir(into);
  if (one.from === 'npm')
    await run('npm', ['pack', `${one.package}@${one.version}`, '--ignore-scripts', '--pack-destination', into], {
      cwd: folder,
    });
  else await run('apt-get', ['download', '-q', `${one.package}=${one.version}`], { cwd: into });
  const [file] = await readdir(into);
  if (file === undefined) throw new Error(`${one.package} ${one.version} could not be fetched`);
  return join(into, file);
}

async function readJson(path: string): Promise<unknown> {
  return JSON.parse(await readFile(path, 'utf8'));
}
