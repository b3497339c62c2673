import type { Message } from '../../core/messages/message.ts';
import type { JournalEvent } from '../../core/search/events.ts';
import type { EngineReceipt, Receipt } from '../../core/search/receipt.ts';
import { withPresentPaths } from '../../core/search/record/present-paths.ts';
import { pathOf, type TreeNode, walk } from '../../core/tree/tree.ts';
import { textHash } from '../../store/text-hash.ts';
import * as say from '../messages.ts';
import type { SearchOverview } from '../reader/search-overview.ts';
import type { Check, CheckResult } from './checks.ts';
import { type WrittenNode, writtenBySearch } from './written-by-search.ts';

/** Looks for the session file of an agent of a search, by its id. */
export type FindAgent = (overview: SearchOverview, agent: string) => Promise<boolean>;

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
export async function checkReceipts(overview: SearchOverview, isOwn: boolean, findAgent: FindAgent): Promise<Check[]> {
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
