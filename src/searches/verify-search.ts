import { type CheckedCitation, placeText } from '../core/citations/citation.ts';
import { type CitationRecord, recordsIn } from '../core/citations/citation-marks.ts';
import type { Message } from '../core/messages/message.ts';
import { type EngineReceipt, FOUND, type JournalEvent, type Receipt } from '../core/search/events.ts';
import { withPresentPaths } from '../core/search/record/nodes-seen.ts';
import { parseLeniently } from '../core/text/document.ts';
import { oneLine } from '../core/text/text.ts';
import type { NodeData } from '../core/tree/node-file.ts';
import { joinedPath } from '../core/tree/slug.ts';
import { pathOf, type TreeNode, walk } from '../core/tree/tree.ts';
import type { Kinds } from '../engine/kind.ts';
import { checkCitations } from '../engine-parts/citations/check-citations.ts';
import { isOwnJournal } from '../store/open-store.ts';
import { type Instant, momentIn } from '../store/past/moment.ts';
import { textHash } from '../store/system-ports.ts';
import { findAgents } from './agent-sessions.ts';
import { overviewAt } from './history/past-overview.ts';
import * as say from './messages.ts';
import { lazyWorkspaceText } from './open-search.ts';
import type { Place } from './place.ts';
import type { SearchOverview } from './reader/search-overview.ts';
import { ownUse } from './trust/own-search.ts';
import { ownKey } from './trust/state-folder.ts';

/** A search, and everything about it that was checked. */
export interface Verified {
  readonly overview: SearchOverview;
  readonly checks: readonly Check[];
}

/**
 * Checks again every receipt and every citation of a search: against its journal and its conversations, and against the files
 * of the workspace. Changes nothing.
 */
export async function verifySearch(kinds: Kinds, place: Place, findAgent: FindAgent = findOwn): Promise<Verified> {
  const overview = await overviewAt(kinds, place.folder);
  const receipts = await checkReceipts(overview, await hasOwnJournal(place, overview.reader.at), findAgent);
  return { overview, checks: [...receipts, ...(await citationChecks(overview, place))] };
}

/** Tells whether this user's programs wrote all of the journal, where it is. */
async function hasOwnJournal(place: Place, at: Instant | undefined): Promise<boolean> {
  const folder = momentIn(place.folder)?.folder ?? place.folder;
  const key = ownKey();
  const { isHere } = await ownUse(folder, undefined, at);
  return isHere && key !== undefined && (await isOwnJournal(folder, key));
}

async function citationChecks({ tree, store }: SearchOverview, { workspace }: Place): Promise<Check[]> {
  const text = lazyWorkspaceText(workspace);
  try {
    const checks: Check[] = [];
    for (const node of walk(tree.root)) {
      const path = pathOf(node);
      const document = node.parent ? await store.readDocument(path) : undefined;
      if (document === undefined) continue;
      const body = parseLeniently(document).body;
      const records = recordsIn(node.file?.quotations);
      for (const citation of await checkCitations(text, body, records)) {
        const judgement = citation.saysNothing ? NOTHING_SAID : judged(citation, records);
        checks.push({ path, what: 'citation', about: placeText(citation), ...judgement });
      }
    }
    return checks;
  } finally {
    await text.close();
  }
}

/** Of a quotation without any words, such as a bracket. */
const NOTHING_SAID = { result: 'unknown', why: say.noWords() } as const;

/** A file that is not here any more cannot say whether what was once found in it is true. */
function judged(
  { path, mark, opens, fingerprint }: CheckedCitation,
  records: readonly CitationRecord[],
): Pick<Check, 'result' | 'why'> {
  if (mark === 'verified' || mark === 'moved') return { result: 'holds' };
  const was = records.find((record) => record.path === path && record.fingerprint === fingerprint)?.mark;
  if (!opens && was !== undefined && was !== 'not_found') return { result: 'unknown', why: say.fileNotHere() };
  return { result: 'fails', why: mark === 'stale' ? say.quotationStale() : say.quotationNotFound() };
}

/** Looks for the session file of an agent of a search, by its id. */
export type FindAgent = (overview: SearchOverview, agent: string) => Promise<boolean>;

/** Looks in the session files of agents in this user's own folder. */
const findOwn: FindAgent = async ({ file }, agent) => {
  const { projectDir } = file.options as { projectDir?: unknown };
  const setup = { profile: 'strict' as const, projectDir: typeof projectDir === 'string' ? projectDir : '' };
  return (await findAgents(setup, [{ id: agent }], process.env))[agent] === 'found';
};

/** The evidence against which receipts are checked. */
interface Evidence {
  readonly overview: SearchOverview;
  /** This user's programs wrote the journal. */
  readonly isOwn: boolean;
  readonly written: ReadonlyMap<string, WrittenNode>;
  readonly calls: ReadonlyMap<string, { model: string; isAnswered: boolean }>;
  readonly findAgent: FindAgent;
}

type Verdict = readonly [CheckResult, Message?];

/** Checks again how the nodes of a search came about; nothing for kinds without receipts. */
async function checkReceipts(overview: SearchOverview, isOwn: boolean, findAgent: FindAgent): Promise<Check[]> {
  const journal = withPresentPaths(await overview.store.readJournal());
  const evidence = { overview, isOwn, written: writtenBySearch(journal), calls: callsIn(journal), findAgent };
  const checks: Check[] = [];
  for (const node of walk(overview.tree.root)) {
    const receipt = overview.claimOf(node);
    if (!receipt) continue;
    const [result, why] = await checkReceipt(evidence, node, receipt);
    checks.push({ path: pathOf(node), what: 'receipt', about: aboutOf(receipt), result, why });
  }
  return checks;
}

