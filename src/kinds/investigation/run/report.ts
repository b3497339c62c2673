import type { Message } from '../../../core/messages/message.ts';
import { countReceipts, type Receipt } from '../../../core/search/events.ts';
import type { SearchRecord } from '../../../core/search/record/search-record.ts';
import type { SearchFile } from '../../../core/search/search-file.ts';
import type { Tree, TreeNode } from '../../../core/tree/tree.ts';
import type { SearchContext } from '../../../engine/context.ts';
import type { LedStanding } from '../../../engine/kind.ts';
import { inertMarkdown } from '../../../engine-parts/citations/inert-markdown.ts';
import { documentLink, webAddress } from '../../../engine-parts/report/link-target.ts';
import { type Finding, inShort } from '../../../engine-parts/report/report-lines.ts';
import { interimNotice } from '../../../engine-parts/report/report-writing.ts';
import { plainLine } from '../../../engine-parts/report/safe-markdown.ts';
import { importedIn } from '../exchange/session-file.ts';
import * as say from '../messages.ts';
import { isRefuted, lacking, lackOf, whyNotEnd } from '../protocol/ending.ts';
import { referencesIn } from '../protocol/evidence.ts';
import type { CommittedNode, Investigation } from '../protocol/investigation.ts';
import { profileOf, ruleOf } from '../protocol/profiles.ts';
import { solutionsOf } from '../protocol/replies.ts';
import { KeptCalls, receiptOf } from './kept-data.ts';
import { investigationIn, leadsIn, readFindings, withoutState } from './read-investigation.ts';

const LONGEST_LINE = 300;
const MOST_SOURCES = 100;

/** Writes the report of an investigation: what was found first, then what was not, and where it was looked. No model is asked. */
export async function writeInvestigationReport(ctx: SearchContext): Promise<void> {
  const { tree, history, store, file, show } = ctx;
  const at = investigationIn(file, tree, history.past);
  const findings = await readFindings(store, tree, history.past);
  const places = new Map(leadsIn(tree).map(({ node, own }) => [own.nodeId, node]));
  const section = (title: Message, nodes: readonly CommittedNode[]): string[] =>
    nodes.length === 0 ? [] : [`## ${show(title)}`, nodes.map((node) => nodeLine(node, places)).join('\n')];
  const all = [...at.nodes.values()];
  const found = solutionsOf(at);
  const { theory } = profileOf(at);
  const isOpen = whyNotEnd(at) !== undefined;
  const receipts = countReceipts(all.flatMap(({ id }) => receiptIn(places.get(id), history.past) ?? []));
  const parts = [
    `# ${plainLine(file.title, LONGEST_LINE)}`,
    ...interimNotice(ctx),
    ...(found.length > 0
      ? inShort(
          found.map((node) => findingOf(node, places)),
          show,
        )
      : [show(ctx.closing.isInterim ? say.noAnswerYet() : (whyNoAnswer(ctx) ?? say.noAnswer()))]),
    ...(isOpen ? [show(say.notEnded({ why: needsOf(at, (id) => nameIn(at, id)) }))] : []),
    ...(file.prompt.trim() === file.title ? [] : [`> ${plainLine(file.prompt, LONGEST_LINE * 3)}`]),
    ...section(say.solutions(), found),
    ...section(
      say.theories(),
      all.filter(({ state }) => state === theory),
    ),
    ...section(
      say.refuted(),
      all.filter((node) => isRefuted(at, node)),
    ),
    ...section(
      say.deadEnds(),
      all.filter(({ state }) => state === 'DEAD'),
    ),
    ...section(say.open(), openIn(at)),
    ...sourceLines(referencesIn(all.map(({ id }) => findings.get(id) ?? '')), show),
    show(say.rounds({ count: at.currentRound, nodes: all.length })),
    ...(receipts && receipts.agent + receipts.unverified > 0 ? [show(say.receipts(receipts))] : []),
  ];
  await store.writeReport(inertMarkdown(`${parts.join('\n\n')}\n`));
}

