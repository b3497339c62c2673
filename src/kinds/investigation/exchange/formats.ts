import pLimit from 'p-limit';
import type { Format, IncomingWishes } from '../../../core/kind/kind-format.ts';
import type { Store } from '../../../core/ports/store.ts';
import { SearchRecord } from '../../../core/search/record/search-record.ts';
import { FORMAT_VERSION, type SearchFile } from '../../../core/search/search-file.ts';
import { oneLine } from '../../../core/text/text.ts';
import type { NodeData } from '../../../core/tree/node-file.ts';
import { childSlug, SiblingNames } from '../../../core/tree/slug.ts';
import { listOf, pathOf, Tree, type TreeNode } from '../../../core/tree/tree.ts';
import { INVESTIGATION_FORMATS, MOST_ROUNDS } from '../descriptor.ts';
import { referencesIn } from '../protocol/evidence.ts';
import { roundOf } from '../protocol/investigation.ts';
import { PROFILES, type ProfileName, profileOf } from '../protocol/profiles.ts';
import { dotOf } from '../protocol/replies.ts';
import { LONGEST_ACTION } from '../run/call-schemas.ts';
import type { OwnFields } from '../run/kept-data.ts';
import { findingsDocument, findingsIn, investigationIn, readFindings, summaryOf } from '../run/read-investigation.ts';
import {
  type FileNode,
  type FileProposal,
  type Imported,
  isSessionFile,
  leftoversOf,
  type OurPart,
  readSessionFile,
  type SessionFile,
} from './session-file.ts';
import { derivedFile, profileFrom, sessionIdOf, writeSessionFile } from './write-session-file.ts';

/** A node as it will be on disk. */
interface PlannedLead {
  readonly path: string;
  readonly file: NodeData;
  /** Undefined if nothing was found, or not yet. */
  readonly document: string | undefined;
  /** Undefined for a proposal, which gets no children.json. */
  readonly children: readonly { readonly title: string; readonly slug: string }[] | undefined;
}

/** An investigation as it will be on disk; parents before children, the root's list first. */
interface PlannedInvestigation {
  readonly file: SearchFile;
  readonly roots: PlannedLead['children'];
  readonly leads: readonly PlannedLead[];
}

/** Longer texts are cut in node.json, and kept whole with what else is kept of the file. */
const LONGEST_TITLE = 1000;

/** Returns a file of older servers, or of ours, as files of a search. */
function planSessionImport(said: SessionFile, wishes: IncomingWishes): PlannedInvestigation {
  const tree = new Tree('');
  const nodes = Object.values(said.nodes);
  const order = new Map(nodes.map(({ id }, i) => [id, i]));
  const agents = new Map(Object.entries(said.usedAgentIds ?? {}).map(([agent, id]) => [id, agent]));
  const ours = said.thoughtTree?.nodes ?? {};
  const all = [...nodes, ...Object.values(said.pendingProposals ?? {})];
  const below = Map.groupBy(all, ({ parent }) => parent);
  const places = new Map<string | null, TreeNode>([[null, tree.root]]);
  for (const [parent, above] of places) {
    const slugs = new SiblingNames();
    for (const lead of below.get(parent) ?? []) {
      const slug = childSlug(`${lead.id} ${lead.title}`, pathOf(above), slugs);
      slugs.add(slug);
      const own =
        'state' in lead
          ? committedOwn(lead as FileNode, { order: order.get(lead.id) as number, agent: agents.get(lead.id), ours })
          : proposedOwn(lead as FileProposal);
      places.set(lead.id, tree.add(above, slug, { file: nodeData(lead, slug, own, below.has(lead.id)) }));
    }
  }
  const documents = new Map(nodes.flatMap((node) => (node.findings == null ? [] : [[node.id, documentOf(node)]])));
  const file = searchFile(said, wishes, tree, documents);
  const placed = [...places].flatMap(([id, node]) => (id === null ? [] : [{ id, node }]));
  return {
    file,
    roots: listOf(tree.root),
    leads: placed.map(({ id, node }) => ({
      path: pathOf(node),
      file: node.file as NodeData,
      document: documents.get(id),
      children: order.has(id) ? listOf(node) : undefined,
    })),
  };
}

