import type { Message } from '../../core/messages/message.ts';
import type { Model } from '../../core/ports/model.ts';
import { ThoughtTreeError, toThoughtTreeError } from '../../core/search/errors.ts';
import type { JournalEvent } from '../../core/search/events.ts';
import { oneLine } from '../../core/text/text.ts';
import type { Slots } from '../../engine/context.ts';
import { AgentPlace } from '../../fleet/agents.ts';
import { accountOf, originOf, searchKey } from '../../fleet/names.ts';
import type { OpenOwnModel } from '../../fleet/worker/calls.ts';
import { isAgent } from '../../models/agents/agent.ts';
import { isFreeModel } from '../../searches/models/choose-model.ts';
import { type Environment, openWithEnvironment } from '../../searches/models/environment.ts';
import { priceOf } from '../../searches/models/own-prices.ts';
import type { Place } from '../../searches/place.ts';
import { realPath } from '../../searches/trust/search-use.ts';
import { ownKey } from '../../searches/trust/state-folder.ts';
import { ownHost } from '../../store/lease/process-identity.ts';
import { ownEpoch, readSearchId } from '../../store/open-store.ts';
import { givenPriceOf, type SearchFlags } from '../options/options.ts';
import { mayLoad } from '../running/consent.ts';
import { terminalOf } from '../terminal/terminal.ts';
import { inWords } from '../terminal/translation.ts';
import * as say from './messages.ts';

/** The time that a start waits for a worker to show itself, in milliseconds. */
const MEETING_MS = 3000;
const USUAL_SECONDS = 300;

export interface FleetRequest {
  readonly place: Place;
  readonly flags: Pick<SearchFlags, 'queue' | 'concurrency' | 'price' | 'judgePrice' | 'timeout' | 'allowTool'>;
  readonly env: Environment;
  readonly title: string;
  readonly model: string;
  readonly judge?: string | undefined;
  /** Those that share the work, if they are several. */
  readonly several?: readonly string[];
  /** The address of the model's server, where this person gave one. */
  readonly baseUrl: () => Promise<string | undefined>;
}

/** A run's part in a fleet. */
export interface FleetRun {
  /** Returns the model of this name, if its calls go to the fleet. */
  model(name: string): Model | undefined;
  readonly slots: Slots;
  /** The number of slots to plan with. */
  readonly concurrency: number | undefined;
  readonly secrets: readonly string[];
  /** Hears what happens to the search. */
  hear(event: JournalEvent): void;
  close(): Promise<void>;
}

/** Opens the fleet that a run names; undefined if it names none. */
export async function fleetFor(request: FleetRequest): Promise<FleetRun | undefined> {
  const { flags, env } = request;
  const address = flags.queue ?? env.queue;
  if (address === undefined) {
    if (flags.concurrency === 'fleet') throw new ThoughtTreeError('bad-input', say.fleetNeedsQueue());
    return undefined;
  }
  const { model, judge = model, several = [] } = request;
  const names = [...new Set([model, judge, ...several])].filter((name) => !isFreeModel(name));
  if (names.length === 0) return undefined;
  return await openFleet(request, address, names);
}

