import type { ReadStore } from '../../../core/ports/store.ts';
import type { SearchRecord } from '../../../core/search/record/search-record.ts';
import type { SearchFile } from '../../../core/search/search-file.ts';
import type { Tree } from '../../../core/tree/tree.ts';
import type { Investigation } from '../protocol/investigation.ts';
import type { ProfileName } from '../protocol/profiles.ts';
import { LastCall } from '../run/kept-data.ts';
import {
  findingsDocument,
  findingsIn,
  investigationIn,
  type Lead,
  leadsIn,
  readFindings,
} from '../run/read-investigation.ts';
import { type Imported, importedIn, type OurPart, restored } from './session-file.ts';

/** An investigation whose files and journal are read. */
export interface WholeInvestigation {
  readonly file: SearchFile;
  readonly tree: Tree;
  readonly record: SearchRecord;
  /** Its id for other programs. */
  readonly sessionId: string;
  /** Of committed nodes, by their ids. */
  readonly findings: ReadonlyMap<string, string>;
}

type Fields = Record<string, unknown>;

/** A file as it is derived from an investigation, before what an imported one keeps of its own file. */
export interface DerivedFile {
  readonly file: Fields;
  readonly nodes: Readonly<Record<string, Fields>>;
  readonly pending: Readonly<Record<string, Fields>>;
}

/** Returns an investigation in the file of older servers. What they have no field for is in `thoughtTree`. */
export async function writeSessionFile(search: {
  readonly file: SearchFile;
  readonly tree: Tree;
  readonly record: SearchRecord;
  readonly store: Pick<ReadStore, 'hashOf' | 'readDocument'>;
}): Promise<object> {
  const findings = await readFindings(search.store, search.tree, search.record);
  const { file, nodes, pending } = derivedFile({
    ...search,
    sessionId: sessionIdOf(search.file, search.store),
    findings,
  });
  const imported = importedIn(search.file);
  const whole = mapped(nodes, (fields, id) =>
    restored({ ...fields, findings: findingsAsTheyWere(imported, id, findings.get(id)) }, imported.nodes?.[id]),
  );
  const proposed = mapped(pending, (fields, id) => restored(fields, imported.pending?.[id]));
  const { nodes: _n, pendingProposals: _p, ...others } = file;
  const rest = restored(others, imported.file);
  return inUsualOrder({ ...rest, nodes: whole, ...withProposals(proposed, imported) });
}

/** The source adds this field to a file that has none. */
function withProposals(proposed: Fields, { file = {} }: Imported): Fields {
  const hadNone = file['pendingProposals'] !== undefined && file['pendingProposals'].was === undefined;
  return hadNone && Object.keys(proposed).length === 0 ? {} : { pendingProposals: proposed };
}

const ORDER = [
  'sessionId',
  'query',
  'projectDir',
  'minRoots',
  'currentRound',
  'currentBatch',
  'nodes',
  'pendingProposals',
  'usedAgentIds',
  'createdAt',
  'updatedAt',
];

function inUsualOrder(file: Fields): Fields {
  const place = (name: string): number => (ORDER.indexOf(name) + ORDER.length + 1) % (ORDER.length + 1);
  return Object.fromEntries(Object.entries(file).sort(([a], [b]) => place(a) - place(b)));
}

function mapped<T, U>(all: Readonly<Record<string, T>>, change: (value: T, id: string) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(all).map(([id, value]) => [id, change(value, id)]));
}

const NAMELESS = { id: '', title: '', state: '' };

/** Findings with the empty lines that an imported file had around them. */
function findingsAsTheyWere(imported: Imported, id: string, now: string | undefined): string | null {
  if (now === undefined) return null;
  const exact = imported.findings?.[id];
  if (exact !== undefined && findingsIn(findingsDocument({ ...NAMELESS, findings: exact.toWellFormed() })) === now)
    return exact;
  const [before, after] = imported.around?.[id] ?? ['', ''];
  return `${before}${now}${after}`;
}

