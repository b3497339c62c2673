// Plain JavaScript for any Node >= 20: it runs before anything is installed.
//   node scripts/ensure.mjs    installs when node_modules is missing or was made from another lock file, and our git hooks
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installHooks } from './commits.mjs';

/** The repository's root. */
export const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Installs the pinned dependencies if they are missing; returns the path of the Node that everything runs on. */
export function ensureInstalled() {
  // Those of another checkout, as in a worktree: to install here would empty them under its feet.
  if (lstatSync(join(root, 'node_modules'), { throwIfNoEntry: false })?.isSymbolicLink()) return pinnedNode();
  const stamp = join(root, 'node_modules', '.lock-hash');
  const hash = createHash('sha256')
    .update(`${process.platform}-${process.arch}\n`)
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== hash) {
    console.error('Installing the pinned dependencies (npm ci) ...');
    const npm = process.env.npm_execpath; // the npm that runs this script, when one does
    const [command, args] = npm ? [process.execPath, [npm, 'ci']] : ['npm', ['ci']];
    execFileSync(command, [...args, '--loglevel=error'], { cwd: root, stdio: ['ignore', 2, 2], shell: !npm });
    writeFileSync(stamp, hash);
  }
  return pinnedNode();
}

function pinnedNode() {
  const pinned = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (existsSync(pinned)) return pinned;
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath;
  throw new Error(
    `No pinned Node is published for ${process.platform}-${process.arch}: install Node 24 and try again.`,
  );
}

if (resolve(process.argv[1] ?? '') === fileURLToPath(import.meta.url)) {
  ensureInstalled();
  installHooks();
}
