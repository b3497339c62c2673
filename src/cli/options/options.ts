import { stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Message } from '../../core/messages/message.ts';
import { GivenPrice } from '../../core/money/known-price.ts';
import type { Price } from '../../core/ports/model.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { Limits, Size } from '../../core/search/limits.ts';
import { READS, type Read } from '../../core/search/reading.ts';
import { MOST_SLOTS, type SearchOptions, withoutMissing } from '../../core/search/search-file.ts';
import type { SearchParts } from '../../engine-parts/opening/open-held-search.ts';
import type { Environment } from '../../searches/models/environment.ts';
import { linkOnTheWay, type Place, SEARCHES } from '../../searches/place.ts';
import { momentIn } from '../../store/past/moment.ts';
import * as say from '../messages.ts';
import { linkedFolder, noFolder, notAFolder } from '../messages.ts';
import { inWords, l10n } from '../terminal/translation.ts';

/** The options that `start` and `resume` share, as typed. */
export interface SearchFlags {
  readonly folder?: string;
  readonly model?: string;
  readonly judge?: string;
  readonly baseUrl?: string;
  /** The prices of the models, according to this person. */
  readonly price?: GivenPrices;
  readonly judgePrice?: Price;
  /** The file that gets every request and answer. */
  readonly record?: string;
  /** Forecasts above this amount, in US dollars, need confirmation. */
  readonly askAbove?: number;
  readonly size?: Size;
  /** `fleet`: as many as the fleet has room for. */
  readonly concurrency?: number | 'fleet';
  /** The address of the queue whose workers carry out the calls. */
  readonly queue?: string;
  readonly maxDepth?: number;
  readonly maxCalls?: number;
  readonly maxTokens?: number;
  readonly maxUsd?: number;
  readonly maxMinutes?: number;
  /** Time limit for a call, in seconds. */
  readonly timeout?: number;
  /** Room for reasoning besides each answer, in tokens. */
  readonly thinking?: number;
  /** The access of models to the folder. */
  readonly read?: Read;
  /** The earlier form of `read`: false if models are to be shown nothing of it. */
  readonly context?: boolean;
  /** The earlier form of `read`: true if the model may use tools to read the folder. */
  readonly tools?: boolean;
  /** The tools that an agent may use besides reading, in its own terms. */
  readonly allowTool?: readonly string[];
  /** True if it stays while all remaining work is outside. */
  readonly wait?: boolean;
  /** Files that models may be shown as they are, secrets and all. */
  readonly allowFile?: readonly string[];
  readonly json?: boolean;
}

/** Adds them to a command. */
export function addSearchOptions(command: Command): Command {
  return (
    addLimitOptions(addJudgeOptions(addModelOptions(command)))
      .option('--record <file>', l10n.t('write every request and answer there; replay/FILE answers from it again'))
      .option('--ask-above <dollars>', l10n.t('ask before a start whose forecast may cost more'), number(0))
      .option(
        '--concurrency <n>',
        l10n.t('nodes worked on at the same time (default: 4); with --queue, "fleet" follows its workers'),
        (text: string) => (text === 'fleet' ? text : wholeNumber(1, MOST_SLOTS)(text)),
      )
      .option('--queue <url>', l10n.t('let the workers of a fleet make the calls, as in postgres://user@host/database'))
      .option(
        '--allow-tool <rule>',
        l10n.t('let an agent use this besides reading, as in "Bash(git log:*)"; repeatable'),
        collected,
      )
      .option(
        '--allow-file <path>',
        l10n.t('show models this file as it is, secrets and all, or let them read a dot folder; repeatable'),
        collected,
      )
      .addOption(
        new Option(
          '--read <what>',
          l10n.t(
            'what models may see of the folder: nothing, passages quoted to them, or what they look up with tools, too (default: tools)',
          ),
        )
          .choices(READS)
          .conflicts(['tools', 'context']),
      )
      // From before there was --read.
      .addOption(new Option('--tools', l10n.t('the same as --read tools')).hideHelp())
      .addOption(new Option('--no-context', l10n.t('the same as --read nothing')).hideHelp())
      .option('--wait', l10n.t('wait for answers to open offers (default: end with exit code 7, naming the offers)'))
      .option('--json', l10n.t('every event as a line of JSON on stdout'))
  );
}

