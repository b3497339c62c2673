import type { Model, ModelAnswer, ModelRequest } from '../../core/ports/model.ts';
import type { Rights } from '../../core/ports/workshop.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { ProcessWatch } from '../../processes/process-watch.ts';
import { type AcpHost, AGENT_LIMITS, type AgentOptions, asText } from '../agents/agent.ts';
import { agentEnvironment, agentSecrets, hideKeys } from '../keys.ts';
import * as say from '../messages.ts';
import { type AcpCommand, findAcpCommand } from './acp-command.ts';
import { askAcp, type FromSession } from './acp-turn.ts';

/**
 * Opens an agent that speaks the Agent Client Protocol as a model.
 * @param name in the product's list, or in the user's own settings
 * @throws ThoughtTreeError `bad-input` if it is not there, or the person does not want it started
 */
export async function openAcpModel(
  name: string,
  workspace: string,
  options: AgentOptions = {},
  env: NodeJS.ProcessEnv = process.env,
): Promise<Model> {
  const { acp: host } = options;
  if (!host) throw new ThoughtTreeError('bad-input', say.acpNotHere({ name }));
  const command = await findAcpCommand(name, workspace, host, env);
  const { program: path, args, version } = command;
  if (!(await host.mayStart({ name, path, version, line: [path, ...args].join(' ') })))
    throw new ThoughtTreeError('bad-input', say.acpNotAgreed({ name, path, version }));
  return new AcpModel(command, workspace, host, options, env);
}

/** A session of this process. */
interface KnownSession {
  /** The number of turns that it has. */
  readonly turns: number;
  /** What it has cost, as it says. */
  readonly usd: number;
  /** Somebody goes on in it already. */
  isTaken: boolean;
}

/** An agent as a model: one process per question, held in a sandbox. */
class AcpModel implements Model {
  readonly name: string;
  readonly label: string;
  readonly free = false;
  readonly worksByItself = true;
  readonly #command: AcpCommand;
  readonly #workspace: string;
  readonly #host: AcpHost;
  readonly #options: AgentOptions;
  readonly #env: Readonly<Record<string, string>>;
  readonly #limits: typeof AGENT_LIMITS;
  readonly #watch = new ProcessWatch();
  readonly #sessions = new Map<string, KnownSession>();
  /** Whether it reports costs; undefined before its first answer. */
  #reports: boolean | undefined;

  constructor(command: AcpCommand, workspace: string, host: AcpHost, options: AgentOptions, env: NodeJS.ProcessEnv) {
    this.name = `acp/${command.name}`;
    this.label = `${command.name} (ACP)`;
    this.#command = command;
    this.#workspace = workspace;
    this.#host = host;
    this.#options = options;
    this.#limits = { ...AGENT_LIMITS, ...options.limits };
    this.#env = agentEnvironment(
      env,
      command.env.map((each) => each.toUpperCase()),
    );
  }

  /** One that reports no costs is bound by calls, tokens as they are seen, and minutes. */
  get most(): NonNullable<Model['most']> {
    const { tokens, usd } = this.#limits;
    return this.#reports === false ? { tokens } : { tokens, usd };
  }

  get warning(): NonNullable<Model['warning']> {
    return say.acpMayPass({ model: this.name, usd: this.#limits.usd });
  }

  async generate(request: ModelRequest, call: Parameters<Model['generate']>[1]): Promise<ModelAnswer> {
    const { workplace, turns, system, prompt } = request;
    const { folder = this.#workspace, rights } = workplace ?? { rights: 'read' as const };
    const held = await this.#held(folder, rights);
    const from = this.#from(request);
    const since = turns.slice(from ? from.place + 1 : 0);
    const { answer, session, reportedUsd } = await askAcp(
      {
        ...held,
        agent: this.label,
        env: this.#env,
        folder,
        rights,
        from: from?.session,
        prompt: `${asText(since)}${prompt}`,
        wholePrompt: `${system}\n\n${asText(turns)}${prompt}`,
        limits: this.#limits,
        askPermission: this.#options.askPermission,
        watch: this.#watch,
      },
      call,
    );
    const said = hideKeys(agentSecrets(this.#env, this.#command.env), () => answer);
    if (this.#reports === undefined && reportedUsd === undefined)
      call.onProgress?.(say.acpReportsNothing({ model: this.name }));
    this.#reports = this.#reports === true || reportedUsd !== undefined;
    this.#sessions.set(session, { turns: turns.length + 2, usd: reportedUsd ?? 0, isTaken: false });
    return said;
  }

  async close(): Promise<void> {
    this.#watch.close();
  }

  /** @throws ThoughtTreeError `bad-input` where nothing would hold it */
  async #held(folder: string, rights: Rights): Promise<{ readonly program: string; readonly args: readonly string[] }> {
    const { program, args, state } = this.#command;
    const place = { workspace: this.#workspace, folder, canWrite: rights === 'write', state };
    const held = await this.#host.hold({ program, args }, place);
    if (held) return held;
    throw new ThoughtTreeError('bad-input', say.acpNotHeld({ model: this.name }), { charged: false });
  }

  /** Returns the last session that the turns name, and which turn that was; nobody else goes on in it then. */
  #from({ turns }: ModelRequest): { readonly place: number; readonly session: FromSession } | undefined {
    for (let place = turns.length - 1; place >= 0; place--) {
      const session = turns[place]?.session;
      if (session === undefined) continue;
      const known = this.#sessions.get(session);
      const isAtItsEnd = known?.turns === place + 1 && !known.isTaken;
      if (known) known.isTaken = true;
      return { place, session: { id: session, isAtItsEnd, usd: known?.usd ?? 0 } };
    }
    return undefined;
  }
}
