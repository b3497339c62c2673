import * as z from 'zod';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import type { AcpHost, AgentOptions, OwnCommand, StartedAgent } from '../../models/agents/agent.ts';
import { agentsDamaged } from '../messages.ts';
import { StateFolder, statePath } from '../trust/state-folder.ts';

/** In this user's state folder: which agents of the Agent Client Protocol there are besides those that the product knows. */
const SETTINGS = 'agents.json';
/** Beside it: which programs this person agreed to. */
const AGREED = 'agents-agreed.json';

const MOST = 100;
const Name = z.string().regex(/^[\w.-]{1,60}$/);
const Settings = z.object({
  version: z.literal(1),
  agents: z
    .record(
      Name,
      z.object({
        command: z.tuple([z.string().min(1).max(4000)], z.string().max(4000)),
        env: z.array(z.string().max(200)).max(MOST).optional(),
        writes: z.array(z.string().startsWith('/').max(4000)).max(MOST).optional(),
      }),
    )
    .refine((agents) => Object.keys(agents).length <= MOST),
});

const Agreed = z.object({
  version: z.literal(1),
  agents: z.record(Name, z.object({ path: z.string(), version: z.string(), line: z.string() })),
});

/** Returns the options of agents, with what this person decided about those of the Agent Client Protocol. */
export function withOwnAgents(options: AgentOptions | undefined): AgentOptions {
  const acp: AcpHost = {
    commandOf: ownCommand,
    mayStart: async (agent) => isAgreed(agent) || (await agree(agent, options?.mayStart)),
    async hold(program, place) {
      const { holdAgent } = await import('../../work/commands/agent-sandbox.ts');
      const state = statePath();
      return await holdAgent(program, { ...place, hidden: state !== undefined && StateFolder.open() ? [state] : [] });
    },
  };
  return { acp, ...options };
}

/** @throws ThoughtTreeError `damaged` if the file cannot be read */
function ownCommand(name: string): OwnCommand | undefined {
  const text = StateFolder.open()?.read(SETTINGS);
  if (text === undefined) return undefined;
  try {
    const { agents } = Settings.parse(JSON.parse(text));
    return Object.hasOwn(agents, name) ? agents[name] : undefined;
  } catch (cause) {
    throw new ThoughtTreeError('damaged', agentsDamaged({ file: SETTINGS }), { cause });
  }
}

function agreed(): z.infer<typeof Agreed>['agents'] {
  try {
    return Agreed.parse(JSON.parse(StateFolder.open()?.read(AGREED) ?? '')).agents;
  } catch {
    return {};
  }
}

function isAgreed({ name, path, version, line }: StartedAgent): boolean {
  const all = agreed();
  const known = Object.hasOwn(all, name) ? all[name] : undefined;
  return known?.path === path && known.version === version && known.line === line;
}

async function agree(agent: StartedAgent, ask: AgentOptions['mayStart']): Promise<boolean> {
  if (!(await ask?.(agent))) return false;
  const { name, path, version, line } = agent;
  const agents = { ...agreed(), [name]: { path, version, line } };
  // Where it cannot be remembered, it is asked again next time.
  StateFolder.open()?.write(AGREED, `${JSON.stringify({ version: 1, agents })}\n`);
  return true;
}
