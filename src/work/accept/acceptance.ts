import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { CommitId } from '../../core/ports/workshop.ts';
import { isThoughtTreeError, ThoughtTreeError } from '../../core/search/errors.ts';
import { oneLine } from '../../core/text/text.ts';
import { type Disk, systemDisk } from '../../store/files/replace-file.ts';
import { type ProcessIdentity, thisProcess } from '../../store/lease/process-identity.ts';
import { throwIfStopped } from '../folders.ts';
import type { Entry } from '../git/git-repository.ts';
import type { GitStore } from '../git/git-store.ts';
import { acceptFailed, editedMeanwhile, notPutBack, ownFiles } from '../messages.ts';
import { shownPaths } from '../shown.ts';
import { contentFor, type Found, findAt, hasOtherLineEnds, matches, withLineEnds } from '../workspace-file.ts';
import { type Former, type Line, lockWorkspace } from './line.ts';
import { removeStage, StagedSteps, type Step } from './take-steps.ts';

export interface AcceptanceParts {
  /** Its real path. */
  readonly workspace: string;
  /** The search's own folder, relative to it. */
  readonly ownFolder: string;
  /** Our folder of the work, and the one where locks of workspaces are. */
  readonly work: string;
  readonly locks: string;
  readonly store: GitStore;
  readonly line: Line;
  /** Replacements for the system, for tests. */
  readonly disk?: Disk | undefined;
  readonly me?: ProcessIdentity | undefined;
}

/** The result of an acceptance. */
export interface Brought {
  readonly changed: number;
  /** Those of them that were there before. */
  readonly replaced: readonly string[];
  /** Those of these that the person's last commit does not have as they were. */
  readonly lost: readonly string[];
}

/**
 * Brings accepted work into the files of a workspace, or takes all of it back: all of it or nothing, whatever ends the process or the
 * power meanwhile. The order is: what comes and what was there are on the disk, then the line says what is under way, then files
 * change, then the line says that it is done, then what was kept is removed.
 */
export class Acceptance {
  readonly #parts: AcceptanceParts;
  readonly #disk: Disk;
  readonly #me: ProcessIdentity;

  constructor(parts: AcceptanceParts) {
    this.#parts = parts;
    this.#disk = parts.disk ?? systemDisk;
    this.#me = parts.me ?? thisProcess();
  }

