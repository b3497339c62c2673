import { createHash } from 'node:crypto';
import { foreign } from '../../../src/core/messages/message.ts';
import type {
  Accepted,
  ChangedFile,
  Checkout,
  CommitId,
  Diff,
  Joined,
  WorkCommand,
  WorkOutcome,
  Workshop,
} from '../../../src/core/ports/workshop.ts';
import { ThoughtTreeError } from '../../../src/core/search/errors.ts';

/** Files by their paths. */
export type FakeTree = Readonly<Record<string, string>>;
type Files = Record<string, string>;

/** What a scripted command does with the files around it, and how it ends. */
type FakeCommand = (
  files: Files,
  at: { readonly shop: FakeState; readonly signal: AbortSignal; readonly folder: string },
) => Partial<WorkOutcome> | Promise<Partial<WorkOutcome>> | undefined;

/** What survives a kill: all that is outside of the process. */
export interface FakeState {
  /** The files of the person. */
  workspace: Files;
  readonly commits: Map<CommitId, FakeTree>;
  readonly checkouts: Map<string, { base: CommitId; files: Files }>;
  readonly consented: Set<string>;
  start: CommitId | undefined;
  tip: CommitId | undefined;
  /** Every command that was run, in its order. */
  readonly ran: string[];
  /** Every checkout that was made. */
  readonly made: string[];
}

export interface FakeOptions {
  readonly commands: Readonly<Record<string, FakeCommand>>;
  readonly uncommitted?: readonly string[];
  /** Whether the person agrees. */
  readonly agrees?: boolean;
  readonly isolation?: Workshop['isolation'];
}

export function fakeState(workspace: FakeTree): FakeState {
  return {
    workspace: { ...workspace },
    commits: new Map(),
    checkouts: new Map(),
    consented: new Set(),
    start: undefined,
    tip: undefined,
    ran: [],
    made: [],
  };
}

/** Returns a workshop in memory: commits are named after their content, commands are scripted. */
export function fakeWorkshop(state: FakeState, options: FakeOptions): Workshop {
  return {
    isolation: options.isolation ?? { sandbox: 'bubblewrap' },
    leftOut: async () => [],
    uncommitted: async () => options.uncommitted ?? [],
    async begin() {
      if (state.start === undefined) {
        state.start = keep(state, state.workspace);
        state.tip = state.start;
      }
      return state.start;
    },
    start: async () => state.start,
    tip: async () => state.tip,
    async consent(lines) {
      if (options.agrees === false) throw new ThoughtTreeError('declined', foreign({ text: 'The person said no.' }));
      for (const line of lines) state.consented.add(line);
    },
    async checkout(name, _signal, at) {
      const base = at ?? state.tip;
      if (base === undefined) throw new RangeError('nothing has begun');
      const left = at === undefined ? state.checkouts.get(name) : undefined;
      if (!left) {
        state.checkouts.set(name, { base, files: { ...filesOf(state, base) } });
        state.made.push(name);
      }
      return new FakeCheckout(name, state, options, left !== undefined);
    },
    hasCheckout: async (name) => state.checkouts.has(name),
    join: async ({ base, commit }) => join(state, base, commit),
    async advance(from, to) {
      if (state.tip !== from) throw new ThoughtTreeError('edited', foreign({ text: 'The tip is elsewhere.' }));
      state.tip = to;
    },
    async withPathsOf(commit, earlier, paths) {
      const files: Files = { ...filesOf(state, commit) };
      for (const path of paths) {
        const before = filesOf(state, earlier)[path];
        if (before === undefined) delete files[path];
        else files[path] = before;
      }
      return keep(state, files);
    },
    fileAt: async (commit, path) => filesOf(state, commit)[path],
    pathsAt: async (commit) => Object.keys(filesOf(state, commit)),
    diff: async (from, to) => diffOf(filesOf(state, from), filesOf(state, to)),
    accept: async () => accept(state),
    undoAccept: async () => accept(state, true),
    inFiles: async () => diffOf(state.workspace, filesOf(state, state.start as CommitId)),
    async close() {
      state.checkouts.clear();
    },
  };
}

class FakeCheckout implements Checkout {
  readonly folder: string;
  readonly isContinued: boolean;
  readonly #name: string;
  readonly #state: FakeState;
  readonly #options: FakeOptions;