/** Adds the options that choose the model. */
export function addModelOptions(command: Command): Command {
  const folder = l10n.t('the folder that is searched (default: the current one)');
  return addModelChoice(command.option('--folder <workspace>', folder))
    .option(
      '--thinking <tokens>',
      l10n.t('room for reasoning besides each answer (default: what models of its family need)'),
      wholeNumber(0, 1_000_000),
    )
    .option('--timeout <seconds>', l10n.t('the longest one call may take (default: 300)'), number(0.001, 86_400));
}

/** Adds the options that say which model it is, and what it costs. */
export function addModelChoice(command: Command): Command {
  return command
    .option(
      '--model <provider/model>',
      l10n.t('what answers, as in anthropic/NAME or ollama/NAME (default: workspace/quotes)'),
    )
    .option('--base-url <url>', l10n.t("the address of the model's server, if not its provider's own"))
    .option('--price <p,c,a>', l10n.t('dollars per million tokens: prompt, cached prompt, answer'), givenPrices);
}

/** Adds the options that choose the judge. */
export function addJudgeOptions(command: Command): Command {
  return command
    .option('--judge <provider/model>', l10n.t('what picks and scores (default: the model itself)'))
    .option('--judge-price <p,c,a>', l10n.t('the same as --price, for the judge'), givenPrice);
}

/** Adds the options that limit a search. */
export function addLimitOptions(command: Command): Command {
  const { maxValue: deepest } = Limits.shape.maxDepth;
  return command
    .addOption(
      new Option('--size <size>', l10n.t('how far to go: 20, 60, 200 or all nodes (default: medium)')).choices(
        Size.options,
      ),
    )
    .option('--max-depth <n>', l10n.t('how deep the tree may grow (default: 4)'), wholeNumber(1, deepest ?? 64))
    .option('--max-calls <n>', l10n.t('pause before more calls than this (default: 1000)'), wholeNumber(0))
    .option('--max-tokens <n>', l10n.t('pause before more tokens than this (default: 2000000)'), wholeNumber(0))
    .option('--max-usd <dollars>', l10n.t('pause before more money than this (default: 5)'), number(0))
    .option('--max-minutes <n>', l10n.t('pause after so many minutes of work'), number(0));
}

/** Returns the given limits; the others are unchanged. */
export function limitsFrom(flags: SearchFlags): NonNullable<SearchParts['limits']> {
  const guards = withoutMissing({
    calls: flags.maxCalls,
    tokens: flags.maxTokens,
    usd: flags.maxUsd,
    minutes: flags.maxMinutes,
  });
  return { ...withoutMissing({ size: flags.size, maxDepth: flags.maxDepth }), guards };
}

/** Returns the options kept in search.json: what a clone may decide, and only if given. */
export function keptOptions(flags: SearchFlags): SearchOptions {
  const { size, maxDepth, read, tools } = flags;
  const concurrency = flags.concurrency === 'fleet' ? undefined : flags.concurrency;
  const context = flags.context === false ? false : undefined;
  return withoutMissing({ size, maxDepth, concurrency, read, context, tools });
}

