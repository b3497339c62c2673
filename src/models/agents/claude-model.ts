import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Model, ModelAnswer, ModelCall, Workplace } from '../../core/ports/model.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { endGroup, ProcessWatch } from '../../processes/process-watch.ts';
import { isOfGit, placeWithin, realPlace } from '../../text/files/real-place.ts';
import { agentEnvironment, agentSecrets, hideKeys } from '../keys.ts';
import { callStopped, noSession } from '../messages.ts';
import {
  AGENT_LIMITS,
  type Agent,
  type AgentLimits,
  type AgentOptions,
  type AgentQuestion,
  agentModel,
} from './agent.ts';
import { findSession, Hearing } from './claude-messages.ts';
import {
  type ClaudeSdk,
  findSdk,
  isOwnTool,
  loadSdk,
  OWN_SERVER,
  ownServer,
  type Permission,
  type QueryOptions,
  type SpawnOptions,
} from './claude-sdk.ts';

/**
 * Claude Code as a model, through the Claude Agent SDK that the user has installed.
 * @param model the name in Claude Code, such as `sonnet`; `default` for the one that the user has set there
 * @throws ThoughtTreeError `bad-input` if the SDK is not found, saying how to get it
 */
export async function openClaudeModel(
  model: string,
  workspace: string,
  options: AgentOptions = {},
  env: NodeJS.ProcessEnv = process.env,
): Promise<Model> {
  const sdk = await loadSdk(await findSdk(workspace, options, env));
  return agentModel(new ClaudeAgent(sdk, model, workspace, options, env));
}

