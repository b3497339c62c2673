import type { Model, Price } from '../../core/ports/model.ts';
import { AGENT_LIMITS } from '../../models/agents/agent.ts';
import { queueOf } from '../names.ts';
import { FleetCalls } from './fleet-calls.ts';
import type { FleetModelOptions, FleetParts } from './fleet-parts.ts';
import { onceForEach, type Served, servedBy } from './workers/served.ts';

/** The properties of an agent that no worker's word decides: it says itself what its requests cost. */
const OF_AGENT = { price: undefined, contextTokens: undefined, thinking: undefined, free: false, tools: false };

/** A model whose calls are carried out by the workers of a fleet. */
export function fleetModel(parts: FleetParts, options: FleetModelOptions): Model {
  const { name, origin, price, agents } = options;
  const queue = queueOf(name, origin);
  const ofCards = onceForEach((cards) => ({ ...servedBy(cards, queue, price), ...(agents && OF_AGENT) }));
  const served = (): Served => ofCards(parts.workers());
  const calls = new FleetCalls(parts, options, queue, () => served().price);
  const mayBeFree = name.startsWith('ollama/') && !price;
  return {
    name,
    label: `${name} (fleet)`,
    keepsTime: true,
    settlesStop: true,
    metered: !agents,
    ...(agents && { worksByItself: true, isTiedToWorkspace: true }),
    ...(agents && { most: { tokens: AGENT_LIMITS.tokens, usd: AGENT_LIMITS.usd } }),
    get free() {
      return mayBeFree && served().free;
    },
    // Not this process knows them, but those that serve it; they may come and go.
    get price() {
      return served().price as Price;
    },
    get contextTokens() {
      return served().contextTokens;
    },
    get thinking() {
      return served().thinking as NonNullable<Model['thinking']>;
    },
    get tools() {
      return served().tools;
    },
    get warmsCache() {
      return served().warmsCache;
    },
    get changesWorkspace() {
      return agents !== undefined && served().changesWorkspace;
    },
    generate: (request, call) => calls.generate(request, call),
    late: (made, request, signal) => calls.late(made, request, signal),
    onUnasked: (listener, before) => parts.onUnasked((answer) => listener(calls.unasked(answer, before.most)), before),
    close: parts.closed,
  };
}
