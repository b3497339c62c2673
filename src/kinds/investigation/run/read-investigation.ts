import type { ReadStore } from '../../../core/ports/store.ts';
import { RUN_PROGRAM } from '../../../core/ports/workshop.ts';
import { type Conversation, isAnswer } from '../../../core/search/conversation.ts';
import { isThoughtTreeError } from '../../../core/search/errors.ts';
import type { SearchRecord } from '../../../core/search/record/search-record.ts';
import type { SearchFile } from '../../../core/search/search-file.ts';
import {
  type CheckedDocument,
  checkDocument,
  firstParagraph,
  parseDocument,
  writeDocument,
} from '../../../core/text/document.ts';
import { fenced, oneLine, withoutCode } from '../../../core/text/text.ts';
import { isPruned, pathOf, type Tree, type TreeNode, walk } from '../../../core/tree/tree.ts';
import type { KeptAnswers } from '../../../engine/kind.ts';
import { withoutNote } from '../../../engine/tools.ts';
import { citedDocument } from '../../../engine-parts/citations/cite-document.ts';
import { activeMarkdown, inertMarkdown } from '../../../engine-parts/citations/inert-markdown.ts';
import type { InvestigationOptions } from '../descriptor.ts';
import { importedIn } from '../exchange/session-file.ts';
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
import { type KeptCall, KeptCalls, keptCallOf, type OwnFields, ownFieldsOf, receiptOf } from './kept-data.ts';

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

/** Returns the calls that were accepted and whose files are not made yet. */
function unappliedIn({ offers }: SearchRecord): KeptCall[] {
  return offers.unapplied.flatMap(({ answers }) => answers.flatMap(({ result }) => keptCallOf(result) ?? []));
}

/** Returns all nodes of a tree that an investigation made. */
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

/** Returns a title as it was given. */
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

const LONGEST_SUMMARY = 300;

/** Findings as a document: nothing in it is loaded or run when it is shown; `escaped` in its front matter says so. */
export function findingsDocument(node: { id: string; title: string; state: string; findings: string }): string {
  const body = inertMarkdown(node.findings);
  const { title, state, id, findings } = node;
  const escaped = body === findings ? {} : { escaped: true };
  return writeDocument({ title, summary: summaryOf(state, findings), id, ...escaped }, body);
}

/** Returns what was found, in a line, for lists. */
export function summaryOf(state: string, findings: string): string {
  return oneLine(`${state}: ${firstParagraph(findings)}`, LONGEST_SUMMARY);
}

/** Returns the summary of a node without the state that stands before it. */
export function withoutState({ summary = '' }: Pick<TreeNode, 'summary'>): string {
  return withoutCode(summary);
}

/**
 * Returns the findings in a document, as they were committed or as a person edited them, without empty lines around
 * them.
 */
export function findingsIn(document: string): string {
  try {
    const { data, body } = parseDocument(document);
    return (data['escaped'] === true ? activeMarkdown(body) : body).trim();
  } catch {
    return document.trim(); // a person's front matter need not be valid
  }
}

/** Returns the findings of all committed nodes by their ids, also of those whose files are not made yet. */
export async function readFindings(
  store: Pick<ReadStore, 'readDocument'>,
  tree: Tree,
  record: SearchRecord,
): Promise<ReadonlyMap<string, string>> {
  const committed = leadsIn(tree).filter(({ own }) => own.state !== undefined);
  const read = committed.map(async ({ node, own }): Promise<[string, string][]> => {
    const document = await store.readDocument(pathOf(node));
    return document === undefined ? [] : [[own.nodeId, findingsIn(document)]];
  });
  const coming = unappliedIn(record).flatMap(({ change }) => (change.do === 'commit' ? change.results : []));
  return new Map([...(await Promise.all(read)).flat(), ...coming.map(({ id, findings }) => [id, findings] as const)]);
}

/**
 * Returns a node's document, made again from the commit that the journal keeps, or from the answer in its conversation.
 */
