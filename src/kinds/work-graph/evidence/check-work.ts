import { noted } from '../../../core/messages/message.ts';
import type { Checkout, CommitId, WorkOutcome, Workshop } from '../../../core/ports/workshop.ts';
import { ThoughtTreeError, toThoughtTreeError } from '../../../core/search/errors.ts';
import type { TreeNode } from '../../../core/tree/tree.ts';
import { consequenceOf } from '../../../engine/loop.ts';
import { workStopped } from '../../../engine/messages.ts';
import * as say from '../messages.ts';
import type { Check, CheckItem, PlanFile } from '../plan/plan.ts';
import type { AtomFields, Evidence, Word, Work } from '../run/own-fields.ts';
import { lastOf } from '../run/own-fields.ts';
import { shopOf, type WorkSearch } from '../run/work-search.ts';
import { guardOf } from './guarded-paths.ts';
import { isMatchable, matcherOf } from './path-globs.ts';

/** Work of an atom that is to become part of the accepted work. */
export interface CheckedWork {
  readonly search: WorkSearch;
  readonly plan: PlanFile;
  readonly node: TreeNode;
  readonly own: AtomFields;
  readonly work: Work;
  /** The accepted work with this work. */
  readonly candidate: CommitId;
  /** The checks of all atoms that are part of the accepted work, in their order. */
  readonly earlier: readonly { readonly name: string; readonly checks: readonly CheckItem[] }[];
  readonly signal: AbortSignal;
}

/** The findings about work. */
export interface Judged {
  readonly evidence: readonly Evidence[];
  /** Why it does not hold, in words; undefined if nothing speaks against it. */
  readonly against?: string | undefined;
}

const MOST_EVIDENCE = 100;

/**
 * Looks at work where it would be: its own checks, then those of the atoms that were joined before, each distinct one once.
 * What it is judged by is as it was before, unless its `touches` names it; then the check as it was runs, too.
 */
export async function judge(work: CheckedWork): Promise<Judged> {
  const changed = await changedGuards(work);
  if (changed.forbidden.length > 0)
    return { evidence: [], against: work.search.show(say.changedChecks({ paths: listed(changed.forbidden) })) };
  const { search, own, candidate, earlier } = work;
  const { checks = [] } = own;
  search.history.note({ type: 'progress', ...noted(say.checking(countsOf(own.name, checks, earlier))) });
  const findings = new Findings(lookingAt(work, candidate));
  const evidence = await findings.of(checks, assertedBy(work));
  const first = withWord(evidence, 'contradicted')[0];
  if (first) return { evidence: bounded(evidence, MOST_EVIDENCE), against: whyOf(checks, evidence, first) };
  const red = await redOfEarlier(work, findings);
  if (red !== undefined) return { evidence: bounded(evidence, MOST_EVIDENCE), against: red };
  const old = changed.again.length > 0 ? await asBefore(work, changed.again, evidence) : evidence;
  return { evidence: bounded(old, MOST_EVIDENCE) };
}

function countsOf(name: string, checks: readonly CheckItem[], earlier: CheckedWork['earlier']) {
  return { name, own: checks.length, earlier: earlier.reduce((sum, each) => sum + each.checks.length, 0) };
}

function lookingAt({ search, plan, node, signal }: CheckedWork, commit: CommitId): Looking {
  const place = new CheckPlace(shopOf(search), commit, signal);
  return { search, plan, node, commit, place, signal };
}

/** Returns what a person said of this very work. */
function assertedBy({ own, work }: CheckedWork): readonly Evidence[] {
  const at = work.commit ?? work.base;
  return (own.evidence ?? []).filter(({ by, commit }) => by !== undefined && commit === at);
}

function whyOf(items: readonly CheckItem[], evidence: readonly Evidence[], entry: Evidence): string {
  const { item, seen, exitCode } = decidedBy(evidence, entry);
  const places = item.split('.').map((_, i, steps) => steps.slice(0, i + 1).join('.'));
  const titles = places.map((place) => `${itemAt(items, place)?.item ?? place}:`);
  return [...titles, exitCode === undefined ? '' : `exit code ${exitCode}.`, seen ?? ''].join(' ').trim();
}