/** Returns an option that may be given several times. */
export function collected(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

/** Prices as typed: of the model, and of single ones among several, by their names. */
export interface GivenPrices {
  readonly own?: Price;
  readonly of?: Readonly<Record<string, Price>>;
}

/** Returns the price that this person gave for a model: by its name, else the one without a name, which is the main one's. */
export function givenPriceOf(name: string, main: string, price: GivenPrices | undefined): Price | undefined {
  return price?.of?.[name] ?? (name === main ? price?.own : undefined);
}

/** Returns a price as typed with those before it: `3,0.3,15`, or `NAME=3,0.3,15`. */
function givenPrices(text: string, before: GivenPrices = {}): GivenPrices {
  const at = text.lastIndexOf('=');
  if (at < 0) return { ...before, own: givenPrice(text) };
  return { ...before, of: { ...before.of, [text.slice(0, at).trim()]: givenPrice(text.slice(at + 1)) } };
}

/** Returns a price as typed: `3,0.3,15`. */
export function givenPrice(text: string): Price {
  const [prompt, cached, completion, ...more] = text
    .split(',')
    .map((part) => (part.trim() ? Number(part) : Number.NaN));
  const { data } = GivenPrice.safeParse({ prompt, cached, completion });
  if (data && more.length === 0) return data;
  throw refused(say.notAPrice());
}

export function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw refused(
      most === Number.MAX_SAFE_INTEGER ? say.wholeNumberFrom({ least }) : say.wholeNumberIn({ least, most }),
    );
  };
}

export function number(least: number, most = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const value = /^(\d{1,16}(\.\d*)?|\.\d+)$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw refused(most === Number.MAX_SAFE_INTEGER ? say.numberFrom({ least }) : say.numberIn({ least, most }));
  };
}

function refused(why: Message): InvalidArgumentError {
  return new InvalidArgumentError(inWords(why));
}

/** Returns the model that this person names now: on the command line, else in the environment. */
export function namedModel(flags: SearchFlags, env: Environment): string | undefined {
  return flags.model?.trim() || env.model;
}

/** Returns the model that this person wants to pick and evaluate. */
export function namedJudge(flags: SearchFlags, env: Environment): string | undefined {
  return flags.judge?.trim() || env.judge;
}

/**
 * A folder that somebody named, as an absolute path.
 * @throws ThoughtTreeError `bad-input` if it does not exist, or is not a folder
 */
export async function existingFolder(path: string): Promise<string> {
  const whole = resolve(path);
  const found = await stat(whole).catch(() => undefined);
  if (!found) throw new ThoughtTreeError('bad-input', noFolder({ folder: whole }));
  if (!found.isDirectory()) throw new ThoughtTreeError('bad-input', notAFolder({ folder: whole }));
  return whole;
}

/**
 * The folder that agents keep searches in: the named one, else that of the workspace, which may have come with a link in its place.
 * @throws ThoughtTreeError `bad-input` if it leads elsewhere, and nobody named it
 */
export function folderForAgents(workspace: string, named: string | undefined): string {
  if (named !== undefined) return resolve(named);
  const folder = linkOnTheWay(workspace, SEARCHES);
  if (folder === undefined) return join(workspace, SEARCHES);
  throw new ThoughtTreeError('bad-input', linkedFolder({ folder }));
}

/**
 * The folder of a search that somebody named, as an absolute path; with its moment, as in `DIR@42`.
 * @throws ThoughtTreeError `bad-input` if it does not exist, or is not a folder
 */
export async function searchFolder(path: string): Promise<string> {
  const past = momentIn(resolve(path));
  return past ? `${await existingFolder(past.folder)}@${past.moment}` : await existingFolder(path);
}

/**
 * Returns the workspace of an existing search: the named one, else the folder that holds its `thought-trees`, else this
 * one.
 */
export async function placeOf(dir: string, named: string | undefined): Promise<Place> {
  const folder = await searchFolder(dir);
  if (named !== undefined) return { folder, workspace: await existingFolder(named) };
  const parent = dirname(folder);
  return { folder, workspace: basename(parent) === SEARCHES ? dirname(parent) : process.cwd() };
}

/** Returns a path as a person would type it here: relative if that is shorter. */
export function shownPath(path: string): string {
  const near = relative(process.cwd(), path);
  return near === '' ? '.' : near.startsWith('..') || isAbsolute(near) ? path : near;
}