function textsOf({ id, title: given }: { id: string; title: string }) {
  const title = oneLine(given.toWellFormed(), LONGEST_TITLE) || 'Untitled';
  const kept = given.toWellFormed().slice(0, LONGEST_TITLE);
  return { title, own: { nodeId: id, ...(kept !== title && { title: kept }) } };
}

function proposedOwn(lead: FileProposal): OwnFields {
  const plannedAction = lead.plannedAction.toWellFormed().slice(0, LONGEST_ACTION);
  return { ...textsOf(lead).own, round: roundOf(lead.id), plannedAction, proposedAt: lead.proposedAt ?? 0 };
}

interface CommittedParts {
  readonly order: number;
  readonly agent: string | undefined;
  readonly ours: NonNullable<OurPart['nodes']>;
}

/** Returns a committed node's fields; no agent counts as verified, since that was done elsewhere. */
function committedOwn(lead: FileNode, { order, agent, ours }: CommittedParts): OwnFields {
  const mine = Object.hasOwn(ours, lead.id) ? ours[lead.id] : undefined;
  const { plannedAction = '', proposedAt = 0, commit } = mine ?? {};
  const agentId = [mine?.agentId, agent].find((id) => id !== undefined && id !== '' && id.length <= 100);
  return {
    ...textsOf(lead).own,
    round: lead.round ?? roundOf(lead.id),
    plannedAction: plannedAction.slice(0, LONGEST_ACTION),
    proposedAt,
    state: lead.state,
    order,
    ...(commit !== undefined && { commit }),
    ...(agentId !== undefined && { agentId }),
  };
}

function nodeData(lead: FileNode | FileProposal, slug: string, own: OwnFields, hasChildren: boolean): NodeData {
  const { title } = textsOf(lead);
  const base = { title, slug, own: own as NonNullable<NodeData['own']> };
  if (!own.state) return { ...base, status: 'unexpanded' };
  const summary = summaryOf(own.state, String(lead['findings'] ?? ''));
  const ends = hasChildren ? ({ status: 'expanded' } as const) : ({ status: 'leaf', leafReason: 'model' } as const);
  return { ...base, ...ends, summary };
}

function documentOf({ id, title, state, findings }: FileNode): string {
  return findingsDocument({ id, title: title.toWellFormed(), state, findings: (findings ?? '').toWellFormed() });
}

function searchFile(
  said: SessionFile,
  wishes: IncomingWishes,
  tree: Tree,
  documents: ReadonlyMap<string, string>,
): SearchFile {
  const { nodes, query, thoughtTree = {} } = said;
  const profile = profileIn(said);
  const prompt = query.toWellFormed() === '' ? 'Untitled' : query.toWellFormed();
  const title = wishes.title ?? thoughtTree.title ?? wishes.titleFrom(prompt);
  const minRounds = profile === 'g3' ? said['minRounds'] : thoughtTree.minRounds;
  const options = {
    profile,
    sessionId: said.sessionId,
    ...textOption('projectDir', said.projectDir),
    ...(isWhole(said.minRoots, 1000) && { minRoots: said.minRoots }),
    ...(isWhole(minRounds, MOST_ROUNDS) && { minRounds }),
    ...(['smoke', 'deep', 'exhaustive'].includes(String(said['mode'])) && { mode: said['mode'] }),
    ...(typeof said['allowEarlyTerminal'] === 'boolean' && { allowEarlyTerminal: said['allowEarlyTerminal'] }),
    ...(thoughtTree.requireAgents === true && { requireAgents: true }),
  };
  const base = {
    version: FORMAT_VERSION,
    kind: 'investigation',
    title: oneLine(title, LONGEST_TITLE) || 'Untitled',
    prompt,
    createdAt: dateIn(said.createdAt) ?? new Date(wishes.now).toISOString(),
  };
  const counted = importedCounts(said, profile);
  const file: SearchFile = { ...base, options: { ...options, ...(counted && { imported: counted }) } };
  const findings = new Map([...documents].map(([id, document]) => [id, findingsIn(document)]));
  const derived = derivedFile({ file, tree, record: new SearchRecord(), sessionId: said.sessionId, findings });
  const kept = { ...counted, ...leftoversIn(said, derived), ...findingsKept(nodes, findings) };
  return { ...base, options: { ...options, ...(Object.keys(kept).length > 0 && { imported: kept }) } } as SearchFile;
}