/** Tells what the checks of earlier atoms say now, if one says that something no longer holds. */
async function redOfEarlier({ earlier }: CheckedWork, findings: Findings): Promise<string | undefined> {
  for (const { name, checks } of earlier) {
    const repeatable = checks.filter(isRepeatable);
    const evidence = await findings.of(repeatable);
    const red = withWord(evidence, 'contradicted')[0];
    if (red) return `${name}: ${whyOf(repeatable, evidence, red)}`;
  }
  return undefined;
}

/** Tells whether an item can be looked at again at any time: no person and no model is asked. */
function isRepeatable({ check, all_of: all, any_of: any }: CheckItem): boolean {
  if (check) return !('assertion' in check || 'quality' in check);
  return (all ?? any ?? []).every(isRepeatable);
}

/**
 * The guarded files that the work changed: those that it may not, and those without which the checks run once more, as its
 * `touches` names them or they are new.
 */
async function changedGuards(work: CheckedWork): Promise<{ forbidden: string[]; again: string[] }> {
  const { search, own, plan, earlier } = work;
  const { base, commit } = work.work;
  if (commit === undefined) return { forbidden: [], again: [] };
  const shop = shopOf(search);
  const items = [...(own.checks ?? []), ...earlier.flatMap(({ checks }) => checks), ...plan.base_case];
  const guard = await guardOf(shop, base, items, plan.set_up);
  const { files } = await shop.diff(base, commit);
  const guarded = files.flatMap((file) => {
    const how = guard(file);
    return how ? [{ path: file.path, how }] : [];
  });
  const isAllowed = matcherOf(own.touches ?? []);
  const others = guarded.filter(({ path }) => !isAllowed(path));
  return {
    forbidden: others.filter(({ how }) => how === 'before').map(({ path }) => path),
    // A guard that its own work brought, and nobody asked for, decides nothing alone.
    again: [
      ...guarded.filter(({ path, how }) => how === 'before' && isAllowed(path)),
      ...others.filter(({ how }) => how === 'added'),
    ].map(({ path }) => path),
  };
}

/** Runs the checks with these files as they were: what holds only with the changed ones waits for a person. */
async function asBefore(work: CheckedWork, paths: string[], evidence: readonly Evidence[]): Promise<Evidence[]> {
  const { search, own, candidate } = work;
  const old = await shopOf(search).withPathsOf(candidate, work.work.base, paths);
  const before = await new Findings(lookingAt(work, old)).of(own.checks ?? [], assertedBy(work));
  const red = new Map(withWord(before, 'contradicted').map((each) => [each.item, decidedBy(before, each).seen ?? '']));
  return evidence.map((each) => {
    const seen = each.by === undefined ? red.get(each.item) : undefined;
    if (seen === undefined || each.word !== 'verified') return each;
    const told = search.show(say.oldCheckFails({ paths: listed(paths), seen }));
    return { ...each, word: 'uncheckable', seen: told.slice(0, 600).toWellFormed() };
  });
}

/** Finds out what checks say at one commit; each distinct one is looked at once, whoever asks. */
export class Findings {
  readonly #looking: Looking;
  readonly #known = new Map<string, Promise<Found>>();

  constructor(looking: Looking) {
    this.#looking = looking;
  }

