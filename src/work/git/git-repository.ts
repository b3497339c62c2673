import { randomBytes } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CommitId } from '../../core/ports/workshop.ts';
import { isThoughtTreeError, ThoughtTreeError } from '../../core/search/errors.ts';
import { unknownCommit } from '../messages.ts';

import { type GitAnswer, type GitCall, lineOf, type RunGit, zeroSeparated } from './run-git.ts';
import type { UserRepository } from './user-repository.ts';

/** The mode of a submodule in a tree. */
export const SUBMODULE = '160000';

/**
 * Whatever .gitattributes in the files say: bytes are taken and written as they are, and joined line by line. So nobody who
 * works in a checkout decides how their work is read, or joined with that of others.
 */
const ATTRIBUTES =
  '* -text !eol !crlf -ident -filter !working-tree-encoding !merge !diff !export-subst !conflict-marker-size\n';

/** An entry of a tree or an index, submodules included. */
export interface TreeEntry {
  readonly path: string;
  readonly mode: string;
  readonly id: string;
}

/** The thing that a path is in a commit: a file, one that can be run, or a link. */
export interface Entry {
  readonly mode: '100644' | '100755' | '120000';
  /** The name of its content in the store. */
  readonly id: string;
}

/** Our own repository, without files of its own: each call brings its folder and index along. */
export class GitRepository {
  readonly #git: RunGit;
  readonly dir: string;
  readonly #temporary: string;
  /** The trees of commits, which never change. */
  readonly #trees = new Map<string, string>();

  constructor(git: RunGit, dir: string) {
    this.#git = git;
    this.dir = dir;
    this.#temporary = join(dir, 'temporary');
  }

  /** Makes it, or finds it as it was left; one process at a time has it. */
  async open(format: 'sha1' | 'sha256'): Promise<void> {
    await mkdir(this.dir, { recursive: true, mode: 0o700 });
    const init = ['init', '--quiet', '--bare', '--template=', `--object-format=${format}`, '--initial-branch=work'];
    // A process that was killed left these.
    for (const file of ['config.lock', 'HEAD.lock', 'temporary'])
      await rm(join(this.dir, file), { recursive: true, force: true });
    await this.#git({ folder: this.dir }, ...init, this.dir);
    await mkdir(join(this.dir, 'info'), { recursive: true });
    await mkdir(this.#temporary, { recursive: true });
    await writeFile(join(this.dir, 'info', 'attributes'), ATTRIBUTES);
  }

  /** Sets the patterns of what is ignored in addition to those of the files themselves. */
  async exclude(patterns: string): Promise<void> {
    await writeFile(this.excludes, patterns);
  }

  get excludes(): string {
    return join(this.dir, 'info', 'exclude');
  }

  run(call: Partial<GitCall>, ...args: readonly string[]): Promise<GitAnswer> {
    return this.#git({ folder: this.dir, gitDir: this.dir, ...call }, ...args);
  }

  /** Returns a call without our repository: git finds the one of the folder. */
  runIn(folder: string, ...args: readonly string[]): Promise<GitAnswer> {
    return this.#git({ folder }, ...args);
  }

  /** Does something with an index of its own, which is removed afterwards. */
  withIndex<T>(tree: string | undefined, use: (index: string) => Promise<T>): Promise<T> {
    return this.#indexed({}, tree, use);
  }

  async #indexed<T>(call: Partial<GitCall>, tree: string | undefined, use: (index: string) => Promise<T>): Promise<T> {
    const index = join(this.#temporary, `index-${randomBytes(8).toString('hex')}`);
    try {
      await this.run({ ...call, index }, 'read-tree', ...(tree === undefined ? ['--empty'] : [tree]));
      return await use(index);
    } finally {
      await rm(index, { force: true });
      await rm(`${index}.lock`, { force: true });
    }
  }

  /** Runs with an index of all that the person's last commit has: an index of their own is not even read. */
  withIndexOf<T>({ head, objects }: UserRepository, use: (index: string) => Promise<T>): Promise<T> {
    return this.#indexed({ alsoObjects: objects }, head, use);
  }

  /** Everything in a tree, by paths. */
  async list(tree: string): Promise<TreeEntry[]> {
    const { output } = await this.run({}, 'ls-tree', '-r', '-z', '--full-tree', tree);
    return zeroSeparated(output).map((line) => {
      const [about = '', path = ''] = splitAt(line, '\t');
      const [mode = '', , id = ''] = about.split(' ');
      return { path, mode, id };
    });
  }

  /** Puts entries into an index; one without a mode is removed from it. */
  async putEntries(index: string, entries: readonly (TreeEntry | { path: string; mode?: undefined })[]): Promise<void> {
    if (entries.length === 0) return;
    const lines = entries.map((each) =>
      each.mode === undefined ? `0 ${'0'.repeat(40)}\t${each.path}\0` : `${each.mode} ${each.id}\t${each.path}\0`,
    );
    await this.run({ index, input: lines.join('') }, 'update-index', '-z', '--index-info');
  }

  async writeTree(index: string, ...args: readonly string[]): Promise<string> {
    return lineOf(await this.run({ index }, 'write-tree', ...args));
  }

  async treeOf(commit: string): Promise<string> {
    const known = this.#trees.get(commit);
    if (known !== undefined) return known;
    try {
      const tree = lineOf(await this.run({}, 'rev-parse', '--verify', '--quiet', `${commit}^{tree}`));
      this.#trees.set(commit, tree);
      return tree;
    } catch (error) {
      if (!isThoughtTreeError(error, 'internal')) throw error;
      throw new ThoughtTreeError('not-found', unknownCommit({ commit }), { cause: error });
    }
  }

  /** Seconds since 1970. */
  async dateOf(commit: CommitId): Promise<number> {
    return Number(lineOf(await this.run({}, 'show', '--no-patch', '--format=%ct', commit)));
  }

  /** Returns a commit of a tree. The same again gives the same commit, if the date is given. */
  async commit(tree: string, parents: readonly string[], message: string, date?: number): Promise<CommitId> {
    const input = `${message.toWellFormed().replaceAll('\0', ' ').trim() || 'Work'}\n`;
    const above = parents.flatMap((parent) => ['-p', parent]);
    return lineOf(await this.run({ input, ...(date !== undefined && { date }) }, 'commit-tree', ...above, tree));
  }

  /** Entries that files can have; submodules are not among them. */
  async entriesOf(tree: string): Promise<Map<string, Entry>> {
    const entries = (await this.list(tree)).filter(({ mode }) => mode !== SUBMODULE);
    return new Map(entries.map(({ path, mode, id }) => [path, { mode: mode as Entry['mode'], id }]));
  }
}

/** Returns the two parts of a text around the first occurrence of a sign. */
function splitAt(text: string, sign: string): [string, string] {
  const place = text.indexOf(sign);
  return [text.slice(0, place), text.slice(place + sign.length)];
}
