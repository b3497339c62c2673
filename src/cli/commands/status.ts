import type { Command } from 'commander';
import { UNKNOWN_TERMS } from '../../core/kind/kind-descriptor.ts';
import type { Message } from '../../core/messages/message.ts';
import { formatDuration } from '../../core/money/figures.ts';
import type { Forecast } from '../../core/money/forecast.ts';
import { ledWords, stateOf } from '../../core/search/messages.ts';
import { withoutMissing } from '../../core/search/search-file.ts';
import { oneLine } from '../../core/text/text.ts';
import { pathOf, type TreeNode, walk } from '../../core/tree/tree.ts';
import { type Kind, type KindStatus, type Kinds, loadKind } from '../../engine/kind.ts';
import { overviewAt } from '../../searches/history/past-overview.ts';
import { answerOf, findingsOf, type SearchOverview } from '../../searches/reader/search-overview.ts';
import { forecastLeft } from '../../searches/search-forecast.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { forkOf } from '../messages.ts';
import { searchFolder, shownPath } from '../options/options.ts';
import * as say from '../rows/messages.ts';
import {
  citationsText,
  leftText,
  limitText,
  offerObject,
  offerTexts,
  problemText,
  receiptsOf,
  receiptsText,
} from '../rows/texts.ts';
import { countsRow, treeRows } from '../rows/tree-rows.ts';
import { formatSpend } from '../terminal/figures.ts';
import { labelled, labelPart, type Row, renderRow, terminalOf } from '../terminal/terminal.ts';
import { inWords, kindText, l10n } from '../terminal/translation.ts';

/** The most rows of the tree that are shown. */
const LONGEST_TREE = 500;

/** `status DIR`. */
export function addStatus(program: Command, end: (code: ExitCode) => void, kinds: Kinds): void {
  program
    .command('status')
    .description(l10n.t('show the tree, the statuses and the spend of a search, even while it runs'))
    .argument('<dir>', l10n.t("the search's folder"))
    .option('--json', l10n.t('one JSON object on stdout'))
    .action(async (dir: string, { json }: { json?: boolean }) => {
      const overview = await overviewAt(kinds, await searchFolder(dir));
      const left = await forecastLeft(overview, kinds);
      const kind = await loadKind(kinds, overview.file).catch(() => undefined); // one of a newer version can still be shown
      const said = kind?.extras.status?.(overview.tree, overview.record);
      const terminal = terminalOf(process);
      if (json) terminal.out.line(JSON.stringify(statusObject(overview, left, said), undefined, 2));
      else {
        const columns = process.stdout.isTTY ? process.stdout.columns || 80 : Number.POSITIVE_INFINITY;
        for (const row of statusRows(overview, left, kind, said))
          terminal.out.line(renderRow(row, columns, terminal.out.palette));
        for (const problem of overview.problems) terminal.err.line(problemText(problem));
      }
      await terminal.out.drained();
      end(EXIT.finished);
    });
}

