import fs from 'node:fs';
import ignore, { type Ignore } from 'ignore';
import { readBounded } from './read-bounded.ts';

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

/**
 * The files below a folder, without those that its `.gitignore` files leave out, `.git`, `node_modules`, and the folders in
 * `without`: relative, with `/`. Links, pipes and the like are not files; what cannot be read
 * is left out.
 */
export async function walkFolder(folder: string, without: readonly string[], signal?: AbortSignal): Promise<string[]> {
  const found: string[] = [];
  const skip = new Set(without);
  const open: { path: string; rules: Rules | undefined }[] = [{ path: '', rules: undefined }];
  for (let read = 1; open.length > 0; read++) {
    const next = open.pop() as (typeof open)[number];
    if (read % AT_ONCE === 0) {
      await new Promise((resolve) => setImmediate(resolve));
      signal?.throwIfAborted();
    }
    const entries = entriesOf(`${folder}/${next.path}`);
    const base = next.path === '' ? '' : `${next.path}/`;
    const hasRules = entries.some((entry) => entry.name === '.gitignore' && entry.isFile());
    const rules = hasRules ? rulesIn(folder, base, next.rules) : next.rules;
    for (const entry of entries) {
      const path = base + entry.name;
      if (entry.name === '.git') continue;
      if (entry.isDirectory()) {
        if (entry.name === 'node_modules' || skip.has(path) || isIgnored(`${path}/`, rules)) continue;
        open.push({ path, rules });
      } else if (entry.isFile() && !isIgnored(path, rules)) found.push(path);
    }
  }
  return found;
}

function entriesOf(folder: string): fs.Dirent[] {
  try {
    return fs.readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
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

/** As git does it: the closest rules that say anything decide. */
function isIgnored(path: string, rules: Rules | undefined): boolean {
  for (let one = rules; one; one = one.above) {
    const { ignored, unignored } = one.rules.test(path.slice(one.base.length));
    if (ignored || unignored) return ignored;
  }
  return false;
}
