import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Checkout } from '../../../src/core/ports/workshop.ts';
import { openWorkshop, type WorkshopRequest } from '../../../src/work/open-workshop.ts';
import type { WorkshopOfStore } from '../../../src/work/workshop-of-store.ts';
import { temporaryFolder } from '../temporary-folder.ts';

export const never = new AbortController().signal;
const IDENTITY = ['-c', 'user.name=Person', '-c', 'user.email=person@example.org'];

/** A person's folder, our state next to it, and what is asked of both. */
export class WorkPlace {
  readonly root: string;
  readonly workspace: string;
  readonly state: string;

  constructor(workspace = 'workspace') {
    this.root = realpathSync(temporaryFolder('work'));
    this.workspace = join(this.root, workspace);
    this.state = join(this.root, 'state');
    mkdirSync(this.workspace, { recursive: true });
    mkdirSync(this.state, { recursive: true });
  }

  /** Writes files, relative to the workspace. */
  write(files: Readonly<Record<string, string | Buffer>>, folder = this.workspace): void {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content);
    }
  }

  read(path: string): string {
    return readFileSync(join(this.workspace, path), 'utf8');
  }

  git(...args: string[]): string {
    return gitIn(this.workspace, ...args);
  }

  /** Makes it a repository with these files. */
  commit(files: Readonly<Record<string, string | Buffer>>, ...init: string[]): void {
    this.git('init', '-q', '-b', 'main', ...init);
    this.write(files);
    this.git('add', '-A');
    this.git('commit', '-qm', 'first');
  }

  open(more: Partial<WorkshopRequest> = {}): Promise<WorkshopOfStore> {
    const agreed = new Set<string>();
    return openWorkshop({
      workspace: this.workspace,
      ownFolder: 'thought-trees/goal',
      folder: join(this.state, 'work', 'search'),
      locks: join(this.state, 'accepting'),
      hidden: [this.state],
      consent: {
        isAllowed: (line) => agreed.has(line),
        ask: async (lines) => {
          for (const line of lines) agreed.add(line);
          return true;
        },
      },
      hasNetwork: false,
      redact: async (text) => text,
      isSecret: (path) => /(^|\/)\.env$/.test(path),
      ...more,
    });
  }

  /** Opens it and begins at the last commit. */
  async begun(more: Partial<WorkshopRequest> = {}, withUncommitted = false): Promise<WorkshopOfStore> {
    const workshop = await this.open(more);
    await workshop.begin({ withUncommitted }, never);
    return workshop;
  }
}

/** Returns a person's repository with one file. */
export function repository(): WorkPlace {
  const place = new WorkPlace();
  place.commit({ 'a.txt': 'one\n', '.gitignore': 'out/\n' });
  return place;
}

/** Git as a person uses it, without this machine's own settings. */
export function gitIn(folder: string, ...args: string[]): string {
  const env = { PATH: process.env['PATH'], GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', HOME: '/nowhere' };
  return execFileSync('git', [...IDENTITY, ...args], { cwd: folder, env, encoding: 'utf8', stdio: 'pipe' });
}

/** Everything in a folder as one value: paths, kinds, rights, times of change and contents, links not followed. */
export function stateOf(folder: string, isLeftOut: (path: string) => boolean = () => false): Record<string, string> {
  const all: Record<string, string> = {};
  const look = (below: string): void => {
    for (const name of readdirSync(join(folder, below))) {
      const path = join(below, name);
      const about = lstatSync(join(folder, path));
      if (isLeftOut(path)) continue;
      const mode = about.mode.toString(8);
      if (about.isDirectory()) {
        all[path] = `folder ${mode}`;
        look(path);
      } else if (about.isSymbolicLink()) all[path] = `link ${readlinkSync(join(folder, path))}`;
      else if (about.isFile()) {
        const hash = createHash('sha256')
          .update(readFileSync(join(folder, path)))
          .digest('hex');
        all[path] = `file ${mode} ${about.mtimeMs} ${about.ino} ${hash}`;
      } else all[path] = 'other';
    }
  };
  look('');
  return all;
}

/** Returns a search path with everything that this system has, but these programs. */
export function pathWithout(...programs: readonly string[]): string {
  const folder = temporaryFolder('programs');
  const taken = new Set(programs);
  for (const from of (process.env['PATH'] ?? '').split(':').filter((each) => each.startsWith('/')))
    for (const name of readdirOf(from)) {
      if (taken.has(name)) continue;
      taken.add(name);
      symlinkSync(join(from, name), join(folder, name));
    }
  return folder;
}

function readdirOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Runs a line to which a person agreed; writes unless it says otherwise. */
export async function ran(workshop: WorkshopOfStore, checkout: Checkout, line: string, timeoutMs = 30_000) {
  await workshop.consent([line], never);
  return checkout.run({ line, rights: 'write', timeoutMs }, never);
}

/** Does work in a checkout of its own, and brings it to the tip. */
export async function landed(workshop: WorkshopOfStore, name: string, work: (folder: string) => void): Promise<string> {
  const checkout = await workshop.checkout(name, never);
  work(checkout.folder);
  const commit = await checkout.commit(name);
  if (commit === undefined) throw new Error('nothing changed');
  const tip = (await workshop.tip()) as string;
  const joined = await workshop.join({ base: checkout.base, commit }, name);
  if (!joined.isJoined) throw new Error(`conflict: ${joined.conflicts.join(', ')}`);
  await workshop.advance(tip, joined.commit);
  await checkout.remove();
  return joined.commit;
}