const KEY_VARIABLES = ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN'];
const OWN_VARIABLES = [...KEY_VARIABLES, 'ANTHROPIC_BASE_URL', 'CLAUDE_CONFIG_DIR', 'CLAUDE_CODE_GIT_BASH_PATH'];
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
    return hideKeys(agentSecrets(this.#env, KEY_VARIABLES), () => hearing.answer(this.name, before));
  }

  async close(): Promise<void> {
    for (const child of this.#running) end(child);
    await Promise.all([...this.#running].map(ended));
    this.#watch.close();
  }

  /**
   * Returns the cost of the session to fork, in US dollars, from which its fork continues counting; undefined if
   * unknown.
   */
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

/** The longest question that a person can be expected to read, in characters. */
const LONGEST_SHOWN = 1500;

const PATH_NAME = /(path|file|dir|directory|folder|cwd|notebook)s?$/i;
const UPWARDS = /(^|[/\\])\.\.([/\\]|$)/;
/** Characters that take up space but show nothing, or look like a space and are none. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/gu;

/**
 * The input of a tool that an agent wants to use, in one line for people: as JSON, with invisible characters escaped (a
 * row of spaces as in `\u0020{12}`), and each path followed by the place it leads to, if different.
 * @param folder where the agent works
 * @returns undefined if it is too long to be shown in full: nobody can allow what they cannot see
 */
function shownInput(input: Readonly<Record<string, unknown>>, folder: string): string | undefined {
  try {
    const text = shown(input, '', folder);
    return text.length <= LONGEST_SHOWN ? text : undefined;
  } catch {
    return undefined; // nested too deeply, or not expressible as JSON
  }
}

/** Shows the name of a tool; undefined if it is too long. */
function shownName(name: string): string | undefined {
  const text = visible(name);
  return text.length <= 200 ? text : undefined;
}

function shown(value: unknown, name: string, folder: string): string {
  if (Array.isArray(value)) return `[${value.map((each) => shown(each, name, folder)).join(',')}]`;
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .map(([key, each]) => `${quoted(key)}:${shown(each, key, folder)}`)
      .join(',')}}`;
  if (typeof value === 'string' && isPath(value, name)) return `${quoted(value)}${placeOf(value, folder)}`;
  return typeof value === 'string' ? quoted(value) : (JSON.stringify(value) ?? 'null');
}

function quoted(text: string): string {
  return visible(JSON.stringify(text));
}

function visible(text: string): string {
  return text
    .replace(UNSEEN, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
    .replace(/ {2,}/g, (spaces) => `\\u0020{${spaces.length}}`);
}

function isPath(value: string, name: string): boolean {
  return value !== '' && (PATH_NAME.test(name) || (UPWARDS.test(value) && !/\s/.test(value)));
}

/** Returns where a path leads, after an arrow; empty if it leads where it says. */
function placeOf(written: string, folder: string): string {
  // As command-line programs do: spaces around it are not part of its name.
  const trimmed = written.trim();
  const place = resolve(folder, /^~(?=[/\\]|$)/.test(trimmed) ? join(homedir(), trimmed.slice(1)) : trimmed);
  const real = realPlace(place);
  return real === written ? '' : ` → ${quoted(real)}`;
}

// These are the rights of Claude Code: its own tools, by the place it works in. In a workplace, what the person allowed
// besides reading does not let it write anywhere else.

/** The tools that it may use without asking, on files of the folder that it works in. */
const READING = ['Read', 'Grep', 'Glob'];
const EDITING = ['Edit', 'Write'];
/** Tools that change a file wherever they are told to. */
const CHANGES_FILES: ReadonlySet<string> = new Set([...EDITING, 'MultiEdit', 'NotebookEdit']);

/** Tools that change no file, whatever they are given. */
const HARMLESS: ReadonlySet<string> = new Set([...READING, 'WebFetch', 'WebSearch', 'TodoWrite']);

const OUTSIDE =
  'That is outside of the folder in which you work, or belongs to git. Only files of that folder can be changed.';

const ONLY_READS = 'Nothing may be changed here.';

/** The part of the SDK's options that says what may be used. */
type Rights = Pick<QueryOptions, 'tools' | 'allowedTools' | 'settingSources'>;

/**
 * @param workplace where it works; undefined: in the workspace
 * @param allowed what the person allowed besides reading, as in `Bash(git log:*)`
 */
function rightsIn(workplace: Workplace | undefined, allowed: readonly string[]): Rights {
  // Not the workspace's own settings: they can name programs to run, and may have come with a clone.
  if (!workplace) return { tools: toolsOf(allowed), allowedTools: allowed, settingSources: ['user'] };
  // The person's settings may allow edits everywhere, which then would not be looked at.
  if (workplace.rights === 'read' || workplace.folder === undefined)
    return { tools: READING, allowedTools: [], settingSources: [] };
  const others = allowed.filter((rule) => !CHANGES_FILES.has(toolOf(rule)));
  return { tools: [...new Set([...toolsOf(others), ...EDITING])], allowedTools: others, settingSources: [] };
}

/** Tells whether what a person allowed can change files: commands can, and tools that are not known. */
function mayChangeFiles(allowed: readonly string[]): boolean {
  return allowed.some((rule) => !HARMLESS.has(toolOf(rule)));
}

function toolsOf(rules: readonly string[]): string[] {
  // Reading is not allowed by a rule: in its folder it needs no permission, and outside it has to be asked for.
  return [...new Set([...READING, ...rules.map(toolOf)])];
}

function toolOf(rule: string): string {
  return rule.replace(/\(.*$/s, '');
}

/** Tells whether it may change a file, by where that leads to; undefined if it wants none, or is in no workplace. */
function mayChange(
  workplace: Workplace | undefined,
  tool: string,
  input: Readonly<Record<string, unknown>>,
): Permission | undefined {
  if (!workplace || !CHANGES_FILES.has(tool)) return undefined;
  const path = input['file_path'] ?? input['notebook_path'];
  const { folder, rights } = workplace;
  if (rights !== 'write' || folder === undefined) return { behavior: 'deny', message: ONLY_READS };
  const place = typeof path === 'string' && !/^\s*~/.test(path) ? placeWithin(folder, path) : undefined;
  const isAllowed = place !== undefined && !isOfGit(place);
  return isAllowed ? { behavior: 'allow', updatedInput: input } : { behavior: 'deny', message: OUTSIDE };
}
