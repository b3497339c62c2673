import { join } from 'node:path';
import type { Command } from 'commander';
import type { Message } from '../../core/messages/message.ts';
import type { Price } from '../../core/ports/model.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { oneLine } from '../../core/text/text.ts';
import { accountOf, originOf } from '../../fleet/names.ts';
import type { WorkerRegistration } from '../../fleet/protocol.ts';
import type { OpenOwnModel } from '../../fleet/worker/calls.ts';
import { findKey } from '../../models/keys.ts';
import { HTTP_PROVIDERS, providerOf } from '../../models/open-model.ts';
import { type Environment, openWithEnvironment, readEnvironment } from '../../searches/models/environment.ts';
import { StateFolder, statePath } from '../../searches/trust/state-folder.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { collected, givenPrice, number, wholeNumber } from '../options/options.ts';
import { terminalOf } from '../terminal/terminal.ts';
import { inWords, l10n } from '../terminal/translation.ts';
import { agentPlace, sayPassword, withAgents } from './fleet-run.ts';
import * as say from './messages.ts';

/** `worker`. */
export function addWorker(program: Command, end: (code: ExitCode) => void): void {
  program
    .command('worker')
    .description(l10n.t('make calls for searches elsewhere, with the keys of this computer'))
    .option('--queue <url>', l10n.t("the queue's address, as in postgres://user@host/database"))
    .option(
      '--model <provider/model>',
      l10n.t('what it serves; repeatable (default: whatever searches ask for that there is a key for)'),
      collected,
    )
    .option('--base-url <url>', l10n.t("the address of the model's server, if not its provider's own"))
    .option('--price <p,c,a>', l10n.t('dollars per million tokens: prompt, cached prompt, answer'), givenPrice)
    .option('--slots <n>', l10n.t('calls at the same time (default: 4)'), wholeNumber(1, 1000))
    .option(
      '--max-usd <dollars>',
      l10n.t('the most that all workers of this user on this computer may spend a day (default: 5)'),
      number(0),
    )
    .option('--max-tokens <n>', l10n.t('the most tokens that they may use a day (default: 2000000)'), wholeNumber(0))
    .option(
      '--agents <folder>',
      l10n.t('run agents, too, in this folder alone, for your own searches on this computer'),
    )
    .option(
      '--allow-tool <rule>',
      l10n.t('with --agents: let them use this besides reading, as in "Bash(git log:*)"; repeatable'),
      collected,
    )
    .option('--json', l10n.t('every call that ended as a line of JSON on stdout'))
    .action(async (flags: WorkerFlags) => end(await runWorker(flags)));
}

interface WorkerFlags {
  readonly queue?: string;
  readonly model?: readonly string[];
  readonly baseUrl?: string;
  readonly price?: Price;
  readonly slots?: number;
  /** The amount that all workers of this user on this computer may spend a day, in US dollars. */
  readonly maxUsd?: number;
  readonly maxTokens?: number;
  /** The folder in which agents may work. */
  readonly agents?: string;
  /** The tools that they may use besides reading, in their own terms. */
  readonly allowTool?: readonly string[];
  readonly json?: true;
}

/** The defaults of its options; its help says them. */
const USUAL = { slots: 4, maxUsd: 5, maxTokens: 2_000_000 };

type State = WorkerRegistration['state'] | 'away' | 'back';

/**
 * Takes calls until it is asked to end.
 * @throws ThoughtTreeError `newer-version` if its fleet is, or has become, one of another version
 */
