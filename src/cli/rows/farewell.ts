import type { NodeWords } from '../../core/search/kind-face.ts';
import { expansionsOf, type Limits, Size } from '../../core/search/limits.ts';
import { oneLine } from '../../core/text/text.ts';
import type { Tree, TreeNode } from '../../core/tree/tree.ts';
import { pathOf } from '../../core/tree/tree.ts';
import type { Outcome } from '../../engine/outcome.ts';
import { completed } from '../../engine/results.ts';
import { countOf, formatDuration, formatNumber, formatSpend } from '../terminal/figures.ts';
import type { Row } from '../terminal/row.ts';
import { inWords, keptInWords } from '../terminal/translation.ts';
import { reachedGuard } from './budget-reached.ts';
import { countsRow } from './node-row.ts';
import { offerTexts } from './offer-texts.ts';

/** What the closing message is made from. */
export interface Ending {
  readonly outcome: Outcome;
  readonly tree: Tree;
  readonly limits: Limits;
  /** The terms of the search's kind. */
  readonly words: NodeWords;
  /** Whether the model costs nothing. */
  readonly free: boolean;
  /** The search's folder as a person would type it. */
  readonly folder: string;
  /** The command that continues it, with further options. */
  readonly resume: (...more: string[]) => string;
  /** Another command on it, by its name. */
  readonly command: (name: string) => string;
}

/** How it ended, its results, where it is, and how to continue. */
export function farewellRows(ending: Ending): Row[] {
  const { outcome, tree, free, folder } = ending;
  const { results } = outcome;
  const rows: Row[] = [[{ text: inWords(completed(results)), style: 'bold' }]];
  if (outcome.state === 'paused')
    rows[0] = [
      {
        text: oneLine(`Paused. ${outcome.reason === 'user' ? '' : keptInWords(outcome.message, outcome.say)}`, 1000),
        style: 'yellow',
      },
    ];
  if (outcome.state === 'waiting') rows[0] = [{ text: keptInWords(outcome.message, outcome.say), style: 'yellow' }];
  rows.push(countsRow(tree.counts, ending.words));
  rows.push([{ text: `${formatDuration(results.minutes * 60_000)} · ${formatSpend(results, free)}` }]);
  rows.push(labelled('Files', folder));
  const first = outcome.state === 'finished' ? 'report.md' : documentToRead(tree);
  if (first) rows.push(labelled('Read first', `${folder}/${first}`));
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

/** The document to open first: the one with the best score on the first level, else the first one. */
export function firstToRead(tree: Tree): TreeNode | undefined {
  const written = tree.root.children.filter(({ status }) => status === 'expanded' || status === 'leaf');
  const score = (node: TreeNode): number => node.evaluation?.score ?? -1;
  return written.reduce<TreeNode | undefined>(
    (best, node) => (best && score(best) >= score(node) ? best : node),
    undefined,
  );
}

function labelled(label: string, text: string): Row {
  return [{ text: `${label.padEnd(11)} `, style: 'dim' }, { text }];
}

function howToGrow({ outcome, limits, words: { node, nodes }, resume, command }: Ending): string[] {
  const { open, failed } = outcome.results;
  const reason = outcome.state === 'finished' ? outcome.reason : undefined;
  const isFull = reason === 'size';
  const larger = Size.options[Size.options.indexOf(limits.size) + 1];
  const lines: string[] = [];
  if (open > 0 && reason === 'complete') {
    // It does not take up by itself what it set aside.
    lines.push(`${countOf(open, `${node} is`, `${nodes} are`)} set aside. To continue from one of them:`);
    lines.push(`  ${command('expand')} NODE`);
  } else if (open > 0 && larger && reason !== 'solved') {
    const limit = formatNumber(expansionsOf(limits.size));
    const why = isFull ? `The size ${limits.size} (${limit}) is reached; ` : '';
    lines.push(`${why}${countOf(open, `${node} is`, `${nodes} are`)} still open. To continue:`);
    lines.push(`  ${isFull ? resume('--size', larger) : resume()}`);
  }
  if (failed > 0) {
    lines.push(`${countOf(failed, node, nodes)} failed. To see why, and to retry:`);
    lines.push(`  ${command('status')}`, `  ${command('retry')}`);
  }
  return lines;
}

function howToGoOn({ limits, resume }: Ending, outcome: Outcome & { state: 'paused' }): string[] {
  const goOn = `  ${resume()}`;
  if (outcome.reason === 'user') return ['To continue:', goOn];
  if (outcome.reason === 'store')
    return ['Nothing that was written is lost. Once the folder can be written again:', goOn];
  if (outcome.reason === 'person') return [ADVICE[outcome.cause ?? ''] ?? 'Once that is fixed:', goOn];
  const reached = reachedGuard(limits, outcome.cause);
  if (!reached) return ['To continue:', goOn];
  const limit = reached.guard === 'usd' ? `$${reached.limit}` : `${formatNumber(reached.limit)} ${reached.guard}`;
  return [
    `The limit of ${limit} (${reached.option[0]}) is reached. To continue with a higher one:`,
    `  ${resume(...reached.option)}`,
  ];
}

function howToAnswer({ resume, command }: Ending, { offers }: Outcome & { state: 'waiting' }): string[] {
  return [
    ...offerTexts(offers.map((offer) => ({ offer }))).map((text) => `  ${text}`),
    'To see what they ask, to take one, and to answer it:',
    `  ${command('status')} --json`,
    `  ${command('take')} OFFER`,
    `  ${command('answer')} --answers '[{"offer": "OFFER", "result": …}]' --resume`,
    'To wait here for the answers:',
    `  ${resume('--wait')}`,
  ];
}

/** What a person can do about the cause of a pause. */
const ADVICE: Readonly<Record<string, string>> = {
  unreachable:
    "The model's server was not reached. Check that it runs, and that --base-url or THOUGHT_TREE_BASE_URL is right; then:",
  'key-refused': 'Put a key that the server accepts into the variable named above; then:',
  'quota-exceeded': 'The account has no credit left. Top it up, or name another model with --model; then:',
  'unknown-model': 'Name a model that the server has with --model; then:',
  redirected: 'If you trust the new address of the server, give it with --base-url; then:',
  'five-failures': 'Check the model or its server, or name another one with --model; then:',
};
