import type { DetailTable } from '../../core/kind/kind-drawing.ts';
import type { KindFace } from '../../core/kind/kind-face.ts';
import { messageOf } from '../../core/messages/kept.ts';
import { stateOf } from '../../core/search/messages.ts';
import { oneLine } from '../../core/text/text.ts';
import { leafWords, prunedWords, statusWords } from '../../core/tree/messages.ts';
import type { Evaluation, LeafReason, NodeStatus } from '../../core/tree/node-status.ts';
import { nodeAt } from '../../core/tree/tree.ts';
import type { CallStory } from '../../engine/calls/node-story.ts';
import type { NodeDetails, NodeLink } from '../../searches/reader/node-details.ts';
import type { SearchOverview } from '../../searches/reader/search-overview.ts';
import { linkedNodeGone } from '../messages.ts';
import { withoutMissing } from '../options/options.ts';
import { shownPath } from '../options/search-place.ts';
import { callsText, formatSpend } from '../terminal/figures.ts';
import { shorteningText } from '../terminal/line-view.ts';
import { labelled, type Row } from '../terminal/row.ts';
import { inWords, keptInWords, kindText, l10n } from '../terminal/translation.ts';
import { callRow } from './call-rows.ts';
import { citationsText } from './citations-text.ts';
import * as words from './messages.ts';
import { receiptText } from './receipt-text.ts';

/** Everything to show of a node, or of the search as a whole. */
export interface ShownNode {
  readonly overview: SearchOverview;
  readonly details: NodeDetails;
  /** Absolute paths. */
  readonly files: readonly string[];
  /** The tables in which its kind describes it at length. */
  readonly tables: readonly DetailTable[];
  /** The face of its kind; undefined if nobody knows it. */
  readonly face: KindFace | undefined;
}

/** A node for people. */
export function shownRows(shown: ShownNode): Row[] {
  const { overview, details, files } = shown;
  const { story, note } = details;
  const { calls, spend, steered, shortened } = story;
  const rows: Row[] = [[{ text: oneLine(titleOf(shown), 300), style: 'bold' }], ...fieldRows(shown)];
  rows.push(...detailRows(shown));
  for (const line of note?.split('\n') ?? []) rows.push(labelled(l10n.t('Note'), line));
  for (const link of details.links)
    rows.push(labelled(link.isIncoming ? l10n.t('Linked by') : l10n.t('Link'), linkText(link)));
  for (const file of files) rows.push(labelled(l10n.t('File'), shownPath(file)));
  for (const { time, by, action, message, say } of steered) {
    const when = time.slice(0, 19).replace('T', ' ');
    const text = words.steeredAt({ time: when, by, action, what: messageOf(message, say) });
    rows.push(labelled(l10n.t('Steered'), inWords(text)));
  }
  for (const event of shortened) rows.push(labelled(l10n.t('Shortened'), shorteningText(event)));
  rows.push([]);
  if (calls.length === 0) return [...rows, [{ text: inWords(words.noCallsMade()) }]];
  const seconds = calls.reduce((sum, { ms }) => sum + (ms ?? 0), 0) / 1000;
  const answered = inWords(words.secondsOfAnswers({ seconds: seconds.toFixed(1) }));
  const total = `${formatSpend({ ...spend, tokens: spend }, overview.free)} · ${answered}`;
  const hint = inWords(words.exactWords({ calls: callsText(calls.length) }));
  return [...rows, ...calls.map(callRow), labelled(l10n.t('In all'), total), [{ text: hint, style: 'dim' }]];
}

function fieldRows(shown: ShownNode): Row[] {
  const { overview, details } = shown;
  const { path, file } = details;
  const node = nodeAt(overview.tree, path);
  const rows: Row[] = [];
  const say = (label: string, text: string | undefined): void => {
    if (text !== undefined && text !== '') rows.push(labelled(label, text));
  };
  if (path === '') {
    say(l10n.t('Question'), overview.file.prompt);
    say(l10n.t('State'), inWords(stateOf(overview)));
    say(l10n.t('Model'), overview.model);
    return rows;
  }
  const evaluation = node?.evaluation;
  say(l10n.t('Path'), path);
  say(l10n.t('Status'), statusOf(node?.status ?? file?.status, node?.leafReason));
  say(l10n.t('Summary'), node?.summary);
  say(l10n.t('Score'), evaluation && scoreText(evaluation));
  say(l10n.t('Votes'), evaluation?.votes?.join(' '));
  say(l10n.t('Criteria'), criteriaText(evaluation?.dimension_scores));
  say(l10n.t('Quotations'), node && citationsText([node]));
  say(l10n.t('Receipt'), receiptText(overview, node));
  say(
    l10n.t('Failure'),
    node?.failure && `${node.failure.reason}: ${keptInWords(node.failure.message, node.failure.say)}`,
  );
  say(l10n.t('Pruned'), node?.prunedBy && inWords(prunedWords[node.prunedBy]()));
  say(l10n.t('Model'), node?.model);
  say(l10n.t('Session'), node?.sessionId);
  return rows;
}

