import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { CommitId } from '../../core/ports/workshop.ts';
import { isThoughtTreeError, ThoughtTreeError } from '../../core/search/errors.ts';
import { oneLine } from '../../core/text/text.ts';
import { type Disk, systemDisk } from '../../store/files/replace-file.ts';
import { type ProcessIdentity, thisProcess } from '../../store/lease/process-identity.ts';
import type { GitStore } from '../git/git-store.ts';
import type { Former, Line } from '../line.ts';
import { acceptFailed, notPutBack } from '../messages.ts';
import { shownPaths } from '../shown.ts';
import { lookOf, type Original, type Plan, planSteps, type Way } from './plan-steps.ts';
import { removeStage, StagedSteps } from './take-steps.ts';
import { findAt } from './workspace-file.ts';
import { lockWorkspace } from './workspace-lock.ts';

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
    const way: Way = { from, to, isUnfinished: accepting !== undefined, before, ownFolder };
    const plan = await planSteps(workspace, store, way, signal);
    const lost = isBack ? [] : await this.#lostIn(plan);
    const over = isBack ? { accepted: undefined, before: undefined } : { accepted: to };
    const finish = (): Promise<void> =>
      line.change({ ...over, accepting: undefined, left: this.#now.accepting?.stages });
    if (plan.steps.length > 0) await this.#take(plan, to, finish, signal);
    else await finish();
    // All files are as they shall be, and the store has what was there before.
    await this.#clean();
    const changed = plan.steps.filter(({ found, content }) => found ?? content).length;
    return { changed, replaced: plan.originals.map(({ path }) => path), lost };
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
    const kept: Record<string, Former> = {};
    for (const { path, former, content } of originals)
      if (former) kept[path] = content ? { ...former, id: await this.#parts.store.keep(content) } : former;
    return kept;
  }

  /** The originals that git cannot bring back. */
  async #lostIn({ originals }: Plan): Promise<string[]> {
    if (originals.length === 0) return [];
    const committed = await this.#parts.store.committed();
    return originals.filter(({ path, entry }) => committed.get(path) !== entry.id).map(({ path }) => path);
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
