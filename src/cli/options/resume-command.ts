import { basename, dirname } from 'node:path';
import type { Price } from '../../core/ports/model.ts';
import type { SpendLimits } from '../../core/search/limits.ts';
import { redactor } from '../../core/text/redact.ts';
import { secretsIn } from '../../models/keys.ts';
import { type Place, SEARCHES } from '../../searches/place.ts';
import type { TaskFlags, WorkFlags } from './kind-options.ts';
import { type SearchFlags, shownPath } from './options.ts';

/** The flags that a resume has to be told again: nothing in the folder decides it. */
type RepeatedFlags = Pick<
  SearchFlags,
  | 'allowFile'
  | 'askAbove'
  | 'baseUrl'
  | 'concurrency'
  | 'judgePrice'
  | 'maxCalls'
  | 'maxMinutes'
  | 'maxTokens'
  | 'maxUsd'
  | 'price'
  | 'thinking'
  | 'timeout'
  | 'queue'
> &
  TaskFlags &
  Pick<WorkFlags, 'allowNetwork'> & {
    /** The facts to tell again where nothing can be remembered for this user: in a container without a home, say. */
    readonly unremembered?: Unremembered | undefined;
    /** The models that share the work, where neither the search's folder nor this user's memory has them. */
    readonly several?: string | undefined;
  };

/** The models of a run, by name, and what it was allowed. */
export type Unremembered = Pick<
  SearchFlags,
  'concurrency' | 'context' | 'judge' | 'maxDepth' | 'model' | 'read' | 'size' | 'tools'
>;

/**
 * The command that continues a search, to be copied into a shell: with the options of this run that are needed again,
 * prices and limits among them, and with `more`.
 */
export function resumeCommand(place: Place, flags: RepeatedFlags, ...more: string[]): string {
  const words = [...commandName(), 'resume', shownPath(place.folder)];
  const parent = dirname(place.folder);
  const isFound = basename(parent) === SEARCHES && dirname(parent) === place.workspace;
  if (!isFound) words.push('--folder', shownPath(place.workspace));
  if (flags.baseUrl !== undefined) words.push('--base-url', redactor(secretsIn(flags.baseUrl))(flags.baseUrl));
  if (flags.queue !== undefined) words.push('--queue', withoutPassword(flags.queue));
  // A number is remembered with the search.
  if (flags.concurrency === 'fleet' && !flags.unremembered) words.push('--concurrency', 'fleet');
  if (flags.unremembered) words.push(...unrememberedWords(flags.unremembered, more));
  words.push(...valueWords([['--models', flags.several]], more), ...moneyWords(flags, more));
  for (const path of flags.allowFile ?? []) words.push('--allow-file', path);
  if (flags.check !== undefined) words.push('--check', flags.check);
  if (flags.checkTimeout !== undefined) words.push('--check-timeout', String(flags.checkTimeout));
  if (flags.hooks !== undefined) words.push('--hooks', flags.hooks);
  if (flags.allowNetwork) words.push('--allow-network');
  return shellCommand([...words, ...more]);
}

/** Returns options with the limits in force in place of those that were typed: somebody may have raised them since. */
export function withLimits<F extends RepeatedFlags>(flags: F, guards: SpendLimits): F {
  return {
    ...flags,
    ...(flags.maxCalls !== undefined && { maxCalls: guards.calls }),
    ...(flags.maxTokens !== undefined && { maxTokens: guards.tokens }),
    ...(flags.maxUsd !== undefined && { maxUsd: guards.usd }),
    ...(flags.maxMinutes !== undefined && { maxMinutes: guards.minutes }),
  };
}

function withoutPassword(address: string): string {
  const url = URL.parse(address);
  if (!url) return '';
  url.password = '';
  return url.href;
}

function unrememberedWords(said: Unremembered, more: readonly string[]): string[] {
  const words = valueWords(
    [
      ['--model', said.model],
      ['--judge', said.judge],
      ['--size', said.size],
      ['--max-depth', said.maxDepth],
      ['--concurrency', said.concurrency],
      ['--read', said.read],
    ],
    more,
  );
  if (said.tools) words.push('--tools');
  if (said.context === false) words.push('--no-context');
  return words;
}

/** Returns the options on what a search may cost, except those that `more` overrides. */
function moneyWords(flags: RepeatedFlags, more: readonly string[]): string[] {
  const { price, judgePrice } = flags;
  const said: SaidOption[] = [
    ['--price', price?.own && priceText(price.own)],
    ...Object.entries(price?.of ?? {}).map(([name, each]): SaidOption => ['--price', `${name}=${priceText(each)}`]),
    ['--judge-price', judgePrice && priceText(judgePrice)],
    ['--ask-above', flags.askAbove],
    ['--max-calls', flags.maxCalls],
    ['--max-tokens', flags.maxTokens],
    ['--max-usd', flags.maxUsd],
    ['--max-minutes', flags.maxMinutes],
    ['--thinking', flags.thinking],
    ['--timeout', flags.timeout],
  ];
  return valueWords(said, more);
}

type SaidOption = [option: string, value: string | number | undefined];

function valueWords(said: readonly SaidOption[], more: readonly string[]): string[] {
  return said.flatMap(([option, value]) =>
    value === undefined || more.includes(option) ? [] : [option, String(value)],
  );
}

function priceText({ prompt, cached, completion }: Price): string {
  return [prompt, cached, completion].join(',');
}

/** Words as one line for a shell. */
export function shellCommand(words: readonly string[]): string {
  return words.map((word) => quoted(word)).join(' ');
}

/** Returns a word as the shell reads it. */
export function quoted(word: string, platform: NodeJS.Platform = process.platform): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return platform === 'win32' ? `"${word.replaceAll('"', '\\"')}"` : `'${word.replaceAll("'", "'\\''")}'`;
}

/**
 * The name of this program on the command line: its own, or as set by whatever started it, so that the commands it
 * suggests can be typed as they are.
 */
export function commandName(env: NodeJS.ProcessEnv = process.env): string[] {
  const words = env['THOUGHT_TREE_COMMAND']?.split(' ').filter((word) => word !== '') ?? [];
  return words.length > 0 ? words : ['thought-tree'];
}