export async function documentAgain(node: TreeNode, kept: KeptAnswers): Promise<string | undefined> {
  const own = ownFieldsOf(node.file?.own);
  if (!own) return undefined;
  if (node.sessionId !== undefined) return await documentOfEngine(node, node.sessionId, kept);
  const { store } = kept;
  for (const event of (await store.readJournal()).toReversed()) {
    if (event.type !== 'offers-answered') continue;
    for (const { result } of event.answers) {
      const change = keptCallOf(result)?.change;
      const found = change?.do === 'commit' ? change.results.find(({ id }) => id === own.nodeId) : undefined;
      const title = own.title ?? node.file?.title ?? node.title;
      if (found) return findingsDocument({ ...found, title });
    }
  }
  return undefined;
}

/** Made from the model's answer, where the engine led. */
async function documentOfEngine(
  node: TreeNode,
  session: string,
  { store, workspaceText, folder }: KeptAnswers,
): Promise<string | undefined> {
  const conversation = await store.readConversation(session);
  const answer = conversation?.turns.findLast((turn) => isAnswer(turn) && turn.purpose !== 'propose-leads');
  if (!answer) return undefined;
  try {
    const checked = checkDocument(answer.text, node.title);
    const document = conversation ? withTried(checked, conversation, answer.text) : checked;
    return (await citedDocument({ workspaceText, folder }, node, document)).text;
  } catch (error) {
    if (isThoughtTreeError(error, 'bad-answer')) return undefined; // a person's own text need not pass our check
    throw error;
  }
}

const LONGEST_PROGRAM = 8000;
const LONGEST_OUTPUT = 4000;

/**
 * A document with the programs that were run for it, and what they printed, at its end: whoever reads that something was
 * tried can see how. What says that it was tried, where nothing was, is derived.
 * @param conversation which the answer ends, with the uses of tools on the way to it
 */
export function withTried(document: CheckedDocument, { turns }: Conversation, answer: string): CheckedDocument {
  const runs = runsIn(turns, answer);
  if (runs.length === 0) return claimsNothing(document);
  const parts = runs.map(
    ({ program, output }, at) =>
      `${at + 1}. The program:\n\n${fenced(program, 'text')}\n\nIts output:\n\n${fenced(output, 'text')}`,
  );
  const body = `${document.body}\n\n## Tried\n\n${parts.join('\n\n')}`;
  return { ...document, body, text: writeDocument(document.data, body) };
}

function claimsNothing(document: CheckedDocument): CheckedDocument {
  if (!document.text.includes('(tried)')) return document;
  const derived = <T>(value: T): T => JSON.parse(JSON.stringify(value).replaceAll('(tried)', '(derived)')) as T;
  const { data, body, summary, title } = derived({ ...document });
  return { data, body, summary, title, text: writeDocument(data, body) };
}

interface Run {
  readonly program: readonly string[];
  readonly output: readonly string[];
}

/** Returns the programs that ran between a question and its answer. */
function runsIn(turns: Conversation['turns'], answer: string): Run[] {
  const end = turns.findLastIndex((turn) => isAnswer(turn) && turn.text === answer);
  const begin = turns
    .slice(0, Math.max(0, end))
    .findLastIndex(({ role, toolResults }) => role === 'user' && !toolResults);
  const between = turns.slice(begin + 1, Math.max(0, end));
  const results = between.flatMap(({ toolResults = [] }) => toolResults);
  return between.flatMap(({ toolCalls = [] }) =>
    toolCalls.flatMap(({ id, name, input }): Run[] => {
      const result = results.find((each) => each.id === id);
      if (name !== RUN_PROGRAM || !result || result.isRefused) return [];
      return [
        {
          program: linesOf(programIn(input), LONGEST_PROGRAM),
          output: linesOf(withoutNote(result.text), LONGEST_OUTPUT),
        },
      ];
    }),
  );
}

function programIn(input: unknown): string {
  const { program, code, source, script } = (input ?? {}) as Readonly<Record<string, unknown>>;
  return String(program ?? code ?? source ?? script ?? '');
}

function linesOf(text: string, longest: number): string[] {
  return text.slice(0, longest).toWellFormed().trimEnd().split('\n');
}