  /**
   * Looks at every item.
   * @param asserted what a person said of items of this work: it counts, whatever the check
   */
  async of(items: readonly CheckItem[], asserted: readonly Evidence[] = []): Promise<Evidence[]> {
    const evidence: Evidence[] = [];
    for (const [i, item] of items.entries()) evidence.push(...(await this.#item(item, String(i), asserted)));
    return evidence;
  }

  /** Returns the entry of an item, followed by those of its parts. */
  async #item(item: CheckItem, place: string, asserted: readonly Evidence[]): Promise<Evidence[]> {
    const said = asserted.find((each) => each.item === place && each.by !== undefined);
    if (said) return [said];
    if (item.check) return [await this.#check(item.item, item.check, place)];
    const parts = item.all_of ?? item.any_of ?? [];
    const below: Evidence[][] = [];
    for (const [i, part] of parts.entries()) {
      const entries = await this.#item(part, `${place}.${i}`, asserted);
      below.push(entries);
      if (item.any_of && entries[0]?.word === 'verified') break; // one is enough
    }
    const words = below.flatMap(([own]) => (own ? [own.word] : []));
    const word = (item.any_of ? anyOf : allOf)(words);
    return [{ item: place, word, commit: this.#looking.commit, time: this.#time }, ...below.flat()];
  }

  async #check(item: string, check: Check, place: string): Promise<Evidence> {
    const key = JSON.stringify(check);
    const found = this.#known.get(key) ?? lookAt(this.#looking, item, check);
    this.#known.set(key, found);
    return { item: place, commit: this.#looking.commit, time: this.#time, ...(await found) };
  }

  get #time(): string {
    return new Date(this.#looking.search.clock.now()).toISOString();
  }
}

type Found = Pick<Evidence, 'word' | 'exitCode' | 'outputHash' | 'votes' | 'seen'>;

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
  return lastOf(search.show(message), LONGEST_SEEN);
}

async function lookAtFiles(looking: Looking, glob: string, isWanted: boolean): Promise<Found> {
  if (!isMatchable(glob)) return { word: 'uncheckable', seen: show(looking, say.intricateGlob({ glob })) };
  const paths = await shopOf(looking.search).pathsAt(looking.commit);
  const found = paths.filter(matcherOf([glob]));
  const holds = found.length > 0 === isWanted;
  const seen = found[0] ?? show(looking, say.noFile({ glob }));
  return { word: holds ? 'verified' : 'contradicted', seen: lastOf(seen, LONGEST_SEEN) };
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
  const seen = lastOf(output, LONGEST_SEEN);
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

/** One checkout for all checks, as they are run one after the other: it goes from commit to commit, and is kept. */
const NAME = 'check';

/** Where the checks of a commit are run: shown when the first one needs it. */
export class CheckPlace {
  readonly #workshop: Workshop;
  readonly #commit: CommitId;
  readonly #signal: AbortSignal;
  #checkout: Promise<Checkout> | undefined;

  constructor(workshop: Workshop, commit: CommitId, signal: AbortSignal) {
    this.#workshop = workshop;
    this.#commit = commit;
    this.#signal = signal;
  }

  open(): Promise<Checkout> {
    this.#checkout ??= this.#workshop.checkout(NAME, this.#signal, this.#commit);
    return this.#checkout;
  }
}

/** The first of these that some part has is that of all of them together. */
const WORST_FIRST: readonly Word[] = ['contradicted', 'uncheckable', 'reported', 'checked', 'verified'];

/** All have to hold: what cannot be checked is never a pass. */
export function allOf(words: readonly Word[]): Word {
  return WORST_FIRST.find((word) => words.includes(word)) ?? 'verified';
}

/** One is enough. Where none holds, one that cannot be checked here may still do: a person decides. */
export function anyOf(words: readonly Word[]): Word {
  const last = words.includes('uncheckable') ? 'uncheckable' : 'contradicted';
  return (['verified', 'checked', 'reported'] as const).find((word) => words.includes(word)) ?? last;
}

/** Tells whether every item of a checklist is verified; an empty one says nothing against it. */
export function isVerified(evidence: readonly Evidence[]): boolean {
  return allOf(topLevel(evidence).map(({ word }) => word)) === 'verified';
}

/** Returns the entries of the items themselves, without those of their parts, which count through them. */
export function topLevel(evidence: readonly Evidence[]): Evidence[] {
  return evidence.filter(({ item }) => !item.includes('.'));
}

/** The items that are found to be otherwise, or cannot be found out. */
export function withWord(evidence: readonly Evidence[], word: Word): Evidence[] {
  return topLevel(evidence).filter((each) => each.word === word);
}

/** Returns the entry of the check that decided about an item: of one with parts, the first with its word, at any depth. */
export function decidedBy(evidence: readonly Evidence[], entry: Evidence): Evidence {
  const below = `${entry.item}.`;
  const isPart = ({ item }: Evidence): boolean => item.startsWith(below) && !item.slice(below.length).includes('.');
  const part = evidence.find((each) => isPart(each) && each.word === entry.word);
  return part ? decidedBy(evidence, part) : entry;
}

/** Returns as many entries as are kept: parts go before items. */
export function bounded(evidence: readonly Evidence[], most: number): Evidence[] {
  return evidence.length <= most ? [...evidence] : topLevel(evidence).slice(0, most);
}

/** Returns the item at a place such as `2.1`; undefined if there is none. */
export function itemAt(items: readonly CheckItem[], place: string): CheckItem | undefined {
  let list = items;
  let found: CheckItem | undefined;
  for (const index of place.split('.')) {
    found = /^\d{1,4}$/.test(index) ? list[Number(index)] : undefined;
    if (!found) return undefined;
    list = found.all_of ?? found.any_of ?? [];
  }
  return found;
}
