import * as z from 'zod';
import type { Message } from '../messages/message.ts';
import type { Toolbox } from './tool.ts';

// Where workers work: checkouts of the workspace outside of it, commands that are held in them, and one line of accepted
// work that nobody but us moves. Implementations are in src/work.

/** The id of a commit of git. */
export const CommitId = z.string().regex(/^[\da-f]{7,64}$/);
export type CommitId = z.infer<typeof CommitId>;

/** The access that a command, or whoever works in a checkout, has there. */
export type Rights = 'read' | 'write';

/** One command line, exactly as a person consented to it; the system's shell carries it out. */
export interface WorkCommand {
  readonly line: string;
  /** With `read`, whatever it writes in the checkout is thrown away. */
  readonly rights: Rights;
  /** In milliseconds. */
  readonly timeoutMs: number;
}

/** The end of a command. */
export interface WorkOutcome {
  /** Undefined if it did not end by itself. */
  readonly exitCode: number | undefined;
  /** Why it did not: its time was over, it wrote too much, or it was stopped with the search. */
  readonly stopped?: 'time' | 'output' | 'search';
  /** The end of what it wrote, without control sequences and without keys; at most `LONGEST_OUTPUT` characters. */
  readonly output: string;
  /** A hash of everything that it wrote. */
  readonly outputHash: string;
  /** In milliseconds. */
  readonly ms: number;
  /** Changes in the workspace folder meanwhile, where no sandbox holds commands: paths relative to it. */
  readonly strayed: readonly string[];
}

/** The most characters of a command's output that are kept. */
export const LONGEST_OUTPUT = 8000;

/** One changed file of a diff. */
export interface ChangedFile {
  /** Relative, with `/`. */
  readonly path: string;
  readonly change: 'added' | 'changed' | 'deleted';
  readonly added: number;
  readonly removed: number;
}

/** The difference between two commits. */
export interface Diff {
  readonly files: readonly ChangedFile[];
  /** The unified diff, cut off after some length. */
  readonly text: string;
}

/** A folder of its own in which one atom is worked on; outside of the workspace. */
export interface Checkout {
  /** Absolute. */
  readonly folder: string;
  /** The commit that it began at. */
  readonly base: CommitId;
  /** It holds what an earlier try left. */
  readonly isContinued: boolean;
  /**
   * Runs a command in it.
   * @throws ThoughtTreeError `declined` for a line that no person consented to
   */
  run(command: WorkCommand, signal: AbortSignal): Promise<WorkOutcome>;
  /**
   * Commits what was made in it on its base; undefined if nothing changed. Asserts before that it is still our
   * checkout, in its place.
   * @throws ThoughtTreeError `outside` if it is not
   */
  commit(message: string): Promise<CommitId | undefined>;
  /** Removes the folder. */
  remove(): Promise<void>;
}

/** The result of joining some work with the accepted work. */
export type Joined =
  | { readonly isJoined: true; readonly commit: CommitId }
  | { readonly isJoined: false; readonly conflicts: readonly string[] };

/** The changes that *Accept*, or undoing it, made to the workspace. */
export interface Accepted {
  readonly commit: CommitId;
  /** The files that are different from the start, or were. */
  readonly files: readonly ChangedFile[];
  /** The number of files that were changed, made or deleted just now. */
  readonly changed: number;
  /** Those of them that the person had, and now has no longer as they were. */
  readonly replaced: readonly string[];
  /** Those of these that the person's last commit does not have as they were. */
  readonly lost: readonly string[];
}

/** The isolation of work here, for consent and reports. */
export interface Isolation {
  /** The program that holds commands in their checkouts; undefined if nothing does. */
  readonly sandbox: 'bubblewrap' | 'sandbox-exec' | undefined;
}