/** Returns an investigation as a file has it, by what we know of it. */
export function derivedFile({ file, tree, record, sessionId, findings }: WholeInvestigation): DerivedFile {
  const at = investigationIn(file, tree, record);
  const nodes = Object.fromEntries(
    [...at.nodes.values()].map(({ id, parent, state, title, children, round }) => [
      id,
      { id, parent, state, title, findings: findings.get(id) ?? null, children: [...children], round },
    ]),
  );
  const proposed = [...at.pending.values()].sort((a, b) => a.proposedAt - b.proposedAt || (a.id < b.id ? -1 : 1));
  const pending = Object.fromEntries(proposed.map((proposal) => [proposal.id, { ...proposal }]));
  const createdAt = Date.parse(file.createdAt ?? '') || 0;
  const proposedAt = leadsIn(tree).map(({ own }) => own.proposedAt);
  const updatedAt = record.part(LastCall)?.time ?? Math.max(createdAt, 0, ...proposedAt);
  const { query, projectDir, minRoots, currentRound, currentBatch } = at;
  const usedAgentIds = agentsIn(tree);
  const { mode, minRounds, allowEarlyTerminal } = at;
  const common = { sessionId, query, projectDir, minRoots, currentRound, currentBatch };
  const whole = {
    ...common,
    nodes,
    pendingProposals: pending,
    usedAgentIds,
    createdAt,
    updatedAt,
    ...(at.profile === 'g3' && { mode, minRounds, allowEarlyTerminal }),
  };
  const ours = ourPart(file, tree, at, usedAgentIds);
  return { file: { ...whole, ...(ours && { thoughtTree: ours }) }, nodes, pending };
}

/** Returns the node of each agent, as the source keeps them; also of nodes that a person took out. */
function agentsIn(tree: Tree): Record<string, string> {
  return Object.fromEntries(committedIn(tree).flatMap(({ own }) => (own.agentId ? [[own.agentId, own.nodeId]] : [])));
}

/** Returns the committed nodes in the order in which they were, also those that a person took out. */
function committedIn(tree: Tree): Lead[] {
  const committed = leadsIn(tree).filter(({ own }) => own.state !== undefined);
  return committed.sort((a, b) => (a.own.order ?? 0) - (b.own.order ?? 0));
}

/** Returns the additional fields of our own investigation; undefined if there are none. */
function ourPart(
  file: SearchFile,
  tree: Tree,
  at: Investigation,
  agents: Readonly<Record<string, string>>,
): OurPart | undefined {
  const leads = committedIn(tree).filter(({ own }) => at.nodes.has(own.nodeId));
  const nodes = Object.fromEntries(
    leads.flatMap(({ own: { nodeId, plannedAction, proposedAt, commit = 0, agentId } }) => {
      const fields = {
        ...(plannedAction !== '' && { plannedAction }),
        ...(proposedAt !== 0 && { proposedAt }),
        ...(commit !== 0 && { commit }),
        ...(agentId && agents[agentId] !== nodeId && { agentId }),
      };
      return Object.keys(fields).length > 0 ? [[nodeId, fields] as const] : [];
    }),
  );
  const isStrict = at.profile === 'strict';
  const ours = {
    ...(at.profile !== profileLike(at) && { profile: at.profile }),
    ...(file.title !== file.prompt && { title: file.title }),
    ...(isStrict && { minRounds: at.minRounds }),
    ...(at.requireAgents && { requireAgents: true }),
    ...(Object.keys(nodes).length > 0 && { nodes }),
  };
  return Object.keys(ours).length > 0 ? ours : undefined;
}

/** The profile that a file is read with if it names none: by its states and fields. */
function profileLike(at: Pick<Investigation, 'nodes' | 'projectDir' | 'profile'>): ProfileName {
  return profileFrom(
    [...at.nodes.values()].map(({ state }) => state),
    at.profile === 'g3',
    at.projectDir === '',
  );
}

/** @param hasWishes whether it has the settings that only the latest source has @param isHomeless whether it names no folder */
export function profileFrom(states: readonly string[], hasWishes: boolean, isHomeless: boolean): ProfileName {
  if (hasWishes || states.includes('EXHAUST')) return 'g3';
  if (states.some((state) => ['DRILL', 'VALID', 'SPEC'].includes(state))) return 'g1';
  if (states.some((state) => ['EXPLORE', 'FOUND'].includes(state))) return 'g2';
  return isHomeless ? 'g1' : 'g2';
}

/**
 * Returns the id of an investigation for other programs; one that the engine leads has none, and gets the same each
 * time.
 */
export function sessionIdOf(
  { options, prompt, createdAt = '' }: SearchFile,
  { hashOf }: Pick<ReadStore, 'hashOf'>,
): string {
  const { sessionId } = options as { sessionId?: unknown };
  if (typeof sessionId === 'string') return sessionId;
  const hex = hashOf(`${createdAt}\n${prompt}`);
  const [a, b, c, d] = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(13, 16), hex.slice(17, 20)];
  return `${a}-${b}-4${c}-8${d}-${hex.slice(20)}`; // in the form of random ones, version 4
}