async function runWorker(flags: WorkerFlags): Promise<ExitCode> {
  const terminal = terminalOf(process);
  const env = readEnvironment(process.env);
  const { slots, maxUsd, maxTokens } = { ...USUAL, ...flags };
  const notice = (what: Message): void => terminal.err.line(oneLine(inWords(what), 1000));
  const address = flags.queue ?? env.queue;
  if (address === undefined) throw new ThoughtTreeError('bad-input', say.queueNeeded());
  sayPassword(flags.queue, notice);
  const state = StateFolder.open() && statePath();
  const names = flags.model ?? (env.model === undefined ? [] : [env.model]);
  if (flags.price && names.length !== 1) throw new ThoughtTreeError('bad-input', say.priceOfOne());
  if (flags.allowTool && flags.agents === undefined) throw new ThoughtTreeError('bad-input', say.toolsNeedAgents());
  const agents = flags.agents === undefined ? undefined : await agentPlace(flags.agents);
  const given = { address: flags.baseUrl, price: flags.price, areNamed: names.length > 0 };
  const own = ownModels(env, given);
  const allowedTools = flags.allowTool ?? [];
  const foreign = Promise.withResolvers<ThoughtTreeError>();
  const { openWorker } = await import('../../fleet/worker/open-worker.ts');
  const { workerPurse } = await import('../../searches/purse/purse.ts');
  const { worker, shown, close } = await openWorker({
    ...{ address, models: names, slots, agents, notice, purse: workerPurse() },
    open: agents ? withAgents(own, env, { agents, allowedTools, notice }) : own,
    caps: { tokens: maxTokens, usd: maxUsd },
    folder: state === undefined ? undefined : join(state, 'fleet'),
    // Not its node: that is named as a model titled it, and what searches are about is in no log.
    onCall: ({ model, request: { purpose }, id }, result, ms) => {
      const outcome = result.outcome === 'answer' ? 'ok' : result.reason;
      if (flags.json) terminal.out.line(JSON.stringify({ call: id, model, purpose, outcome, ms }));
      else
        terminal.out.line(oneLine(`${(ms / 1000).toFixed(1)}s ${outcome} ${model} ${purpose} ${id.slice(0, 8)}`, 500));
    },
    onState: (told) => sayState(told, notice),
    onForeign: foreign.resolve,
  });
  const models = names.join(', ');
  notice(models === '' ? say.workerTakesWanted({ address: shown }) : say.workerTakes({ models, address: shown }));
  if (agents) sayAgents(agents.folder, allowedTools, notice);
  const why = await asked(
    {
      drain: () => {
        const count = worker.underWay;
        notice(count === 0 ? say.leaves() : say.drains({ count }));
        return worker.drain();
      },
      stop: () => {
        const count = worker.underWay;
        notice(count === 0 ? say.leavesStill() : say.givesBack({ count }));
        worker.stop();
      },
    },
    foreign.promise,
  );
  await close();
  await Promise.all([terminal.out.drained(), terminal.err.drained()]);
  if (why) throw why;
  return EXIT.finished;
}

/** Nothing that a search says changes it. */
function sayAgents(folder: string, tools: readonly string[], notice: (what: Message) => void): void {
  notice(
    tools.length === 0
      ? say.workerRunsAgents({ folder })
      : say.workerAllowsAgents({ folder, tools: oneLine(tools.join(', '), 500) }),
  );
}

function sayState(state: State, notice: (what: Message) => void): void {
  if (state === 'capped') notice(say.capped());
  else if (state === 'working') notice(say.works());
  else if (state === 'away') notice(say.queueAway());
  else if (state === 'back') notice(say.queueBack());
}

interface Endings {
  readonly drain: () => Promise<void>;
  readonly stop: () => void;
}

/**
 * Resolves when the worker has ended, as a person or the system asked it to: in order, then at once.
 * @param foreign resolves if it has to end by itself
 * @returns why, if it had to
 */
async function asked(
  { drain, stop }: Endings,
  foreign: Promise<ThoughtTreeError>,
): Promise<ThoughtTreeError | undefined> {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  // Its timers do not keep the process alive while the queue is away.
  const alive = setInterval(() => undefined, 60_000);
  try {
    return await new Promise<ThoughtTreeError | undefined>((resolve, reject) => {
      let times = 0;
      const hear = (why?: ThoughtTreeError): void => {
        if (++times === 1) drain().then(() => resolve(why), reject);
        else if (times === 2) stop();
        else process.exit(EXIT.interrupted);
      };
      for (const signal of signals) process.on(signal, () => hear());
      void foreign.then((why) => times === 0 && hear(why));
    });
  } finally {
    clearInterval(alive);
  }
}

/** The longest that the model itself lets a call take, in milliseconds: each call says its own time. */
const LONGEST_MS = 86_400_000;

interface OwnModelsOptions {
  readonly address: string | undefined;
  /** Of the one that they name. */
  readonly price: Price | undefined;
  /** True if they name the models: then the address is for all of them. */
  readonly areNamed: boolean;
}

/** Opens the models that a worker may serve, with the keys and servers of this person. */
function ownModels(env: Environment, { address, price, areNamed }: OwnModelsOptions): OpenOwnModel {
  const baseUrl = address ?? env.baseUrl;
  const own = originOf(baseUrl);
  return async (name, asked) => {
    const { provider } = providerOf(name);
    const rules = HTTP_PROVIDERS.get(provider);
    if (!rules) return undefined;
    const origin = areNamed ? own : asked;
    if (origin !== undefined && origin !== own) return undefined;
    const server = origin === undefined ? undefined : baseUrl;
    const { apiKey } = findKey(rules, { baseUrl: server, environment: env.variables });
    // A model that nobody named here is served only where this person put a key for it.
    if (!areNamed && origin === undefined && (!rules.needsKey || apiKey === undefined)) return undefined;
    const workspace = process.cwd(); // nothing of it is read
    const model = await openWithEnvironment(name, { workspace, env, baseUrl: server, price, timeoutMs: LONGEST_MS });
    return { model, origin, account: accountOf(apiKey, server ?? rules.defaultBaseUrl ?? '') };
  };
}
