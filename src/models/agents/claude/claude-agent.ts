import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { ModelAnswer, ModelCall, Workplace } from '../../../core/ports/model.ts';
import { ThoughtTreeError } from '../../../core/search/errors.ts';
import { endGroup, ProcessWatch } from '../../../processes/process-watch.ts';
import { callStopped, noSession } from '../../messages.ts';
import { AGENT_LIMITS, type Agent, type AgentLimits, type AgentOptions, type AgentQuestion } from '../agent.ts';
import { agentEnvironment } from '../agent-environment.ts';
import { agentSecrets } from '../agent-secrets.ts';
import { hideKeys } from '../hide-keys.ts';
import { shownInput, shownName } from '../shown-input.ts';
import { mayChange, mayChangeFiles, rightsIn } from './claude-rights.ts';
import type { ClaudeSdk, Permission, QueryOptions, SpawnOptions } from './claude-sdk.ts';
import { findSession } from './claude-sessions.ts';
import { isOwnTool, OWN_SERVER, ownServer } from './claude-tools.ts';
import { Hearing } from './hearing.ts';

const KEYS = ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN'];
const OWN_VARIABLES = [...KEYS, 'ANTHROPIC_BASE_URL', 'CLAUDE_CONFIG_DIR', 'CLAUDE_CODE_GIT_BASH_PATH'];
/** The time that a process that has answered may take to write its session, in milliseconds. */
const ENDING_MS = 5000;

/** Claude Code, through the SDK that the user has installed: one process per question, forked by itself. */
export class ClaudeAgent implements Agent {
  readonly name: string;
  readonly label: string;
  readonly limits: AgentLimits;
  readonly changesWorkspace: boolean;
  readonly #sdk: ClaudeSdk;
  readonly #model: string;
  readonly #workspace: string;
  readonly #options: AgentOptions;
  readonly #env: Readonly<Record<string, string>>;
  readonly #watch = new ProcessWatch();
  readonly #running = new Set<ChildProcess>();