  /**
   * @param isBack whether the files are to become what they were before all work, and not what the tip has
   * @throws ThoughtTreeError `edited` naming the files that the person changed, `held` while another process accepts here; then nothing
   *   is changed. `not-writable` if the system refuses, saying whether all files are as they were.
   */
  async bring(isBack: boolean, signal: AbortSignal): Promise<Brought> {
    const { locks, workspace, work, ownFolder: search, line } = this.#parts;
    const release = await lockWorkspace({ locks, workspace, work, search, me: this.#me, disk: this.#disk });
    try {
      return await this.#bring(isBack, signal);
    } finally {
      await release(line.now?.accepting !== undefined);
    }
  }

  async #bring(isBack: boolean, signal: AbortSignal): Promise<Brought> {
    const { workspace, ownFolder, store, line } = this.#parts;
    await this.#clean();
    const { start, tip, accepted, accepting, before = {} } = this.#now;
    const to = isBack ? start : tip;
    const from = [...new Set([start, ...(accepted === undefined ? [] : [accepted]), ...(accepting?.commits ?? [])])];
    const former = new Map(Object.entries(before));
    const way: Way = { from, to, isUnfinished: accepting !== undefined, before: former, ownFolder };
    const plan = await planSteps(workspace, store, way, signal);
    const lost = isBack ? [] : await this.#lostIn(plan);
    const over = isBack ? { accepted: undefined, before: undefined } : { accepted: to };
    const finish = (more: { readonly before?: Record<string, Former> } = {}): Promise<void> =>
      line.change({ ...more, ...over, accepting: undefined, left: this.#now.accepting?.stages });
    if (plan.steps.length > 0) await this.#take(plan, to, finish, signal);
    else if (isBack || plan.originals.length === 0) await finish();
    else await finish({ before: { ...(await this.#keep(plan.originals)), ...before } });
    // All files are as they shall be, and the store has what was there before.
    await this.#clean();
    const changed = plan.steps.filter(({ found, content }) => found ?? content).length;
    return { changed, replaced: replacedIn(plan).map(({ path }) => path), lost };
  }

  async #take(plan: Plan, to: CommitId, finish: () => Promise<void>, signal: AbortSignal): Promise<void> {
    const { workspace, line } = this.#parts;
    const { accepting: former, before } = this.#now;
    const name = `.thought-tree-accept-${randomBytes(6).toString('hex')}`;
    const stage = join(workspace, name);
    const steps = new StagedSteps(workspace, stage, plan.steps, this.#disk);
    const kept = await this.#keep(plan.originals);
    const accepting = { commits: [...(former?.commits ?? []), to], stages: [...(former?.stages ?? []), name] };
    await line.change({ accepting: { ...accepting, by: this.#me }, before: { ...kept, ...before } });
    try {
      await steps.prepare(signal);
      await steps.take();
      await finish();
    } catch (error) {
      await steps.putBack();
      const left = await this.#changedIn(plan);
      const why = oneLine(error instanceof Error ? error.message : String(error), 500);
      if (left.length > 0) {
        await line.change({ accepting });
        const what = { count: left.length, paths: shownPaths(left), folder: stage, why };
        throw new ThoughtTreeError('not-writable', notPutBack(what), { cause: error });
      }
      // Nobody needs it any more, and on a full disk the line needs its room.
      await removeStage(stage, this.#disk).catch(() => undefined);
      await line.change({ accepting: former, before, left: [name] });
      await this.#clean();
      if (isThoughtTreeError(error)) throw error;
      throw new ThoughtTreeError('not-writable', acceptFailed({ why }), { cause: error });
    }
  }

  /** Puts into the store what of the originals it does not have. */
  async #keep(originals: readonly Original[]): Promise<Record<string, Former>> {
    const kept: [string, Former][] = [];
    for (const { path, former, content } of originals)
      if (former) kept.push([path, content ? { ...former, id: await this.#parts.store.keep(content) } : former]);
    return Object.fromEntries(kept);
  }

  /** Returns the originals that git cannot bring back. */
  async #lostIn(plan: Plan): Promise<string[]> {
    const replaced = replacedIn(plan);
    if (replaced.length === 0) return [];
    const committed = await this.#parts.store.committed();
    return replaced.filter(({ path, entry }) => committed.get(path) !== entry.id).map(({ path }) => path);
  }

  /** Looks at the files of all steps: those that are not as they were. */
  async #changedIn({ steps, paths }: Plan): Promise<string[]> {
    const left: string[] = [];
    for (const { path, was } of steps)
      if (lookOf(await findAt(this.#parts.workspace, path, paths)) !== was) left.push(path);
    return left;
  }

  /** Removes what is of no use any more; what cannot be removed now is so the next time. */
  async #clean(): Promise<void> {
    for (const name of this.#now.left ?? [])
      await removeStage(join(this.#parts.workspace, name), this.#disk).catch(() => undefined);
  }

  get #now(): NonNullable<Line['now']> {
    return this.#parts.line.now as NonNullable<Line['now']>;
  }
}

/** The number of files that are read from the store at once. */
const FILES_AT_ONCE = 100;

/** Between which commits files are brought. */
interface Way {
  /** The commits that files of the workspace may be at now, besides `to`. The first is the start of the work. */
  readonly from: readonly CommitId[];
  readonly to: CommitId;
  /** True if an interrupted acceptance was there before: a file that it made may be empty. */
  readonly isUnfinished: boolean;
  /** The files as they were before the first acceptance. */
  readonly before: ReadonlyMap<string, Former>;
  /** Of the search; relative to the workspace. */
  readonly ownFolder: string;
}

interface Plan {
  readonly steps: readonly Step[];
  /** All paths that differ on the way: they are no obstacle to one another. */
  readonly paths: ReadonlySet<string>;
  /**
   * The files to change or delete that are as at the start, and those that the person made as they shall be, with their content
   * where the store does not have it.
   */
  readonly originals: readonly (Original | Replaced)[];
}

/** A file of the person, as it is before the first acceptance that has it. */
interface Original {
  readonly path: string;
  /** The entry that the start has in its place; undefined for a file that is as it shall be already. */
  readonly entry?: Entry;
  readonly former: Former | undefined;
  readonly content: Buffer | undefined;
}

type Replaced = Original & { readonly entry: Entry };

/** Returns the originals that are about to be changed or deleted. */
function replacedIn({ originals }: Plan): Replaced[] {
  return originals.filter((each): each is Replaced => each.entry !== undefined);
}

/** The state that a file is to have, and those that it may have now. */
interface Wanted {
  readonly path: string;
  readonly after: Entry | undefined;
  readonly before: readonly (Entry | undefined)[];
}

/**
 * Works out what brings the files of a workspace to a commit. What is neither as it may be, nor as it shall be, was changed by
 * the person and stops it.
 * @throws ThoughtTreeError `edited` naming those files; `outside` for files that no work may change
 */
async function planSteps(workspace: string, store: GitStore, way: Way, signal: AbortSignal): Promise<Plan> {
  const { ownFolder, before } = way;
  const wanted = await wantedFiles(store, way);
  const isOwn = (path: string): boolean => path === ownFolder || path.startsWith(`${ownFolder}/`);
  const forbidden = wanted.map(({ path }) => path).filter((path) => isForbidden(path) || isOwn(path));
  if (forbidden.length > 0) throw new ThoughtTreeError('outside', ownFiles({ paths: shownPaths(forbidden) }));
  const paths = new Set(wanted.map(({ path }) => path));
  const steps: Step[] = [];
  const originals: Original[] = [];
  const edited: string[] = [];
  for (let at = 0; at < wanted.length; at += FILES_AT_ONCE) {
    throwIfStopped(signal);
    const group = wanted.slice(at, at + FILES_AT_ONCE);
    const kept = (path: string): string[] => [before.get(path)?.id ?? []].flat();
    const entries = group.flatMap((each) => [each.after, ...each.before]).filter((entry) => entry !== undefined);
    const ids = new Set([...entries.map(({ id }) => id), ...group.flatMap(({ path }) => kept(path))]);
    const contents = await store.read([...ids]);
    for (const each of group) {
      const found = await findAt(workspace, each.path, paths);
      const former = way.to === way.from[0] ? before.get(each.path) : undefined;
      const step = stepOf(each, found, contents, former, way.isUnfinished);
      if (step === 'edited') {
        edited.push(each.path);
        continue;
      }
      if (step) steps.push(step);
      const original = before.has(each.path) ? undefined : (step ? originalOf : madeBefore)(each, found, contents);
      if (original) originals.push(original);
    }
  }
  if (edited.length > 0) throw new ThoughtTreeError('edited', editedMeanwhile({ paths: shownPaths(edited) }));
  return { steps, paths, originals };
}

async function wantedFiles(store: GitStore, { from, to }: Way): Promise<Wanted[]> {
  const ways = await Promise.all(
    from.map(async (each) => new Map((await store.changes(each, to)).map((change) => [change.path, change]))),
  );
  return [...new Set(ways.flatMap((way) => [...way.keys()]))].sort().map((path) => {
    const after = ways.map((way) => way.get(path)).find((change) => change !== undefined)?.after;
    const before = ways.map((way) => {
      const change = way.get(path);
      return change ? change.before : after;
    });
    return { path, after, before };
  });
}

type Contents = ReadonlyMap<string, Buffer>;

function contentOf(entry: Entry | undefined, contents: Contents): Buffer | undefined {
  return entry && contents.get(entry.id);
}

/** Returns what has to be done with a file; nothing if it is as it shall be. */
function stepOf(
  { path, after, before }: Wanted,
  found: Found,
  contents: Contents,
  former: Former | undefined,
  isUnfinished: boolean,
): Step | 'edited' | undefined {
  const of = (entry: Entry | undefined): Buffer | undefined => contentOf(entry, contents);
  const isEmptied = isUnfinished && found.is === 'file' && found.bytes.length === 0;
  // Of a file that is gone already, an interrupted acceptance may have left the folders.
  if (matches(found, after, of(after), true))
    return isUnfinished && !after ? { path, found: undefined, was: lookOf(found), content: undefined } : undefined;
  const bytes = former && (after || former.id !== undefined) ? formerBytes(former, of(after), contents) : undefined;
  // It was so before the first acceptance, and no acceptance changed it.
  if (bytes && found.is === 'file' && found.bytes.equals(bytes) && (found.about.mode & 0o7777) === former?.mode)
    return undefined;
  const known = before.find((entry) => matches(found, entry, of(entry), false));
  const isKnown = known !== undefined || (before.includes(undefined) && matches(found, undefined, undefined, false));
  // Its content is as it shall be, and only whether it can be run is not.
  if (!isKnown && !isEmptied && !matches(found, after, of(after), false)) return 'edited';
  const about = found.is === 'file' || found.is === 'link' ? found.about : undefined;
  const content = bytes
    ? { bytes, mode: (former as Former).mode }
    : contentFor(found, known && of(known), after, of(after));
  return { path, found: about, was: lookOf(found), content };
}

function originalOf({ path, before: [entry] }: Wanted, found: Found, contents: Contents): Replaced | undefined {
  const content = contentOf(entry, contents);
  if (!entry || !content || !matches(found, entry, content, false)) return undefined;
  if (found.is !== 'file') return { path, entry, former: undefined, content: undefined };
  const mode = found.about.mode & 0o7777;
  if (found.bytes.equals(content)) return { path, entry, former: { mode }, content: undefined };
  if (hasOtherLineEnds(content, found.bytes))
    return { path, entry, former: { mode, hasCrlf: true }, content: undefined };
  return { path, entry, former: { mode }, content: found.bytes };
}

/** Returns a file that is as it shall be although no acceptance has touched it: the person made it, and keeps it. */
function madeBefore({ path, after, before }: Wanted, found: Found, contents: Contents): Original | undefined {
  const content = contentOf(after, contents);
  const [start] = before;
  const isTouched = before.some((entry) => !isSame(entry, start)) || isSame(start, after);
  if (found.is !== 'file' || !after || !content || isTouched) return undefined;
  const mode = found.about.mode & 0o7777;
  if (found.bytes.equals(content)) return { path, former: { mode, id: after.id }, content: undefined };
  return { path, former: { mode }, content: found.bytes };
}

function isSame(a: Entry | undefined, b: Entry | undefined): boolean {
  return a?.id === b?.id && a?.mode === b?.mode;
}

function formerBytes({ id, hasCrlf }: Former, atStart: Buffer | undefined, contents: Contents): Buffer | undefined {
  if (id !== undefined) return contents.get(id);
  return atStart && hasCrlf ? withLineEnds(atStart) : atStart;
}

/** Describes the look of a place, to see later whether it is so still. */
function lookOf(found: Found): string {
  if (found.is === 'file') return `file ${createHash('sha256').update(found.bytes).digest('hex')} ${found.about.mode}`;
  return found.is === 'link' ? `link ${found.target}` : found.is;
}

/** Paths that no store of ours should hold: checked once more before anything is written. */
function isForbidden(path: string): boolean {
  return path.includes('\0') || path.split('/').some((step) => ['', '.', '..', '.git'].includes(step.toLowerCase()));
}
