import type { Message } from '../../core/messages/message.ts';
import { ThoughtTreeError, toThoughtTreeError } from '../../core/search/errors.ts';
import { AgentPlace } from '../../fleet/agents/agent-place.ts';
import { accountOf } from '../../fleet/names.ts';
import type { OpenOwnModel } from '../../fleet/worker/served-models.ts';
import { isAgent } from '../../models/agents/agent-name.ts';
import { type Environment, openWithEnvironment } from '../../searches/models/environment.ts';
import { ownHost } from '../../searches/trust/own-host.ts';
import { ownKey } from '../../searches/trust/own-key.ts';
import { mayLoad } from '../running/may-load.ts';
import * as say from './messages.ts';

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