function profileIn({ nodes, projectDir, thoughtTree, ...more }: SessionFile): ProfileName {
  const named = PROFILES.find((name) => name === thoughtTree?.profile);
  const states = Object.values(nodes).map(({ state }) => state);
  const hasWishes = ['mode', 'minRounds', 'allowEarlyTerminal'].some((name) => Object.hasOwn(more, name));
  return named ?? profileFrom(states, hasWishes, (projectDir ?? '') === '');
}

function textOption(name: string, value: string | undefined): object {
  return value !== undefined && value !== '' && value.length <= 1000 ? { [name]: value } : {};
}

function isWhole(value: unknown, most: number): value is number {
  return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= most;
}

function dateIn(moment: number | string | undefined): string | undefined {
  const time = new Date(moment ?? '');
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

/** Returns what only the file tells of the past: counted rounds, commits, and agents of unknown nodes. */
function importedCounts(said: SessionFile, profile: ProfileName): Imported | undefined {
  const { nodes, usedAgentIds = {}, thoughtTree = {} } = said;
  const usedAgents = Object.keys(usedAgentIds).filter((id) => !Object.hasOwn(nodes, usedAgentIds[id] as string));
  const isCounted = profileOf({ profile }).rounds === 'counted';
  const { currentRound = 1, currentBatch = 0 } = said;
  const rounds = profileOf({ profile }).minRounds;
  const counts = [currentRound, currentBatch].every((count) => Number.isInteger(count) && count >= 0);
  const minRounds = profile === 'g3' ? Number(said['minRounds'] ?? rounds) : (thoughtTree.minRounds ?? rounds);
  const progress = {
    currentRound,
    currentBatch,
    minRounds: isWhole(minRounds, MOST_ROUNDS) ? minRounds : rounds,
    allowEarlyTerminal: said['allowEarlyTerminal'] === true,
    commits: Math.max(0, ...Object.values(thoughtTree.nodes ?? {}).map(({ commit = 0 }) => commit)),
    hasEnded: false,
  };
  const isNeeded = counts && (isCounted || currentBatch !== 0);
  if (!isNeeded && usedAgents.length === 0) return undefined;
  return { ...(isNeeded && { progress }), ...(usedAgents.length > 0 && { usedAgents }) };
}

/** Returns every field that would be written otherwise. */
function leftoversIn(said: SessionFile, derived: ReturnType<typeof derivedFile>): Imported {
  const { nodes, pendingProposals, ...others } = said;
  const { nodes: _n, pendingProposals: _p, ...own } = derived.file;
  const inFile = leftoversOf(others, own);
  const file = { ...inFile, ...(pendingProposals === undefined && { pendingProposals: { as: {} } }) };
  const ofNodes = leftoversOfAll(nodes, derived.nodes);
  const ofPending = leftoversOfAll(pendingProposals ?? {}, derived.pending);
  return {
    ...(Object.keys(file).length > 0 && { file }),
    ...(Object.keys(ofNodes).length > 0 && { nodes: ofNodes }),
    ...(Object.keys(ofPending).length > 0 && { pending: ofPending }),
  };
}

function leftoversOfAll(
  said: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
  derived: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
): NonNullable<Imported['nodes']> {
  return Object.fromEntries(
    Object.entries(said).flatMap(([id, fields]) => {
      // The findings have a document, and are compared by themselves.
      const { findings = undefined, ...others } = fields;
      const { findings: _, ...own } = derived[id] ?? {};
      const isMissing = 'state' in fields && findings === undefined;
      const kept = leftoversOf(isMissing ? others : { ...others, findings: null }, { ...own, findings: null });
      return kept ? [[id, isMissing ? { ...kept, findings: { as: null } } : kept] as const] : [];
    }),
  );
}

/** Findings that a document does not give back exactly. */
function findingsKept(nodes: SessionFile['nodes'], read: ReadonlyMap<string, string>): Imported {
  const around: Record<string, [string, string]> = {};
  const findings: Record<string, string> = {};
  for (const { id, findings: was } of Object.values(nodes)) {
    const now = read.get(id);
    if (was == null || now === undefined || was === now) continue;
    const at = was.indexOf(now);
    const ends: [string, string] = [was.slice(0, at), was.slice(at + now.length)];
    if (at >= 0 && ends.every((end) => end.trim() === '')) around[id] = ends;
    else findings[id] = was;
  }
  return {
    ...(Object.keys(around).length > 0 && { around }),
    ...(Object.keys(findings).length > 0 && { findings }),
  };
}

const [TREE_OF_THOUGHTS, DOT, REFERENCES] = INVESTIGATION_FORMATS;
/** Nodes that are written at the same time. */
const WRITES_AT_ONCE = 32;

/** The file that older servers keep an investigation in: its name is all that they know it by. */
const treeOfThoughts: Format = {
  name: TREE_OF_THOUGHTS,
  write: writeSessionFile,
  fileName: (_, search) => `${nameOf(search)}.json`,
  notes: () => [],
  reader: {
    of: 'json',
    is: isSessionFile,
    read(value, wishes) {
      const planned = planSessionImport(readSessionFile(value), wishes);
      const { file, leads } = planned;
      const writeTo = (store: Store, signal?: AbortSignal) => writePlanned(planned, wishes, store, signal);
      return { file, nodes: leads.length, notes: [], writeTo };
    },
  },
};

/** The graph, for Graphviz. */
const dot: Format = {
  name: DOT,
  write: async ({ file, tree, record }) => `${dotOf(investigationIn(file, tree, record))}\n`,
  fileName: (_, search) => `${nameOf(search)}.tot-graph.dot`,
  notes: () => [],
};

/** The references that were looked at, a line each. */
const references: Format = {
  name: REFERENCES,
  async write({ file, tree, record, store }) {
    const findings = await readFindings(store, tree, record);
    const { nodes } = investigationIn(file, tree, record);
    const all = referencesIn([...nodes.keys()].map((id) => findings.get(id) ?? ''));
    return all.map((reference) => `${reference}\n`).join('');
  },
  fileName: (_, search) => `${nameOf(search)}.references.txt`,
  notes: () => [],
};

export const investigationFormats: readonly Format[] = [treeOfThoughts, dot, references];

function nameOf({ file, store }: Parameters<Format['fileName']>[1]): string {
  const id = sessionIdOf(file, store);
  return /^\w[\w-]{0,99}$/.test(id) ? id : 'investigation';
}

/** Writes the files of an investigation that only has a search.json. */
async function writePlanned(
  { roots, leads }: PlannedInvestigation,
  { newId }: IncomingWishes,
  store: Store,
  signal?: AbortSignal,
): Promise<void> {
  const limit = pLimit(WRITES_AT_ONCE);
  const levels = Map.groupBy(leads, ({ path }) => path.split('/').length);
  for (const level of levels.values())
    await limit.map(level, async ({ path, file, document, children }) => {
      signal?.throwIfAborted();
      await store.writeNode(path, { id: newId(), ...file });
      if (document !== undefined) await store.writeDocument(path, document);
      if (children) await store.writeChildren(path, [...children]);
    });
  if (roots && roots.length > 0) await store.writeChildren('', [...roots]);
}