  constructor(sdk: ClaudeSdk, model: string, workspace: string, options: AgentOptions, env: NodeJS.ProcessEnv) {
    this.name = `claude/${model}`;
    this.label = `Claude Code (${model})`;
    this.limits = { ...AGENT_LIMITS, ...options.limits };
    this.changesWorkspace = mayChangeFiles(options.allowedTools ?? []);
    this.#sdk = sdk;
    this.#model = model;
    this.#workspace = workspace;
    this.#options = options;
    this.#env = {
      ...agentEnvironment(env, OWN_VARIABLES),
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      // The engine does the retries, since every attempt has to pass the budget.
      CLAUDE_CODE_MAX_RETRIES: '0',
    };
  }

  async hasSession(id: string, workplace?: Workplace): Promise<boolean> {
    return (await findSession(id, workplace?.folder ?? this.#workspace, this.#env)) !== undefined;
  }

  async ask(question: AgentQuestion, call: ModelCall): Promise<ModelAnswer> {
    if (call.signal.aborted) throw new ThoughtTreeError('aborted', callStopped(), { charged: false });
    const before = question.from === undefined ? 0 : await this.#costBefore(question.from, question.workplace);
    let child: ChildProcess | undefined;
    const kill = (): void => {
      if (child) end(child);
    };
    call.signal.addEventListener('abort', kill, { once: true });
    const hearing = new Hearing(this.limits.tokens - question.maxOutputTokens, this.limits.usd, call);
    try {
      const options = this.#queryOptions(question, call, (how) => {
        child = this.#spawn(how);
        if (call.signal.aborted) kill();
        return child;
      });
      for await (const message of this.#sdk.query({ prompt: question.prompt, options })) {
        hearing.hear(message);
        if (hearing.isOver) kill();
      }
    } catch (error) {
      // After a result, or an end that we caused, an error adds nothing.
      if (!hearing.hasEnded) hearing.fail(error);
    } finally {
      call.signal.removeEventListener('abort', kill);
      if (child) await ended(child);
    }
    if (call.signal.aborted) throw new ThoughtTreeError('aborted', callStopped(), { charged: hearing.isCharged });
    return hideKeys(agentSecrets(this.#env, KEYS), () => hearing.answer(this.name, before));
  }

  async close(): Promise<void> {
    for (const child of this.#running) end(child);
    await Promise.all([...this.#running].map(ended));
    this.#watch.close();
  }

  /** The cost of the session to fork, in US dollars, from which its fork continues counting; undefined if unknown. */
  async #costBefore(id: string, workplace: Workplace | undefined): Promise<number | undefined> {
    const found = await findSession(id, workplace?.folder ?? this.#workspace, this.#env);
    if (!found) throw new ThoughtTreeError('not-found', noSession({ id }), { charged: false });
    return found.usd;
  }

  #queryOptions(
    { system, from, id, workplace, isKept, maxOutputTokens }: AgentQuestion,
    { toolbox, signal: stopped }: ModelCall,
    spawned: QueryOptions['spawnClaudeCodeProcess'],
  ): QueryOptions {
    const rights = rightsIn(workplace, this.#options.allowedTools ?? []);
    return {
      cwd: workplace?.folder ?? this.#workspace,
      env: { ...this.#env, CLAUDE_CODE_MAX_OUTPUT_TOKENS: String(maxOutputTokens) },
      ...(this.#model === 'default' ? {} : { model: this.#model }),
      // Its tools want absolute paths, and a system text of our own does not tell it where it is.
      systemPrompt:
        workplace?.folder === undefined ? system : `${system}\nYou work in this folder: ${workplace.folder}\n`,
      ...rights,
      ...(toolbox && { mcpServers: { [OWN_SERVER]: ownServer(toolbox, stopped) } }),
      permissionMode: 'default',
      strictMcpConfig: true,
      maxTurns: this.limits.turns,
      maxBudgetUsd: this.limits.usd,
      includePartialMessages: true,
      persistSession: isKept,
      ...(from === undefined ? {} : { resume: from, forkSession: true as const }),
      ...(id === undefined || !isKept ? {} : { sessionId: id }),
      canUseTool: async (tool, input, { signal }) => {
        if (toolbox && isOwnTool(tool)) return { behavior: 'allow', updatedInput: input };
        return mayChange(workplace, tool, input) ?? (await this.#mayUse(tool, input, workplace, signal));
      },
      spawnClaudeCodeProcess: spawned,
    };
  }

  #spawn({ command, args, cwd, env }: SpawnOptions): ChildProcess {
    const child = spawn(command, [...args], {
      ...(cwd === undefined ? {} : { cwd }),
      env: { ...env },
      stdio: ['pipe', 'pipe', 'ignore'],
      // A process group of its own, so that what its tools have started ends with it.
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    this.#watch.add(child);
    this.#running.add(child);
    child.once('exit', () => this.#running.delete(child));
    child.once('error', () => this.#running.delete(child));
    return child;
  }

  async #mayUse(
    tool: string,
    input: Readonly<Record<string, unknown>>,
    workplace: Workplace | undefined,
    signal: AbortSignal,
  ): Promise<Permission> {
    const { askPermission } = this.#options;
    const deny = (why: string): Permission => ({
      behavior: 'deny',
      message: `${why} Answer without it, from the files of the workspace.`,
    });
    if (!askPermission) return deny('Nobody can be asked for leave here.');
    const [name, what] = [shownName(tool), shownInput(input, workplace?.folder ?? this.#workspace)];
    if (name === undefined || what === undefined) return deny('That is too long for a person to be asked about.');
    if (signal.aborted) return deny('The question was stopped.');
    const isAllowed = await askPermission({ agent: this.label, tool: name, what }, signal);
    return isAllowed ? { behavior: 'allow', updatedInput: input } : deny('The person refused it.');
  }
}

/** Ends a process at once: its output is no longer needed, and sessions are not changed by their forks. */
function end(child: ChildProcess): void {
  if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) endGroup(child.pid);
}

/** Waits for a process that is about to end, and ends it if it does not. */
async function ended(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const timer = setTimeout(() => end(child), ENDING_MS);
  await once(child, 'exit');
  clearTimeout(timer);
}
