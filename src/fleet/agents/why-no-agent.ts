import type { Message } from '../../core/messages/message.ts';
import * as say from '../messages.ts';
import type { WorkerCard } from '../protocol.ts';
import type { AgentPlace } from './agent-place.ts';

/** Why no worker runs an agent for a search, by the worker that comes nearest. */
export function whyNoAgent(workers: readonly WorkerCard[], place: AgentPlace, model: string): Message {
  const { host, folder } = place.marks;
  const told = { model, folder: place.folder };
  const agents = workers.flatMap((worker) => (worker.agents ? { ...worker.agents, state: worker.state } : []));
  const here = agents.filter((each) => each.host === host);
  const there = here.filter((each) => each.folder === folder);
  if (there.some(({ state }) => state === 'working')) return say.agentNotServed(told);
  if (there.length > 0) return say.agentWorkersRest(told);
  if (here.length > 0) return say.agentsForOtherFolders(told);
  return agents.length > 0 ? say.agentsElsewhere(told) : say.noAgents(told);
}
