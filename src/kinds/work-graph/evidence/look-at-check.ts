import type { CommitId, WorkOutcome } from '../../../core/ports/workshop.ts';
import { ThoughtTreeError, toThoughtTreeError } from '../../../core/search/errors.ts';
import type { TreeNode } from '../../../core/tree/tree.ts';
import { consequenceOf } from '../../../engine/loop/consequence.ts';
import { workStopped } from '../../../engine/messages.ts';
import type { Check, PlanFile } from '../plan/plan.ts';
import type { Evidence } from '../run/tree/own-fields.ts';
import { shortened } from '../run/tree/tries.ts';
import type { WorkSearch } from '../run/work-search.ts';
import { shopOf } from '../run/work-search.ts';
import type { CheckPlace } from './check-place.ts';
import * as say from './messages.ts';
import { isMatchable, matcherOf } from './path-globs.ts';

export type Found = Pick<Evidence, 'word' | 'exitCode' | 'outputHash' | 'votes' | 'seen'>;

export interface Looking {
  readonly search: WorkSearch;
  readonly plan: PlanFile;
  /** The work that is looked at. */
  readonly commit: CommitId;
  /** Where commands are run: a checkout of that commit. */
  readonly place: CheckPlace;
  /** The atom that it is about; undefined for the goal. */
  readonly node?: TreeNode | undefined;
  readonly signal: AbortSignal;
}

/** The time that a check may take, in seconds, if the plan does not say. */
const USUAL_SECONDS = 600;
const LONGEST_SEEN = 560;
/** The exit codes of a shell where a program is missing, or may not be run. */
const NOT_RUN: readonly (number | undefined)[] = [126, 127];

/**
 * Looks at one check, once.
 * @throws ThoughtTreeError `aborted`, or if the search cannot go on, such as `declined`
 */
export async function lookAt(looking: Looking, item: string, check: Check): Promise<Found> {
  if ('assertion' in check) return { word: 'uncheckable', seen: show(looking, say.personSays()) };
  if ('quality' in check) return await lookAtQuality(looking, item, check.quality);
  if ('file' in check) return await lookAtFiles(looking, check.file, true);
  if ('not_file' in check) return await lookAtFiles(looking, check.not_file, false);
  return await lookAtCommand(looking, check);
}

function show({ search }: Looking, message: Parameters<WorkSearch['show']>[0]): string {
  return shortened(search.show(message), LONGEST_SEEN);
}

async function lookAtFiles(looking: Looking, glob: string, isWanted: boolean): Promise<Found> {
  if (!isMatchable(glob)) return { word: 'uncheckable', seen: show(looking, say.intricateGlob({ glob })) };
  const paths = await shopOf(looking.search).pathsAt(looking.commit);
  const found = paths.filter(matcherOf([glob]));
  const holds = found.length > 0 === isWanted;
  const seen = found[0] ?? show(looking, say.noFile({ glob }));
  return { word: holds ? 'verified' : 'contradicted', seen: shortened(seen, LONGEST_SEEN) };
}

type CommandCheck = Extract<Check, { command: string } | { not_command: string }>;

async function lookAtCommand(looking: Looking, check: CommandCheck): Promise<Found> {
  const line = 'command' in check ? check.command : check.not_command;
  const timeoutMs = (check.timeout ?? USUAL_SECONDS) * 1000;
  try {
    const checkout = await looking.place.open();
    const outcome = await checkout.run({ line, rights: 'read', timeoutMs }, looking.signal);
    if (outcome.stopped === 'search') throw new ThoughtTreeError('aborted', workStopped(), { charged: false });
    return foundBy(looking, outcome, 'command' in check);
  } catch (error) {
    if (consequenceOf(error) !== 'fail') throw error;
    return { word: 'uncheckable', seen: show(looking, toThoughtTreeError(error).say) };
  }
}

/** A command that did not run here says nothing, whichever way it was meant. */
function foundBy(looking: Looking, outcome: WorkOutcome, isToSucceed: boolean): Found {
  const { exitCode, outputHash, output, stopped, strayed } = outcome;
  const seen = shortened(output, LONGEST_SEEN);
  const told = { ...(exitCode !== undefined && { exitCode }), outputHash: outputHash.slice(0, 128) };
  if (strayed.length > 0)
    return { ...told, word: 'uncheckable', seen: show(looking, say.changedOutside({ paths: listed(strayed) })) };
  if (exitCode === undefined) {
    const why = stopped === 'output' ? say.tooMuchOutput() : say.tookTooLong();
    return { ...told, word: 'uncheckable', seen: show(looking, why) };
  }
  if (NOT_RUN.includes(exitCode)) return { ...told, word: 'uncheckable', seen: seen || show(looking, say.cannotRun()) };
  const holds = (exitCode === 0) === isToSucceed;
  return { ...told, word: holds ? 'verified' : 'contradicted', ...(seen && { seen }) };
}

/** Some paths in one line. */
export function listed(paths: readonly string[]): string {
  const shown = paths.slice(0, 10).map((path) => path.slice(0, 100));
  return paths.length > shown.length ? `${shown.join(', ')}, …` : shown.join(', ');
}

async function lookAtQuality(
  looking: Looking,
  item: string,
  quality: Extract<Check, { quality: unknown }>['quality'],
): Promise<Found> {
  const { search, node, commit, plan, signal } = looking;
  const { judge } = search.roles;
  if (!judge) return { word: 'uncheckable', seen: show(looking, say.noJudge()) };
  try {
    const votes = (await judge({ node, item, quality, commit, plan }, signal)).slice(0, 20);
    if (votes.length === 0) return { word: 'uncheckable', seen: show(looking, say.noVotes()) };
    const mean = votes.reduce((sum, vote) => sum + vote, 0) / votes.length;
    const seen = show(looking, say.votes({ mean: mean.toFixed(2), threshold: quality.threshold }));
    return { word: mean >= quality.threshold ? 'verified' : 'contradicted', votes, seen };
  } catch (error) {
    if (consequenceOf(error) !== 'fail') throw error;
    return { word: 'uncheckable', seen: show(looking, toThoughtTreeError(error).say) };
  }
}