/** Returns a search for people. */
function statusRows(
  overview: SearchOverview,
  left: Forecast | undefined,
  kind: Kind | undefined,
  said: KindStatus | undefined,
): Row[] {
  const { file, tree, results, free, limits, folder } = overview;
  const { guards } = limits;
  const prompt = oneLine(file.prompt, 1000);
  const rows: Row[] = [[{ text: file.title, style: 'bold' }]];
  if (prompt !== file.title) rows.push(labelled(l10n.t('Question'), prompt));
  if (file.forkedFrom) rows.push(labelled(l10n.t('Origin'), inWords(forkOf(file.forkedFrom))));
  const { at } = overview.reader;
  if (at) rows.push(labelled(l10n.t('As of'), inWords(say.asOf({ event: at.seq, time: at.time }))));
  rows.push(labelled(l10n.t('State'), stateText(overview)));
  if (!overview.led || overview.model !== undefined)
    rows.push(labelled(l10n.t('Model'), overview.model ?? inWords(say.notNamed())));
  if (overview.judge !== undefined) rows.push(labelled(l10n.t('Judge'), overview.judge));
  if (!overview.free) rows.push(labelled(l10n.t('May see'), inWords(READS[overview.read]())));
  const bounds = (['calls', 'tokens', 'usd', 'minutes'] as const).flatMap((guard) =>
    guards[guard] === undefined ? [] : limitText(guard, guards[guard]),
  );
  const depth = inWords(say.depthOf({ depth: limits.maxDepth }));
  rows.push(labelled(l10n.t('Limits'), [limits.size, depth, ...bounds].join(', ')));
  const spend = `${formatDuration(results.minutes * 60_000)} · ${formatSpend(results, free)}`;
  const count = overview.callsUnderWay;
  rows.push(labelled(l10n.t('Spend'), count > 0 ? inWords(say.underWay({ spend, count })) : spend));
  if (left) rows.push(labelled(l10n.t('Left'), leftText(left, free)));
  const answer = answerText(overview);
  if (answer !== undefined) rows.push(labelled(l10n.t('Answer'), answer));
  const citations = citationsText(walk(tree.root));
  if (citations !== undefined) rows.push(labelled(l10n.t('Quotations'), citations));
  for (const [i, older] of overview.record.edits.inWords(tree).entries())
    rows.push(labelled(i === 0 ? l10n.t('Older') : '', inWords(older)));
  const receipts = receiptsText(overview);
  if (receipts !== undefined) rows.push(labelled(l10n.t('Receipts'), receipts));
  rows.push(labelled(l10n.t('Files'), shownPath(folder)));
  const descriptor = kind?.descriptor ?? { words: UNKNOWN_TERMS };
  const { words } = descriptor;
  rows.push([labelPart(kindText(words.label)), ...countsRow(tree.counts, words)]);
  for (const [i, text] of offerTexts(overview.record.offers.open, Date.now()).entries())
    rows.push(labelled(i === 0 ? l10n.t('Offers') : '', text));
  for (const { label, lines } of said?.rows ?? [])
    for (const [i, line] of lines.entries()) rows.push(labelled(i === 0 ? inWords(label) : '', inWords(line)));
  rows.push([]);
  const drawn = kind?.extras.textTree?.(file, tree).map((text): Row => [{ text }]);
  return [...rows, ...(drawn ?? treeRows(tree, LONGEST_TREE, descriptor))];
}

/** The words for what models may see of the folder, in words. */
const READS = { nothing: say.seesNothing, quotes: say.seesQuotes, tools: say.seesTools } as const;

const NO_ANSWER = { none: say.noneFound, unwritten: say.noneWritten, pruned: say.answerPruned } as const;

/** Returns the answer; where nobody wrote it down, the last thought of the solution, or where to read on. */
function answerText(overview: SearchOverview): string | undefined {
  const answer = answerOf(overview);
  if (typeof answer === 'object') return answer.text;
  if (answer === undefined) return undefined;
  return inWords(NO_ANSWER[answer]());
}

function stateText({ state, led, holder, reason }: SearchOverview): string {
  const known = inWords(heldBy(stateOf({ state, led }), holder));
  return reason ? `${known}: ${inWords(reason)}` : known;
}

function heldBy(state: Message, holder: SearchOverview['holder']): Message {
  if (!holder) return state;
  const { pid, host, since } = holder;
  return since ? say.heldBySince({ state, pid, host, since }) : say.heldBy({ state, pid, host });
}

/** Returns a search for programs. */
function statusObject(overview: SearchOverview, left: Forecast | undefined, said: KindStatus | undefined): object {
  const { file, state, model, limits, tree, results, holder, problems, reason = ledWords(overview) } = overview;
  const nodes = [...walk(tree.root)]
    .filter(({ parent }) => parent !== undefined)
    .map((node) => ({
      ...nodeObject(node),
      ...withoutMissing({ receipt: overview.receiptOf(node)?.by }),
      ...(overview.record.edits.isOlderNode(node) && { isOlder: true }),
      ...said?.ofNode(node),
    }));
  return {
    title: file.title,
    prompt: file.prompt,
    kind: file.kind,
    state,
    ...withoutMissing({ reason: reason?.text, model: model ?? file.model, judge: overview.judge }),
    read: overview.read,
    limits,
    counts: tree.counts,
    results: { ...results, ...withoutMissing({ [file.kind]: findingsOf(overview) }) },
    ...withoutMissing({ left, holder, offers: offersOf(overview), receipts: receiptsOf(overview) }),
    problems,
    nodes,
  };
}

/** Returns the offers that somebody outside may take and answer; undefined if there are none. */
function offersOf({ record }: SearchOverview): object[] | undefined {
  const now = Date.now();
  const offers = record.offers.open.map((each) => offerObject(each, now));
  return offers.length === 0 ? undefined : offers;
}

function nodeObject(node: TreeNode): object {
  const { title, status, summary, leafReason, prunedBy, failure, evaluation, citations, selected, sameAs } = node;
  const { score, confidence, votes } = evaluation ?? {};
  return {
    path: pathOf(node),
    title,
    status,
    ...withoutMissing({ score, summary, leafReason, prunedBy, failure }),
    ...withoutMissing({ confidence, votes, citations, selected, sameAs }),
  };
}