/** Where a search's work is done. One process at a time has it: whoever holds the search's lease. */
export interface Workshop {
  readonly isolation: Isolation;
  /** Paths of the workspace's last commit that checkouts do not have, because its repository does not hold them: submodules. */
  leftOut(): Promise<readonly string[]>;
  /** Paths that differ from the workspace's last commit and are not ignored: without a choice, work begins without them. */
  uncommitted(): Promise<readonly string[]>;
  /**
   * Makes the line of accepted work, at the workspace's last commit; does nothing if it exists.
   * @param start whether uncommitted changes are part of it, and the command that prepares each new checkout
   * @returns the commit at which it begins
   */
  begin(start: { readonly withUncommitted: boolean; readonly setUp?: string }, signal: AbortSignal): Promise<CommitId>;
  /** Returns the commit at which it began; undefined before `begin`. */
  start(): Promise<CommitId | undefined>;
  /** The newest accepted work; undefined before `begin`. */
  tip(): Promise<CommitId | undefined>;
  /**
   * Asks the person, where they have not agreed before, whether exactly these command lines may run for this search.
   * @throws ThoughtTreeError `declined` if they may not, or nobody can be asked
   */
  consent(lines: readonly string[], signal: AbortSignal): Promise<void>;
  /**
   * A checkout for an atom, at the tip or with what an earlier try left there.
   * @param name made of letters, digits, `-` and `_`; unique within the search
   * @param at the commit it shows; by default the tip. With one, nothing of an earlier try is in it.
   */
  checkout(name: string, signal: AbortSignal, at?: CommitId): Promise<Checkout>;
  /** Tells whether an earlier try left a checkout of this name. */
  hasCheckout(name: string): Promise<boolean>;
  /** Joins work with the tip, which stays where it is. `base` is the commit on which the work was done. */
  join(work: { readonly base: CommitId; readonly commit: CommitId }, message: string): Promise<Joined>;
  /** Moves the tip on to a commit that was made from it. @throws ThoughtTreeError `edited` if the tip is not `from` */
  advance(from: CommitId, to: CommitId): Promise<void>;
  /**
   * A commit like `commit`, in which these paths are as they were in `earlier`: so that a changed test can be run as it was.
   */
  withPathsOf(commit: CommitId, earlier: CommitId, paths: readonly string[]): Promise<CommitId>;
  /** Returns the text of a file in a commit; undefined if it has none, or it is no text. */
  fileAt(commit: CommitId, path: string): Promise<string | undefined>;
  /** Returns all paths of files in a commit. */
  pathsAt(commit: CommitId): Promise<readonly string[]>;
  diff(from: CommitId, to: CommitId): Promise<Diff>;
  /**
   * Brings all accepted work into the files of the workspace, and nothing else: neither index nor branch.
   * @throws ThoughtTreeError `edited` naming the files that the person changed meanwhile; then nothing is changed
   */
  accept(signal: AbortSignal): Promise<Accepted>;
  /**
   * Makes the files of the workspace what they were before any work was accepted.
   * @throws ThoughtTreeError `edited` naming the files that the person changed since; then nothing is changed
   */
  undoAccept(signal: AbortSignal): Promise<Accepted>;
  /** Returns what undoing would change; undefined if nothing was accepted. */
  inFiles(): Promise<Diff | undefined>;
  /** Ends the use of it. What unfinished tries left in their checkouts stays for the next run, as does the line of accepted work. */
  close(): Promise<void>;
}

/** The languages of small programs. */
export const LANGUAGES = ['javascript', 'python', 'shell'] as const;
export type Language = (typeof LANGUAGES)[number];

/** A small program that a model wants to run, to see what happens rather than to derive it. */
export interface Experiment {
  readonly language: Language;
  readonly program: string;
}

/** Where such programs run: in a sandbox, on a copy of the workspace that is thrown away, without network, keys or home. */
export interface Experiments {
  /**
   * Runs a program, if the person agrees.
   * @throws ThoughtTreeError `declined` if they do not
   */
  run(experiment: Experiment, signal: AbortSignal): Promise<WorkOutcome>;
  /** Removes the copy. */
  close(): Promise<void>;
}

/** Asks a person whether exactly this program may run. @param says what holds it */
export type AllowsExperiment = (experiment: Experiment, says: readonly Message[]) => Promise<boolean>;

/** The tool with which models run them. */
export const RUN_PROGRAM = 'run_program';

/** Tells whether one of these tools runs programs. */
export function canTry({ tools }: Toolbox): boolean {
  return tools.some(({ name }) => name === RUN_PROGRAM);
}

/** A folder in which a model works with tools that we carry out. */
export interface ToolPlace {
  /** Absolute. */
  readonly folder: string;
  /** With `read`, no file can be changed. */
  readonly rights: Rights;
  /** The command lines that may be run, exactly; a person consented to each of them. */
  readonly commands: readonly string[];
  /** Runs one of them, held in the folder. */
  readonly run: (line: string, signal: AbortSignal) => Promise<WorkOutcome>;
  /** True for models that handle the files of the folder by themselves: then there is only the tool for commands. */
  readonly isForCommandsOnly?: boolean;
}

/** Makes the tools for a place; they lead nowhere else, and tell no secrets. */
export type ToolsIn = (place: ToolPlace) => Toolbox;