  constructor(name: string, state: FakeState, options: FakeOptions, isContinued: boolean) {
    this.#name = name;
    this.#state = state;
    this.#options = options;
    this.folder = `/checkouts/${name}`;
    this.isContinued = isContinued;
  }

  get #at(): { base: CommitId; files: Files } {
    const found = this.#state.checkouts.get(this.#name);
    if (!found) throw new ThoughtTreeError('outside', foreign({ text: 'The checkout is gone.' }));
    return found;
  }

  get base(): CommitId {
    return this.#at.base;
  }

  async run({ line, rights }: WorkCommand, signal: AbortSignal): Promise<WorkOutcome> {
    if (!this.#state.consented.has(line))
      throw new ThoughtTreeError('declined', foreign({ text: `Nobody agreed to ${line}.` }));
    this.#state.ran.push(line);
    const files = rights === 'read' ? { ...this.#at.files } : this.#at.files;
    const command = this.#options.commands[line];
    const ended = command
      ? await command(files, { shop: this.#state, signal, folder: this.folder })
      : { exitCode: 127, output: `sh: ${line}: not found` };
    const output = ended?.output ?? '';
    return { exitCode: 0, output, outputHash: hash(output), ms: 5, strayed: [], ...ended };
  }

  async commit(): Promise<CommitId | undefined> {
    const { base, files } = this.#at;
    const commit = keep(this.#state, files);
    return commit === base ? undefined : commit;
  }

  async remove(): Promise<void> {
    this.#state.checkouts.delete(this.#name);
  }
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 40);
}

export function filesOf({ commits }: FakeState, commit: CommitId): FakeTree {
  const files = commits.get(commit);
  if (!files) throw new RangeError(`no commit ${commit}`);
  return files;
}

function keep({ commits }: FakeState, files: FakeTree): CommitId {
  const sorted = Object.fromEntries(Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1)));
  const id = hash(JSON.stringify(sorted));
  commits.set(id, sorted);
  return id;
}

/** Returns a file that both changed is a conflict. */
function join(state: FakeState, base: CommitId, commit: CommitId): Joined {
  const [before, ours, theirs] = [base, state.tip as CommitId, commit].map((each) => filesOf(state, each)) as [
    FakeTree,
    FakeTree,
    FakeTree,
  ];
  const joined: Files = { ...ours };
  const conflicts: string[] = [];
  for (const path of new Set([...Object.keys(before), ...Object.keys(theirs)])) {
    if (theirs[path] === before[path] || theirs[path] === ours[path]) continue;
    if (ours[path] !== before[path]) conflicts.push(path);
    else if (theirs[path] === undefined) delete joined[path];
    else joined[path] = theirs[path];
  }
  return conflicts.length > 0 ? { isJoined: false, conflicts } : { isJoined: true, commit: keep(state, joined) };
}

function diffOf(from: FakeTree, to: FakeTree): Diff {
  const paths = [...new Set([...Object.keys(from), ...Object.keys(to)])].filter((path) => from[path] !== to[path]);
  const files = paths.sort().map((path): ChangedFile => {
    const [was, is] = [from[path], to[path]];
    const change = was === undefined ? 'added' : is === undefined ? 'deleted' : 'changed';
    return { path, change, added: is === undefined ? 0 : linesOf(is), removed: was === undefined ? 0 : linesOf(was) };
  });
  return { files, text: files.map(({ path }) => `--- ${path}\n-${from[path] ?? ''}\n+${to[path] ?? ''}\n`).join('') };
}

function linesOf(text: string): number {
  return text.split('\n').length;
}

function accept(state: FakeState, isBack = false): Accepted {
  const ends = [state.start as CommitId, state.tip as CommitId] as const;
  const [start, tip] = isBack ? ([ends[1], ends[0]] as const) : ends;
  const [from, to] = [filesOf(state, start), filesOf(state, tip)];
  const { files } = diffOf(from, to);
  const edited = files.filter(({ path }) => state.workspace[path] !== from[path]).map(({ path }) => path);
  if (edited.length > 0) throw new ThoughtTreeError('edited', foreign({ text: `You changed ${edited.join(', ')}.` }));
  for (const { path } of files) {
    const text = to[path];
    if (text === undefined) delete state.workspace[path];
    else state.workspace[path] = text;
  }
  return { commit: tip, files, changed: files.length, replaced: [], lost: [] };
}