/**
 * Says why there is no answer and no theory either, if a model looked that only looks for words; undefined for any
 * other.
 */
export function whyNoAnswer({ model, tree, history, file }: SearchContext): Message | undefined {
  if (model.prose !== false) return undefined;
  const at = investigationIn(file, tree, history.past);
  const { theory } = profileOf(at);
  const hasTheory = [...at.nodes.values()].some(({ state }) => state === theory);
  return hasTheory || solutionsOf(at).length > 0 ? undefined : say.noAnswerInWords({ model: model.name });
}

function receiptIn(node: TreeNode | undefined, record: SearchRecord): Receipt | undefined {
  return node && receiptOf(node, record);
}

function openIn(at: Investigation): CommittedNode[] {
  return [...at.nodes.values()].filter((node) => lackOf(at, node) !== undefined && !isRefuted(at, node));
}

/** Returns the title of a lead or of a proposal: a report is read by people, who know no ids. */
function nameIn({ nodes, pending }: Investigation, id: string): string {
  const title = plainLine((nodes.get(id) ?? pending.get(id))?.title ?? '', LONGEST_LINE);
  return title === '' ? id : `"${title}"`;
}

function findingOf({ id, title }: CommittedNode, places: ReadonlyMap<string, TreeNode>): Finding {
  const node = places.get(id);
  return { node, title: title || id, summary: node ? withoutState(node) : '' };
}

function nodeLine(committed: CommittedNode, places: ReadonlyMap<string, TreeNode>): string {
  const { node, title, summary } = findingOf(committed, places);
  const name = plainLine(title, LONGEST_LINE);
  const said = plainLine(summary, LONGEST_LINE);
  return `- ${node ? `[${name}](${documentLink(node)})` : name}${said === '' ? '' : `: ${said}`}`;
}

function sourceLines(references: readonly string[], show: SearchContext['show']): string[] {
  if (references.length === 0) return [];
  const lines = references.slice(0, MOST_SOURCES).map((reference) => {
    const page = webAddress(reference);
    return page === undefined ? `- ${plainLine(reference, LONGEST_LINE)}` : `- <${page}>`;
  });
  return [`## ${show(say.sources())}`, lines.join('\n')];
}

/** Says how far an investigation is that an agent leads: its round, and what it needs next. */
export function ledStanding(file: SearchFile, tree: Tree, record: SearchRecord): LedStanding {
  const at = investigationIn(file, tree, record);
  const { currentRound: round, minRounds: least } = at;
  // A clone has no journal to tell of an end: what could end counts as ended.
  const isKnown = record.part(KeptCalls)?.progress !== undefined || importedIn(file).progress !== undefined;
  const hasEnded = at.hasEnded || (!isKnown && whyNotEnd(at) === undefined);
  const rounds = round > least ? say.ledRound({ round }) : say.ledRoundOf({ round, least });
  return { hasEnded, say: say.ledByAgent({ rounds, needs: needsOf(at) }) };
}

/** Says what an investigation needs next. @param nameOf names a lead; by default by its id, as agents do */
function needsOf(at: Investigation, nameOf: (id: string) => string = (id) => id): Message {
  const [pending, ...others] = at.pending.keys();
  if (pending !== undefined)
    return others.length === 0
      ? say.needsFindings({ id: nameOf(pending) })
      : say.needsMoreFindings({ count: 1 + others.length });
  if (at.nodes.size === 0) return say.needsFirst();
  const profile = profileOf(at);
  const [lack] = lacking(at, profile.endNeeds);
  if (lack) {
    const { node, needs, has } = lack;
    const id = nameOf(node.id);
    if (ruleOf(profile, node.state).asksFor === 'VERIFY') return say.needsCheck({ id });
    return needs - has === 1 ? say.needsOneLead({ id }) : say.needsTwoLeads({ id });
  }
  if (at.currentRound < at.minRounds) return say.needsRound({ round: at.currentRound + 1 });
  return whyNotEnd(at) === undefined ? say.mayEnd() : say.needsDeadEnds();
}
