import { stateWords } from '../../core/search/messages.ts';
import { oneLine } from '../../core/text/text.ts';
import { leafWords, prunedWords, statusWords } from '../../core/tree/messages.ts';
import type { LeafReason, NodeStatus } from '../../core/tree/node-status.ts';
import { nodeAt } from '../../core/tree/tree.ts';
import type { CallStory } from '../../engine/exchanges/node-story.ts';
import type { NodeDetails } from '../../searches/reader/node-details.ts';
import type { SearchOverview } from '../../searches/reader/search-overview.ts';
import { withoutMissing } from '../options/options.ts';
import { shownPath } from '../options/search-place.ts';
import { countOf, formatSpend } from '../terminal/figures.ts';
import { shorteningText } from '../terminal/line-view.ts';
import type { Row } from '../terminal/row.ts';
import { inWords, keptInWords } from '../terminal/translation.ts';
import { callRow } from './call-rows.ts';
import { citationsText } from './citations-text.ts';

/** Everything to show of a node, or of the search as a whole. */
export interface ShownNode {
  readonly overview: SearchOverview;
  readonly details: NodeDetails;
  /** Absolute paths. */
  readonly files: readonly string[];
}

/** A node for people. */
export function shownRows(shown: ShownNode): Row[] {
  const { overview, details, files } = shown;
  const { story, note } = details;
  const { calls, spend, steered, shortened } = story;
  const rows: Row[] = [[{ text: oneLine(titleOf(shown), 300), style: 'bold' }], ...fieldRows(shown)];
  for (const line of note?.split('\n') ?? []) rows.push(labelled('Note', line));
  for (const file of files) rows.push(labelled('File', shownPath(file)));
  for (const { time, by, action, message, say } of steered)
    rows.push(
      labelled('Steered', `${time.slice(0, 19).replace('T', ' ')} by ${by}: ${action}: ${keptInWords(message, say)}`),
    );
  for (const event of shortened) rows.push(labelled('Shortened', shorteningText(event)));
  rows.push([]);
  if (calls.length === 0) return [...rows, [{ text: 'No calls were made for it.' }]];
  const seconds = calls.reduce((sum, { ms }) => sum + (ms ?? 0), 0) / 1000;
  const total = `${formatSpend({ ...spend, tokens: spend }, overview.free)} · ${seconds.toFixed(1)}s of answers`;
  const hint = `--call N shows the exact words of one of the ${countOf(calls.length, 'call')}.`;
  return [...rows, ...calls.map(callRow), labelled('In all', total), [{ text: hint, style: 'dim' }]];
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
    say('Question', overview.file.prompt);
    say('State', inWords(stateWords[overview.state]()));
    say('Model', overview.model);
    return rows;
  }
  const evaluation = node?.evaluation;
  const confidence = evaluation?.confidence === undefined ? '' : ` (confidence ${evaluation.confidence})`;
  say('Path', path);
  say('Status', statusOf(node?.status ?? file?.status, node?.leafReason));
  say('Summary', node?.summary);
  say(
    'Score',
    evaluation && `${evaluation.score}${confidence}${evaluation.reasoning ? `: ${evaluation.reasoning}` : ''}`,
  );
  say('Votes', evaluation?.votes?.join(' '));
  say('Quotations', node && citationsText([node]));
  say('Failure', node?.failure && `${node.failure.reason}: ${keptInWords(node.failure.message, node.failure.say)}`);
  say('Pruned', node?.prunedBy && inWords(prunedWords[node.prunedBy]()));
  say('Model', node?.model);
  say('Session', node?.sessionId);
  return rows;
}

function titleOf({ overview, details: { path, file } }: ShownNode): string {
  return path === '' ? overview.file.title : (file?.title ?? path);
}

function labelled(label: string, text: string): Row {
  return [{ text: label.padEnd(10), style: 'dim' }, { text: oneLine(text, 2000) }];
}

/** A node for programs. */
export function shownObject(shown: ShownNode): object {
  const { overview, details, files } = shown;
  const { path, note, story } = details;
  const node = nodeAt(overview.tree, path);
  const { calls, spend, steered, shortened } = story;
  const { minutes: _minutes, ...totals } = spend; // of the whole search, not of this node
  return {
    title: titleOf(shown),
    path,
    ...withoutMissing(path === '' ? { prompt: overview.file.prompt, state: overview.state } : fieldsOf(shown)),
    ...withoutMissing({ note }),
    ...(path === '' ? {} : { children: node?.children.map(({ slug }) => slug) ?? [] }),
    files,
    steered,
    ...(shortened.length > 0 ? { shortened } : {}),
    calls: calls.map(callObject),
    totals: { ...totals, ms: calls.reduce((sum, { ms }) => sum + (ms ?? 0), 0) },
  };
}

function fieldsOf({ overview, details: { path } }: ShownNode): object {
  const node = nodeAt(overview.tree, path);
  if (!node) return {};
  const { status, summary, evaluation, leafReason, failure, prunedBy, sessionId, model, citations } = node;
  return { status, summary, evaluation, leafReason, failure, prunedBy, sessionId, model, citations };
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