function aboutOf(receipt: Receipt): string {
  return receipt.by === 'engine' ? receipt.model : (receipt.agent ?? '');
}

function callsIn(journal: readonly JournalEvent[]): Evidence['calls'] {
  const calls = new Map<string, { model: string; isAnswered: boolean }>();
  for (const event of journal) {
    if (event.type === 'adopted') calls.clear();
    if (event.type === 'call-started') calls.set(event.call, { model: event.model, isAnswered: false });
    const begun = event.type === 'call-ended' && event.outcome === 'ok' ? calls.get(event.call) : undefined;
    if (begun) begun.isAnswered = true;
  }
  return calls;
}

async function checkReceipt(evidence: Evidence, node: TreeNode, receipt: Receipt): Promise<Verdict> {
  if (receipt.by === 'unverified') return ['unknown', say.noReceipt()];
  const { isOwn, overview, findAgent } = evidence;
  const changed = isOwn ? await changeOf(evidence, node) : undefined;
  if (changed) return ['fails', changed];
  if (receipt.by === 'engine') return await checkCall(evidence, node, receipt);
  if (await findAgent(overview, receipt.agent)) return isOwn ? ['holds'] : ['unknown', say.foreignJournal()];
  return ['unknown', say.noSession({ agent: receipt.agent })];
}

/** Finds what somebody changed of a node since the search wrote it; undefined if nothing. */
async function changeOf({ overview, written }: Evidence, node: TreeNode): Promise<Message | undefined> {
  const path = pathOf(node);
  const last = written.get(path);
  if (!last) return say.notInJournal();
  if (JSON.stringify(sorted(node.file?.own)) !== JSON.stringify(sorted(last.own))) return say.nodeEdited();
  const document = await overview.store.readDocument(path);
  return document === undefined || textHash(document) !== last.document ? say.documentEdited() : undefined;
}

function sorted(own: object | undefined): [string, unknown][] {
  return Object.entries(own ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Checks that the call was made, and asked and answered what the receipt says. */
async function checkCall(
  { overview, isOwn, calls }: Evidence,
  node: TreeNode,
  { call: id, model, prompt, answer }: EngineReceipt,
): Promise<Verdict> {
  const call = calls.get(id);
  if (isOwn && (!call?.isAnswered || call.model !== model)) return ['fails', say.untoldCall({ call: id, model })];
  const conversation = node.sessionId === undefined ? undefined : await overview.store.readConversation(node.sessionId);
  const at = conversation?.turns.findLastIndex((turn) => turn.call === id && turn.role === 'assistant') ?? -1;
  const given = conversation?.turns[at];
  if (!conversation || !given) return ['unknown', say.noConversation()];
  const asked = conversation.turns.slice(0, at).findLast(({ role, toolResults }) => role === 'user' && !toolResults);
  if (textHash(given.text) !== answer || textHash(asked?.text ?? '') !== prompt) return ['fails', say.otherWords()];
  return isOwn ? ['holds'] : ['unknown', say.foreignJournal()];
}

/** A node as a search wrote it last, according to its journal; changes found in the folder are no part of it. */
interface WrittenNode {
  readonly own: NodeData['own'] | undefined;
  /** The hash of its document. */
  readonly document: string | undefined;
}

const FOUND_BY: ReadonlySet<string | undefined> = new Set(Object.values(FOUND));

/**
 * Returns what a search wrote of its nodes last, by their slug paths.
 * @param journal with paths as they are now
 */
function writtenBySearch(journal: readonly JournalEvent[]): ReadonlyMap<string, WrittenNode> {
  const written = new Map<string, WrittenNode>();
  const write = (path: string, { own, document }: Partial<WrittenNode>): void => {
    const before = written.get(path);
    written.set(path, { own: own ?? before?.own, document: document ?? before?.document });
  };
  for (const event of journal) {
    if (event.type === 'adopted') written.clear();
    if ('by' in event && FOUND_BY.has(event.by)) continue;
    if (event.type === 'node-status') write(event.node, event as Partial<WrittenNode>);
    if (event.type === 'node-added')
      for (const child of event.children) write(joinedPath(event.node, child.slug), child as Partial<WrittenNode>);
  }
  return written;
}

/** The result of a check; `unknown` means that it cannot be checked here. */
type CheckResult = 'holds' | 'fails' | 'unknown';

/** One thing that was checked again. */
export interface Check {
  /** Slug path of its node. */
  readonly path: string;
  readonly what: 'receipt' | 'citation';
  /** Who the receipt names, or the place that is cited. */
  readonly about: string;
  readonly result: CheckResult;
  /** Why it does not hold, or cannot be checked. */
  readonly why?: Message | undefined;
}

/** The number of checks of one sort with each result. */
export type CheckCounts = Readonly<Record<CheckResult, number>>;

/** Counts checks of one sort. */
export function countChecks(checks: readonly Check[], what: Check['what']): CheckCounts {
  const counts = { holds: 0, fails: 0, unknown: 0 };
  for (const check of checks) if (check.what === what) counts[check.result]++;
  return counts;
}

/** Returns a check that does not hold, or cannot be made here, in a line. */
export function checkText({ path, about, result, why }: Check, show: (message: Message) => string): string {
  const what = about === '' ? '' : ` (${oneLine(about, 200)})`;
  const said = show(result === 'fails' ? say.fails() : say.cannotCheck());
  return `${oneLine(path, 1000)}${what}: ${said}${why ? `. ${show(why)}` : ''}`;
}

/** Returns the numbers of receipts and of citations with each result, for people. */
export function countTexts(checks: readonly Check[]): Message[] {
  return [
    say.checked({ what: say.receipts(), ...countChecks(checks, 'receipt') }),
    say.checked({ what: say.citations(), ...countChecks(checks, 'citation') }),
  ];
}
