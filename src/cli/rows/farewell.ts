import type { NodeTerms } from '../../core/kind/kind-descriptor.ts';
import { type Message, messageOf } from '../../core/messages/message.ts';
import { formatDuration } from '../../core/money/figures.ts';
import { expansionsOf, type Limits, Size } from '../../core/search/limits.ts';
import { oneLine } from '../../core/text/text.ts';
import { pathOf, type Tree, type TreeNode } from '../../core/tree/tree.ts';
import { completed, type Outcome } from '../../engine/loop.ts';
import { formatNumber, formatSpend, nodesText } from '../terminal/figures.ts';
import { labelPart, type Row } from '../terminal/terminal.ts';
import { inWords, keptInWords, l10n } from '../terminal/translation.ts';
import * as say from './messages.ts';
import { limitText, offerTexts, reachedLimit } from './texts.ts';
import { countsRow } from './tree-rows.ts';

export interface Ending {
  readonly outcome: Outcome;
  readonly tree: Tree;
  readonly limits: Limits;
  /** Several models that share the work, as their option names them. */
  readonly models?: string | undefined;
  /** The terms of the search's kind. */
  readonly words: NodeTerms;
  readonly free: boolean;
  /** True if there is a report, as there is at a limit. */
  readonly hasReport: boolean;
  /** The search's folder as a person would type it. */
  readonly folder: string;
  /** The command that continues it, with further options. */
  readonly resume: (...more: string[]) => string;
  /** Another command on it, by its name. */
  readonly command: (name: string) => string;
}

/** Tells how it ended, its results, where it is, and how to continue. */
export function farewellRows(ending: Ending): Row[] {
  const { outcome, tree, free, folder } = ending;
  const { results } = outcome;
  const rows: Row[] = [[{ text: inWords(completed(results)), style: 'bold' }]];
  if (outcome.state === 'paused')
    rows[0] = [
      {
        text: oneLine(
          inWords(say.paused({ why: outcome.reason === 'user' ? '' : messageOf(outcome.message, outcome.say) })),
          1000,
        ),
        style: 'yellow',
      },
    ];
  if (outcome.state === 'finished' && outcome.message !== undefined)
    rows.push([{ text: keptInWords(outcome.message, outcome.say), style: 'yellow' }]);
  if (outcome.state === 'waiting') rows[0] = [{ text: keptInWords(outcome.message, outcome.say), style: 'yellow' }];
  rows.push(countsRow(tree.counts, ending.words));
  rows.push([{ text: `${formatDuration(results.minutes * 60_000)} · ${formatSpend(results, free)}` }]);
  rows.push([labelPart(l10n.t('Files'), 11), { text: folder }]);
  const first = outcome.state === 'finished' || ending.hasReport ? 'report.md' : documentToRead(tree);
  if (first) rows.push([labelPart(l10n.t('Read first'), 11), { text: `${folder}/${first}` }]);
  for (const text of howToContinue(ending)) rows.push([{ text }]);
  return rows;
}

function howToContinue(ending: Ending): string[] {
  const { outcome } = ending;
  if (outcome.state === 'finished') return howToGrow(ending);
  return outcome.state === 'waiting' ? howToAnswer(ending, outcome) : howToGoOn(ending, outcome);
}

function documentToRead(tree: Tree): string | undefined {
  const first = firstToRead(tree);
  return first && `${pathOf(first)}/document.md`;
}

/** Returns the document to open first: the one with the best score on the first level, else the first one. */
export function firstToRead(tree: Tree): TreeNode | undefined {
  const written = tree.root.children.filter(({ status }) => status === 'expanded' || status === 'leaf');
  const score = (node: TreeNode): number => node.evaluation?.score ?? -1;
  return written.reduce<TreeNode | undefined>(
    (best, node) => (best && score(best) >= score(node) ? best : node),
    undefined,
  );
}

function howToGrow({ outcome, limits, words, resume, command }: Ending): string[] {
  const { open, failed } = outcome.results;
  const reason = outcome.state === 'finished' ? outcome.reason : undefined;
  const isFull = reason === 'size';
  const larger = Size.options[Size.options.indexOf(limits.size) + 1];
  const lines: string[] = [];
  if (open > 0 && reason === 'complete') {
    // It does not take up by itself what it set aside.
    lines.push(inWords(say.setAside({ nodes: nodesText(words, open), count: open })));
    lines.push(`  ${command('expand')} NODE`);
  } else if (open > 0 && larger && reason !== 'solved') {
    const size = { size: limits.size, limit: formatNumber(expansionsOf(limits.size)) };
    const stillOpen = say.stillOpen({ nodes: nodesText(words, open), count: open });
    lines.push(inWords(isFull ? say.sizeReached({ ...size, open: stillOpen }) : stillOpen));
    lines.push(`  ${isFull ? resume('--size', larger) : resume()}`);
  }
  // A node that failed on the way to a solution was another way to it.
  if (failed > 0 && reason !== 'solved') {
    lines.push(inWords(say.someFailed({ nodes: nodesText(words, failed) })));
    lines.push(`  ${command('status')}`, `  ${command('retry')}`);
  }
  return lines;
}

function howToGoOn({ limits, models, resume }: Ending, outcome: Outcome & { state: 'paused' }): string[] {
  const goOn = `  ${resume()}`;
  if (outcome.reason === 'user') return [inWords(say.toContinue()), goOn];
  if (outcome.reason === 'store') return [inWords(say.onceWritable()), goOn];
  if (outcome.reason === 'person') return [inWords(adviceOn(outcome.cause)), goOn];
  const reached = reachedLimit(limits, outcome.cause, models);
  if (!reached) return [inWords(say.toContinue()), goOn];
  const limit = limitText(reached.guard, reached.limit);
  return [inWords(say.limitReached({ limit, option: reached.option[0] })), `  ${resume(...reached.option)}`];
}

function howToAnswer({ resume, command }: Ending, { offers }: Outcome & { state: 'waiting' }): string[] {
  return [
    ...offerTexts(offers.map((offer) => ({ offer }))).map((text) => `  ${text}`),
    inWords(say.toAnswer()),
    `  ${command('status')} --json`,
    `  ${command('take')} OFFER`,
    `  ${command('answer')} --answers '[{"offer": "OFFER", "result": …}]' --resume`,
    inWords(say.toWait()),
    `  ${resume('--wait')}`,
  ];
}

function adviceOn(cause = ''): Message {
  return Object.hasOwn(say.advice, cause) ? say.advice[cause as keyof typeof say.advice]() : say.onceFixed();
}
