import { createHash } from 'node:crypto';
import type { CommitId } from '../../core/ports/workshop.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import type { Entry } from '../git/git-repository.ts';
import type { GitStore } from '../git/git-store.ts';
import type { Former } from '../line.ts';
import { editedMeanwhile, ownFiles } from '../messages.ts';
import { hasOtherLineEnds, withLineEnds } from '../same-content.ts';
import { shownPaths } from '../shown.ts';
import { throwIfStopped } from '../stopped.ts';
import type { Step } from './take-steps.ts';
import { contentFor, type Found, findAt, matches } from './workspace-file.ts';

/** The number of files that are read from the store at once. */
const GROUP = 100;

/** Between which commits files are brought. */
export interface Way {
  /** The commits that files of the workspace may be at now, besides `to`. The first is the start of the work. */
  readonly from: readonly CommitId[];
  readonly to: CommitId;
  /** True if an interrupted acceptance was there before: a file that it made may be empty. */
  readonly isUnfinished: boolean;
  /** The files as they were before the first acceptance. */
  readonly before: Readonly<Record<string, Former>>;
  /** Of the search; relative to the workspace. */
  readonly ownFolder: string;
}

export interface Plan {
  readonly steps: readonly Step[];
  /** All paths that differ on the way: they are no obstacle to one another. */
  readonly paths: ReadonlySet<string>;
  /** The files to change or delete that are as at the start, with their content where the start does not tell that. */
  readonly originals: readonly Original[];
}

/** A file of the person that is about to be changed or deleted for the first time. */
export interface Original {
  readonly path: string;
  /** The entry that the start has in its place. */
  readonly entry: Entry;
  readonly former: Former | undefined;
  readonly content: Buffer | undefined;
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
export async function planSteps(workspace: string, store: GitStore, way: Way, signal: AbortSignal): Promise<Plan> {
  const { ownFolder, before } = way;
  const wanted = await wantedFiles(store, way);
  const isOwn = (path: string): boolean => path === ownFolder || path.startsWith(`${ownFolder}/`);
  const forbidden = wanted.map(({ path }) => path).filter((path) => isForbidden(path) || isOwn(path));
  if (forbidden.length > 0) throw new ThoughtTreeError('outside', ownFiles({ paths: shownPaths(forbidden) }));
  const paths = new Set(wanted.map(({ path }) => path));
  const steps: Step[] = [];
  const originals: Original[] = [];
  const edited: string[] = [];
  for (let at = 0; at < wanted.length; at += GROUP) {
    throwIfStopped(signal);
    const group = wanted.slice(at, at + GROUP);
    const kept = (path: string): string[] => (before[path]?.id === undefined ? [] : [before[path].id]);
    const entries = group.flatMap((each) => [each.after, ...each.before]).filter((entry) => entry !== undefined);
    const ids = new Set([...entries.map(({ id }) => id), ...group.flatMap(({ path }) => kept(path))]);
    const contents = await store.read([...ids]);
    for (const each of group) {
      const found = await findAt(workspace, each.path, paths);
      const former = way.to === way.from[0] ? before[each.path] : undefined;
      const step = stepOf(each, found, contents, former, way.isUnfinished);
      if (step === 'edited') edited.push(each.path);
      else if (step) {
        steps.push(step);
        const original = before[each.path] ? undefined : originalOf(each, found, contents);
        if (original) originals.push(original);
      }
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
  const known = before.find((entry) => matches(found, entry, of(entry), false));
  const isKnown = known !== undefined || (before.includes(undefined) && matches(found, undefined, undefined, false));
  // Its content is as it shall be, and only whether it can be run is not.
  if (!isKnown && !isEmptied && !matches(found, after, of(after), false)) return 'edited';
  const about = found.is === 'file' || found.is === 'link' ? found.about : undefined;
  const content =
    former && after
      ? { bytes: formerBytes(former, of(after) as Buffer, contents), mode: former.mode }
      : contentFor(found, known && of(known), after, of(after));
  return { path, found: about, was: lookOf(found), content };
}

function originalOf({ path, before: [entry] }: Wanted, found: Found, contents: Contents): Original | undefined {
  const content = contentOf(entry, contents);
  if (!entry || !content || !matches(found, entry, content, false)) return undefined;
  if (found.is !== 'file') return { path, entry, former: undefined, content: undefined };
  const mode = found.about.mode & 0o7777;
  if (found.bytes.equals(content)) return { path, entry, former: { mode }, content: undefined };
  if (hasOtherLineEnds(content, found.bytes))
    return { path, entry, former: { mode, hasCrlf: true }, content: undefined };
  return { path, entry, former: { mode }, content: found.bytes };
}

function formerBytes({ id, hasCrlf }: Former, atStart: Buffer, contents: Contents): Buffer {
  if (id !== undefined) return contents.get(id) as Buffer;
  return hasCrlf ? withLineEnds(atStart) : atStart;
}

/** Describes the look of a place, to see later whether it is so still. */
export function lookOf(found: Found): string {
  if (found.is === 'file') return `file ${createHash('sha256').update(found.bytes).digest('hex')} ${found.about.mode}`;
  return found.is === 'link' ? `link ${found.target}` : found.is;
}

/** Paths that no store of ours should hold: checked once more before anything is written. */
function isForbidden(path: string): boolean {
  return path.includes('\0') || path.split('/').some((step) => ['', '.', '..', '.git'].includes(step.toLowerCase()));
}
