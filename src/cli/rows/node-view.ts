import type { DetailTable, KindDescriptor } from '../../core/kind/kind-descriptor.ts';
import { type Message, messageOf } from '../../core/messages/message.ts';
import { formatDuration, formatUsd } from '../../core/money/figures.ts';
import { stateOf } from '../../core/search/messages.ts';
import { withoutMissing } from '../../core/search/search-file.ts';
import { oneLine } from '../../core/text/text.ts';
import { leafWords, prunedWords, statusWords } from '../../core/tree/messages.ts';
import type { Evaluation, LeafReason, NodeStatus } from '../../core/tree/node-file.ts';
import { nodeAt } from '../../core/tree/tree.ts';
import type { CallStory, FoundTranscript, Transcript } from '../../engine-parts/transcripts/transcript.ts';
import type { NodeDetails, NodeLink } from '../../searches/reader/node-details.ts';
import type { SearchOverview } from '../../searches/reader/search-overview.ts';
import { free, linkedNodeGone } from '../messages.ts';
import { shownPath } from '../options/options.ts';
import { callsText, formatSpend } from '../terminal/figures.ts';
import { shorteningText } from '../terminal/line-view.ts';
import { labelled, type Part, type Row } from '../terminal/terminal.ts';
import { inWords, keptInWords, kindText, l10n } from '../terminal/translation.ts';
import * as words from './messages.ts';
import { citationsText, receiptText } from './texts.ts';

/** Everything to show of a node, or of the search as a whole. */
export interface ShownNode {
  readonly overview: SearchOverview;
  readonly details: NodeDetails;
  /** Absolute paths. */
  readonly files: readonly string[];
  /** The tables in which its kind describes it at length. */
  readonly tables: readonly DetailTable[];
  /** The descriptor of its kind; undefined if nobody knows it. */
  readonly descriptor: KindDescriptor | undefined;
}

/** Returns a node for people. */
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
  const hint = inWords(words.transcriptHint({ calls: callsText(calls.length) }));
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

/** Returns a link with the other node; where that is gone, with its id. */
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

/** Returns a node for programs. */
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

function fieldsOf({ overview: { tree, receiptOf }, details: { path }, descriptor }: ShownNode): object {
  const node = nodeAt(tree, path);
  if (!node) return {};
  const { status, summary, evaluation, leafReason, failure, prunedBy, sessionId, model, citations } = node;
  const receipt = receiptOf(node);
  const own = descriptor?.graph ? node.file?.own : undefined;
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

/** Returns one call as one line: its purpose, outcome, usage and time. */
function callRow(call: CallStory): Row {
  const { number, purpose, attempt, outcome, usage, worst, ms, charged, time, message, say } = call;
  const isGood = outcome === 'ok' || outcome === 'under-way';
  const row: Part[] = [
    { text: `${String(number).padStart(4)}  ` },
    { text: purpose.padEnd(11), style: 'bold' },
    { text: outcome.padEnd(11), style: isGood ? 'green' : 'red' },
  ];
  if (attempt > 1) row.push({ text: `${inWords(words.attemptOf({ attempt }))}  `, style: 'yellow' });
  row.push({ text: inWords(costsOf(call)) });
  const usd = usage ? usage.usd : charged ? worst.usd : 0;
  if (usd !== undefined && usd > 0) row.push({ text: ` · ${formatUsd(usd)}` });
  if (ms !== undefined) row.push({ text: ` · ${ms < 60_000 ? `${(ms / 1000).toFixed(1)}s` : formatDuration(ms)}` });
  row.push({ text: ` · ${time.slice(0, 19).replace('T', ' ')}`, style: 'dim' });
  if (message) row.push({ text: ` · ${oneLine(keptInWords(message, say), 300)}`, style: 'dim' });
  return row;
}

function costsOf(call: CallStory): Message {
  const { usage, charged, worst } = call;
  if (isFree(call)) return free();
  if (usage) return words.tokensUsed({ prompt: usage.prompt, cached: usage.cached, answer: usage.completion });
  return charged ? words.tokensAtWorst({ tokens: worst.tokens }) : words.notCharged();
}

function isFree({ usage, worst }: CallStory): boolean {
  return worst.tokens === 0 && (usage === undefined || usage.prompt + usage.completion === 0);
}

/** Returns the words of one call, as sent and received. */
export function transcriptRows(call: CallStory, found: FoundTranscript): Row[] {
  const rows: Row[] = [callRow(call), [{ text: call.model, style: 'dim' }]];
  if ('unknown' in found) return [...rows, [], [{ text: inWords(found.unknown), style: 'yellow' }]];
  const { system, turns, prompt, answer } = found.exchange;
  rows.push(...textRows(l10n.t('system'), system));
  for (const { role, text } of turns) rows.push(...textRows(role, text));
  rows.push(...textRows(l10n.t('prompt'), prompt));
  if (answer !== undefined) return [...rows, ...textRows(l10n.t('answer'), answer)];
  return [...rows, [], [{ text: oneLine(inWords(whyNoAnswer(call)), 1000), style: 'yellow' }]];
}

/** Says why a call has no answer. */
function whyNoAnswer({ outcome, message, say }: CallStory): Message {
  if (outcome === 'under-way') return words.noAnswerYet();
  return message ? words.noAnswerSince({ outcome, why: messageOf(message, say) }) : words.noAnswer({ outcome });
}

/** Returns a transcript for programs. */
export function transcriptObject(call: CallStory, found: FoundTranscript): object {
  if ('unknown' in found) return { unknown: found.unknown.text };
  const { answer, ...sent }: Transcript = found.exchange;
  return { ...sent, ...(answer === undefined ? { noAnswer: oneLine(whyNoAnswer(call).text, 1000) } : { answer }) };
}

function textRows(label: string, text: string): Row[] {
  const lines = text.split(/\r?\n/);
  return [[], [{ text: `── ${label}`, style: 'cyan' }], ...lines.map((line): Row => [{ text: line }])];
}
