import type { CommitId } from '../../core/ports/workshop.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import type { Entry, GitStore } from '../git/git-store.ts';
import { editedMeanwhile, ownFiles } from '../messages.ts';
import { shownPaths } from '../shown.ts';
import { throwIfStopped } from '../stopped.ts';
import { type Step, takeSteps } from './take-steps.ts';
import { type Found, findAt, matches, stepFor } from './workspace-file.ts';

/** How many files are read from the store at once. */
const GROUP = 100;

/** Which commits an acceptance is between. */
export interface Acceptance {
  readonly start: CommitId;
  /** What was accepted before; the start if nothing was. */
  readonly accepted: CommitId;
  readonly tip: CommitId;
  /** Of the search; relative to the workspace. */
  readonly ownFolder: string;
}

/** What a file is to become, and what it may be now. */
interface Wanted {
  readonly path: string;
  readonly after: Entry | undefined;
  readonly before: readonly (Entry | undefined)[];
}

/**
 * Brings what is between the start and the tip into the files of a workspace: all of it, or nothing. Whatever is neither as
 * it was, nor as it shall be, was changed by the person and stops it. Done again after a kill, it goes on.
 * @throws ThoughtTreeError `edited` naming those files; `outside` for files that no work may change
 */
export async function acceptInto(
  workspace: string,
  store: GitStore,
  acceptance: Acceptance,
  signal: AbortSignal,
): Promise<void> {
  const wanted = await wantedFiles(store, acceptance);
  const isOwn = (path: string): boolean => path === acceptance.ownFolder || path.startsWith(`${acceptance.ownFolder}/`);
  const forbidden = wanted.map(({ path }) => path).filter((path) => isForbidden(path) || isOwn(path));
  if (forbidden.length > 0) throw new ThoughtTreeError('outside', ownFiles({ paths: shownPaths(forbidden) }));
  const paths = new Set(wanted.map(({ path }) => path));
  const steps: Step[] = [];
  const edited: string[] = [];
  for (let at = 0; at < wanted.length; at += GROUP) {
    throwIfStopped(signal);
    const group = wanted.slice(at, at + GROUP);
    const entries = group.flatMap(({ after, before }) => [after, ...before]).filter((entry) => entry !== undefined);
    const contents = await store.read([...new Set(entries.map(({ id }) => id))]);
    for (const each of group) {
      const found = await findAt(workspace, each.path, paths);
      const step = stepOf(each, found, contents);
      if (step === 'edited') edited.push(each.path);
      else if (step) steps.push(step);
    }
  }
  if (edited.length > 0) throw new ThoughtTreeError('edited', editedMeanwhile({ paths: shownPaths(edited) }));
  await takeSteps(workspace, steps, signal);
}

async function wantedFiles(store: GitStore, { start, accepted, tip }: Acceptance): Promise<Wanted[]> {
  const whole = await store.changes(start, tip);
  const since = accepted === start ? whole : await store.changes(accepted, tip);
  const atStart = new Map(whole.map((change) => [change.path, change]));
  const atAccepted = new Map(since.map((change) => [change.path, change]));
  return [...new Set([...atStart.keys(), ...atAccepted.keys()])].sort().map((path) => {
    const [one, other] = [atStart.get(path), atAccepted.get(path)];
    const after = (one ?? other)?.after;
    return { path, after, before: [one ? one.before : after, other ? other.before : after] };
  });
}

/** What has to be done with a file; nothing if it is as it shall be. */
function stepOf(
  { path, after, before }: Wanted,
  found: Found,
  contents: ReadonlyMap<string, Buffer>,
): Step | 'edited' | undefined {
  const of = (entry: Entry | undefined): Buffer | undefined => entry && contents.get(entry.id);
  if (matches(found, after, of(after), true)) return undefined;
  const known = before.find((entry) => matches(found, entry, of(entry), false));
  const isKnown = known !== undefined || (before.includes(undefined) && matches(found, undefined, undefined, false));
  // Its content is as it shall be, and only whether it can be run is not.
  if (!isKnown && !matches(found, after, of(after), false)) return 'edited';
  return stepFor(path, found, known && of(known), after, of(after));
}

/** Paths that no store of ours should hold: checked once more before anything is written. */
function isForbidden(path: string): boolean {
  return path.includes('\0') || path.split('/').some((step) => ['', '.', '..', '.git'].includes(step.toLowerCase()));
}
