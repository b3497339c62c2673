import type { ChangedFile, CommitId, Diff } from '../../core/ports/workshop.ts';
import type { GitRepository } from './git-repository.ts';
import { zeroSeparated } from './run-git.ts';

/** The longest text of a diff, in characters. */
const LONGEST_DIFF = 2 * 1024 * 1024;
const CHANGES: Record<string, ChangedFile['change']> = { A: 'added', D: 'deleted' };
const PLAIN = ['--no-renames', '--no-ext-diff', '--no-textconv', '--no-color', '--ignore-submodules=all'];

/** The difference between two commits, by nothing but their bytes. */
export async function gitDiff(own: GitRepository, from: CommitId, to: CommitId): Promise<Diff> {
  const trees = [await own.treeOf(from), await own.treeOf(to)];
  const status = await own.run({}, 'diff-tree', '-r', '-z', '--name-status', ...PLAIN, ...trees);
  const counts = await own.run({}, 'diff-tree', '-r', '-z', '--numstat', ...PLAIN, ...trees);
  const text = await own.run({ atMost: LONGEST_DIFF }, 'diff-tree', '-r', '-p', '--full-index', ...PLAIN, ...trees);
  const parts = zeroSeparated(status.output);
  const lines = new Map(zeroSeparated(counts.output).map(countsOf));
  const files: ChangedFile[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const path = parts[at + 1] as string;
    const [added, removed] = lines.get(path) ?? [0, 0];
    files.push({ path, change: CHANGES[parts[at] as string] ?? 'changed', added, removed });
  }
  return { files, text: text.output.toString('utf8') };
}

/** Files that are not text count as no lines. */
function countsOf(line: string): [string, [number, number]] {
  const [added = '', removed = '', ...path] = line.split('\t');
  return [path.join('\t'), [Number(added) || 0, Number(removed) || 0]];
}
