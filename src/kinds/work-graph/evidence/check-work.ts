import { noted } from '../../../core/messages/kept.ts';
import type { CommitId } from '../../../core/ports/workshop.ts';
import type { TreeNode } from '../../../core/tree/tree.ts';
import type { CheckItem, PlanFile } from '../plan/plan.ts';
import type { AtomFields, Evidence, Work } from '../run/tree/own-fields.ts';
import { shopOf, type WorkSearch } from '../run/work-search.ts';
import { CheckPlace } from './check-place.ts';
import { bounded, withWord } from './combine.ts';
import { guardOf } from './guarded-paths.ts';
import { type Looking, listed } from './look-at-check.ts';
import { Findings } from './look-at-items.ts';
import * as say from './messages.ts';
import { matcherOf } from './path-globs.ts';

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
  if (first) return { evidence: bounded(evidence, MOST_EVIDENCE), against: whyOf(checks, first) };
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

function whyOf(items: readonly CheckItem[], { item, seen, exitCode }: Evidence): string {
  const title = items[Number(item)]?.item ?? item;
  return [`${title}:`, exitCode === undefined ? '' : `exit code ${exitCode}.`, seen ?? ''].join(' ').trim();
}

/** Tells what the checks of earlier atoms say now, if one says that something no longer holds. */
async function redOfEarlier({ earlier }: CheckedWork, findings: Findings): Promise<string | undefined> {
  for (const { name, checks } of earlier) {
    const repeatable = checks.filter(isRepeatable);
    const red = withWord(await findings.of(repeatable), 'contradicted')[0];
    if (red) return `${name}: ${whyOf(repeatable, red)}`;
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
  const red = new Map(withWord(before, 'contradicted').map((each) => [each.item, each.seen ?? '']));
  return evidence.map((each) => {
    const seen = each.by === undefined ? red.get(each.item) : undefined;
    if (seen === undefined || each.word !== 'verified') return each;
    const told = search.show(say.oldCheckFails({ paths: listed(paths), seen }));
    return { ...each, word: 'uncheckable', seen: told.slice(0, 600).toWellFormed() };
  });
}