async function openFleet(request: FleetRequest, address: string, names: readonly string[]): Promise<FleetRun> {
  const { flags, place, title } = request;
  const { err } = terminalOf(process);
  const notice = (what: Parameters<typeof inWords>[0]): void => err.line(oneLine(inWords(what), 1000));
  sayPassword(flags.queue, notice);
  const key = ownKey();
  if (key === undefined) throw new ThoughtTreeError('bad-input', say.fleetNeedsState());
  const search = async (): Promise<string> =>
    searchKey((await readSearchId(place.folder)) ?? '', await realPath(place.folder));
  const lease = (): Promise<number | undefined> => ownEpoch(place.folder);
  // Whoever has it may do what its worker was told, wherever the search is led from.
  if (names.some(isAgent) && flags.allowTool) notice(say.rightsOfWorkers());
  const agents = names.some(isAgent) ? await agentPlace(place.workspace) : undefined;
  const { openLeader } = await import('../../fleet/leader/fleet-leader.ts');
  const { jobNames } = await import('../../searches/purse/purse.ts');
  const { leader, secrets } = await openLeader(address, { title, search, lease, key, notice, onJob: jobNames() });
  const models = new Map<string, Model>();
  for (const name of names) models.set(name, leader.model(await optionsOf(name, request, agents)));
  await leader.meet(MEETING_MS);
  const slots: Slots = {
    get count() {
      return leader.slots;
    },
    areAllTaken: flags.concurrency === 'fleet',
    onChange: (listener) => leader.onSlots(listener),
    takeBack: () => leader.takeBack(),
  };
  return {
    model: (name) => models.get(name),
    slots,
    concurrency: flags.concurrency === 'fleet' ? leader.planned : flags.concurrency,
    secrets,
    hear: (event) => leader.hear(event),
    close: async () => {
      for (const model of models.values()) await model.close?.();
    },
  };
}

async function optionsOf(
  name: string,
  request: FleetRequest,
  agents: AgentPlace | undefined,
): Promise<Parameters<FleetLeaderModel>[0]> {
  const { flags, judge, model } = request;
  const seconds = flags.timeout ?? USUAL_SECONDS;
  if (agents && isAgent(name)) return { name, origin: agents.origin(name), price: undefined, seconds, agents };
  const isJudge = name === judge && name !== model;
  const isOfModel = name.split('/')[0] === model.split('/')[0];
  const baseUrl = name !== model && !isOfModel ? undefined : await request.baseUrl();
  const judging = isJudge ? flags.judgePrice : undefined;
  const price = judging ?? givenPriceOf(name, model, flags.price) ?? priceOf(name);
  return { name, origin: originOf(baseUrl), price, seconds };
}

type FleetLeaderModel = Awaited<
  ReturnType<typeof import('../../fleet/leader/fleet-leader.ts')['openLeader']>
>['leader']['model'];

/** An option can be read by everybody on the computer. */
export function sayPassword(
  flag: string | undefined,
  notice: (what: ReturnType<typeof say.passwordSeen>) => void,
): void {
  if (flag !== undefined && URL.parse(flag)?.password) notice(say.passwordSeen());
}

/** @throws ThoughtTreeError `bad-input` if there is no such folder, or no key of this user to be known by */
export async function agentPlace(folder: string): Promise<AgentPlace> {
  const key = ownKey();
  if (key === undefined) throw new ThoughtTreeError('bad-input', say.fleetNeedsState());
  return await AgentPlace.open({ key, host: ownHost(), folder });
}

export interface OwnAgentsOptions {
  readonly agents: AgentPlace;
  /** The tools that they may use besides reading: this alone decides, not what a search or its folder asks for. */
  readonly allowedTools: readonly string[];
  readonly notice: (what: Message) => void;
}

/** Opens the agents that a worker may run; other models by `others`. */
export function withAgents(others: OpenOwnModel, env: Environment, options: OwnAgentsOptions): OpenOwnModel {
  const { agents, allowedTools, notice } = options;
  const account = accountOf(agents.marks.host, 'agents');
  return async (name, asked) => {
    if (!isAgent(name)) return await others(name, asked);
    const origin = agents.origin(name);
    if (asked !== undefined && asked !== origin) return undefined;
    // Nobody sits there when a search asks for one later.
    const agent = { allowedTools, ...(asked === undefined && { mayLoad }) };
    try {
      const model = await openWithEnvironment(name, { workspace: agents.folder, env, agent });
      return { model, origin, account, agents };
    } catch (error) {
      if (asked === undefined) throw error;
      notice(say.agentNotOpened({ model: name, why: toThoughtTreeError(error).say }));
      return undefined;
    }
  };
}
