import type { SearchRecord } from '../../../core/search/record/search-record.ts';
import type { SearchFile } from '../../../core/search/search-file.ts';
import { isPruned, type Tree, type TreeNode, walk } from '../../../core/tree/tree.ts';
import { importedIn } from '../exchange/imported.ts';
import type { InvestigationOptions } from '../face.ts';
import { highestRound } from '../protocol/commit.ts';
import {
  type CommittedNode,
  changed,
  type Investigation,
  type Progress,
  type Proposal,
  progressAtStart,
  type Setup,
} from '../protocol/investigation.ts';
import { profileOf } from '../protocol/profiles.ts';
import { setupFor } from '../protocol/start.ts';
import { receiptOf } from '../receipts.ts';
import { type KeptCall, KeptCalls, keptCallOf } from './kept-change.ts';
import { type OwnFields, ownFieldsOf } from './own-fields.ts';

/** A node of the tree, and what the investigation keeps of it. */
export interface Lead {
  readonly node: TreeNode;
  readonly own: OwnFields;
}

/** Returns the setup of an investigation, according to its search.json. */
export function setupIn({ prompt, options }: Pick<SearchFile, 'prompt' | 'options'>): Setup {
  const { profile = 'strict', sessionId = '', minRounds, requireAgents, ...asked } = options as InvestigationOptions;
  // None is what the profile says: the protocol has rounds.
  const rounds = minRounds || undefined;
  const person = { sessionId, minRounds: rounds, requireAgents };
  const started = setupFor(profile, { ...asked, query: prompt, minRounds: rounds }, person);
  return { ...started, minRounds: rounds ?? started.minRounds };
}

/**
 * An investigation as its files and its journal say: with every call that was accepted, also where the files are not
 * made from it yet.
 */
export function investigationIn(
  file: Pick<SearchFile, 'prompt' | 'options'>,
  tree: Tree,
  record: SearchRecord,
): Investigation {
  const setup = setupIn(file);
  const leads = leadsIn(tree);
  const committed = leads.filter(({ own }) => own.state !== undefined).sort(inOrder);
  const uncut = committed.filter(({ node }) => !isCut(node));
  const nodes = new Map(uncut.map((lead) => [lead.own.nodeId, committedNode(lead, uncut, record)]));
  const agents = committed.flatMap(({ own }) => own.agentId || []);
  const found = {
    ...setup,
    nodes,
    pending: pendingIn(leads, nodes),
    usedAgents: new Set([...agents, ...(importedIn(file).usedAgents ?? [])]),
    cutIds: new Set(committed.flatMap(({ node, own }) => (isCut(node) ? own.nodeId : []))),
  };
  const kept = record.part(KeptCalls)?.progress ?? importedIn(file).progress;
  const progress = progressIn(setup, found, kept, committed);
  const unapplied = unappliedIn(record);
  const begun: Investigation = { ...found, ...progress };
  return unapplied.reduce((at: Investigation, { change }) => changed(at, change), begun);
}

/** The calls that were accepted and whose files are not made yet. */
export function unappliedIn({ offers }: SearchRecord): KeptCall[] {
  return offers.unapplied.flatMap(({ answers }) => answers.flatMap(({ result }) => keptCallOf(result) ?? []));
}

/** All nodes of a tree that an investigation made. */
export function leadsIn(tree: Tree): Lead[] {
  return [...walk(tree.root)].flatMap((node) => {
    const own = ownFieldsOf(node.file?.own);
    return own ? { node, own } : [];
  });
}

function isCut(node: TreeNode): boolean {
  return isPruned(node);
}

function inOrder(a: Lead, b: Lead): number {
  return (a.own.order ?? 0) - (b.own.order ?? 0);
}

/** A title as it was given. */
export function titleOf({ node, own }: Lead): string {
  return own.title ?? node.file?.title ?? node.title;
}

function parentOf({ node }: Lead): string | null {
  return ownFieldsOf(node.parent?.file?.own)?.nodeId ?? null;
}

function committedNode(lead: Lead, all: readonly Lead[], record: SearchRecord): CommittedNode {
  const { node, own } = lead;
  const below = new Set(node.children);
  const children = all.filter((each) => below.has(each.node)).map((each) => each.own.nodeId);
  const { nodeId: id, round, commit = 0, agentId } = own;
  const isVerified = own.isVerified || receiptOf(node, record)?.by === 'engine' || undefined;
  const state = own.state as CommittedNode['state'];
  return { id, parent: parentOf(lead), state, title: titleOf(lead), round, children, commit, agentId, isVerified };
}

function pendingIn(leads: readonly Lead[], nodes: ReadonlyMap<string, unknown>): Map<string, Proposal> {
  const open = leads.filter(({ node, own }) => own.state === undefined && !isCut(node) && !nodes.has(own.nodeId));
  const sorted = open.toSorted((a, b) => a.own.proposedAt - b.own.proposedAt);
  return new Map(
    sorted.map((lead) => {
      const { nodeId: id, plannedAction, proposedAt } = lead.own;
      return [id, { id, parent: parentOf(lead), title: titleOf(lead), plannedAction, proposedAt }];
    }),
  );
}

/** @param kept what was counted, as the journal knows it; a clone has none, and reckons with what is there */
function progressIn(
  setup: Setup,
  at: Pick<Investigation, 'nodes'>,
  kept: Progress | undefined,
  committed: readonly Lead[],
): Progress {
  const profile = profileOf(setup);
  const begun = progressAtStart(setup);
  const commits = Math.max(kept?.commits ?? 0, ...committed.map(({ own }) => own.commit ?? 0));
  const currentRound = profile.rounds === 'highest' ? highestRound(at) : (kept?.currentRound ?? highestRound(at));
  const minRounds =
    profile.name === 'g3' ? (kept?.minRounds ?? begun.minRounds) : Math.max(kept?.minRounds ?? 0, begun.minRounds);
  const { allowEarlyTerminal } = (profile.name === 'g3' && kept) || begun;
  return {
    currentRound,
    currentBatch: kept?.currentBatch ?? 0,
    minRounds,
    allowEarlyTerminal,
    commits,
    hasEnded: kept?.hasEnded ?? false,
  };
}
