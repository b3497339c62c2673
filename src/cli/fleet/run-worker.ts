import { join } from 'node:path';
import type { Message } from '../../core/messages/message.ts';
import type { Price } from '../../core/ports/model.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { oneLine } from '../../core/text/text.ts';
import type { WorkerCard } from '../../fleet/protocol.ts';
import { readEnvironment } from '../../searches/models/environment.ts';
import { StateFolder, statePath } from '../../searches/trust/state-folder.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { terminalOf } from '../terminal/terminal.ts';
import { inWords } from '../terminal/translation.ts';
import { sayPassword } from './fleet-run.ts';
import * as say from './messages.ts';
import { agentPlace, withAgents } from './own-agents.ts';
import { ownModels } from './own-models.ts';

export interface WorkerFlags {
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

type State = WorkerCard['state'] | 'away' | 'back';

/**
 * Takes calls until it is asked to end.
 * @throws ThoughtTreeError `newer-version` if its fleet is, or has become, one of another version
 */
export async function runWorker(flags: WorkerFlags): Promise<ExitCode> {
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
  const { worker, shown, close } = await openWorker({
    ...{ address, models: names, slots, agents, notice },
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