/** Returns what its kind says of it at length: tables, each under its title. */
function detailRows({ tables }: ShownNode): Row[] {
  return tables.flatMap(({ title, rows }) =>
    rows.map((cells, i) => {
      const texts = cells.map(({ text, isOurs }) => (isOurs ? kindText(text) : text)).filter((text) => text !== '');
      return labelled(i === 0 ? kindText(title) : '', texts.join(' · '));
    }),
  );
}

/** A link with the other node; where that is gone, with its id. */
function linkText({ type, other, id }: NodeLink): string {
  return `${type}: ${other ? `${other.title} (${other.path})` : inWords(linkedNodeGone({ id }))}`;
}

/** Tells what it scored by each criterion; undefined where it was not judged so. */
function criteriaText(scores: Readonly<Record<string, number>> = {}): string | undefined {
  const said = Object.entries(scores).map(([name, score]) => `${name} ${score}`);
  return said.length === 0 ? undefined : said.join(', ');
}

function scoreText({ score, confidence, reasoning }: Evaluation): string {
  const scored = confidence === undefined ? String(score) : inWords(words.withConfidence({ score, confidence }));
  return reasoning ? `${scored}: ${reasoning}` : scored;
}

function titleOf({ overview, details: { path, file } }: ShownNode): string {
  return path === '' ? overview.file.title : (file?.title ?? path);
}

/** A node for programs. */
export function shownObject(shown: ShownNode): object {
  const { overview, details, files } = shown;
  const { path, note, links, story } = details;
  const node = nodeAt(overview.tree, path);
  const { calls, spend, steered, shortened } = story;
  const { minutes: _minutes, ...totals } = spend; // of the whole search, not of this node
  return {
    title: titleOf(shown),
    path,
    ...withoutMissing(path === '' ? { prompt: overview.file.prompt, state: overview.state } : fieldsOf(shown)),
    ...withoutMissing({ note, links: links.length > 0 ? links.map(linkObject) : undefined }),
    ...(path === '' ? {} : { children: node?.children.map(({ slug }) => slug) ?? [] }),
    files,
    steered,
    ...(shortened.length > 0 ? { shortened } : {}),
    calls: calls.map(callObject),
    totals: { ...totals, ms: calls.reduce((sum, { ms }) => sum + (ms ?? 0), 0) },
  };
}

function linkObject({ type, isIncoming, other, id }: NodeLink): object {
  const to = other ? { [isIncoming ? 'from' : 'to']: other.path } : { isBroken: true };
  return { type, id, ...to };
}

function fieldsOf({ overview: { tree, receiptOf }, details: { path }, face }: ShownNode): object {
  const node = nodeAt(tree, path);
  if (!node) return {};
  const { status, summary, evaluation, leafReason, failure, prunedBy, sessionId, model, citations } = node;
  const receipt = receiptOf(node);
  const own = face?.details ? node.file?.own : undefined;
  return { status, summary, evaluation, leafReason, failure, prunedBy, sessionId, model, citations, receipt, own };
}

function callObject(call: CallStory): object {
  const { number, call: id, purpose, model, attempt, time, outcome, message, ms, usage, worst, charged } = call;
  return withoutMissing({ number, id, purpose, model, attempt, time, outcome, message, ms, usage, worst, charged });
}

function statusOf(status: NodeStatus | undefined, leafReason: LeafReason | undefined): string | undefined {
  if (!status) return undefined;
  const word = inWords(statusWords[status]());
  return leafReason ? `${word} (${inWords(leafWords[leafReason]())})` : word;
}
