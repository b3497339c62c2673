import fs from 'node:fs';
import ignore, { type Ignore } from 'ignore';
import { readBounded } from './read-bounded.ts';
import type { SkippedPath } from './skipped.ts';

/** Rules longer than this are nobody's own. */
const LONGEST_RULES = 1_000_000;
/** Folders read between two looks at what else has to be done. */
const AT_ONCE = 200;

interface Rules {
  /** The folder that they are of, with a `/` at its end; empty for the whole. */
  readonly base: string;
  readonly rules: Ignore;
  readonly above: Rules | undefined;
}

/** What is below a folder; all paths are relative to it, with `/`. */
export interface Walked {
  readonly files: string[];
  /** What is neither a file nor a folder that could be read, and by which rules others were left out. */
  readonly skipped: SkippedPath[];
}

/**
 * The files below a folder, without those that its `.gitignore` files leave out, `.git`, `node_modules`, and the folders in
 * `without`. Links, pipes and the like are not files.
 */
export async function walkFolder(folder: string, without: readonly string[], signal?: AbortSignal): Promise<Walked> {
  const files: string[] = [];
  const skipped: SkippedPath[] = [];
  const ignoring = new Set<string>();
  const skip = new Set(without);
  const open: { path: string; rules: Rules | undefined }[] = [{ path: '', rules: undefined }];
  for (let read = 1; open.length > 0; read++) {
    const next = open.pop() as (typeof open)[number];
    if (read % AT_ONCE === 0) {
      await new Promise((resolve) => setImmediate(resolve));
      signal?.throwIfAborted();
    }
    const base = next.path === '' ? '' : `${next.path}/`;
    const entries = entriesOf(`${folder}/${next.path}`);
    if (!entries) {
      skipped.push({ path: base || '.', reason: 'closed' });
      continue;
    }
    const hasRules = entries.some((entry) => entry.name === '.gitignore' && entry.isFile());
    const rules = hasRules ? rulesIn(folder, base, next.rules) : next.rules;
    for (const entry of entries) {
      const path = base + entry.name;
      const isFolder = entry.isDirectory();
      if (entry.name === '.git' || (isFolder && skip.has(path))) continue;
      const by =
        isFolder && entry.name === 'node_modules' ? `${path}/` : ignoredBy(isFolder ? `${path}/` : path, rules);
      if (by !== undefined) ignoring.add(by);
      else if (isFolder) open.push({ path, rules });
      else if (entry.isFile()) files.push(path);
      else skipped.push({ path, reason: entry.isSymbolicLink() ? 'link' : 'unreadable' });
    }
  }
  for (const path of ignoring) skipped.push({ path, reason: 'ignored' });
  return { files, skipped };
}

/** Undefined for a folder that cannot be read. */
function entriesOf(folder: string): fs.Dirent[] | undefined {
  try {
    return fs.readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    // One that is gone since it was listed has nothing to read.
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? [] : undefined;
  }
}

function rulesIn(folder: string, base: string, above: Rules | undefined): Rules | undefined {
  try {
    const text = readBounded(`${folder}/${base}.gitignore`, LONGEST_RULES)?.toString('utf8');
    return text === undefined ? above : { base, rules: ignore({ allowRelativePaths: true }).add(text), above };
  } catch {
    return above;
  }
}

/** The rules that leave a path out, by their file. As git does it: the closest that say anything decide. */
function ignoredBy(path: string, rules: Rules | undefined): string | undefined {
  for (let one = rules; one; one = one.above) {
    const { ignored, unignored } = one.rules.test(path.slice(one.base.length));
    if (ignored || unignored) return ignored ? `${one.base}.gitignore` : undefined;
  }
  return undefined;
}
