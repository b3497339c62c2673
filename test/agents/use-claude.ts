import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Model, ModelAnswer, ModelRequest, Turn } from '../../src/core/ports/model.ts';
import type { AgentOptions } from '../../src/models/agents/agent.ts';
import { built } from '../support/built.ts';
import { ONE_CALL } from '../support/models/one-call.ts';
import { modelRequest } from '../unit/models/model-request.ts';
import { installAgents } from './install.ts';
import { type MessagesCall, type MessagesServer, type Script, startMessagesServer } from './messages-server.ts';

/** The agent as it was built. */
export const { openClaudeModel } = built<typeof import('../../src/models/agents/claude-model.ts')>('claude');

/** A machine with Claude Code on it: a home, a workspace, and a server that answers by a script. */
export interface ClaudeMachine {
  readonly server: MessagesServer;
  readonly workspace: string;
  /** Outside of the workspace. */
  readonly secret: string;
  readonly env: Readonly<Record<string, string>>;
  open(options?: AgentOptions): Promise<Model>;
  /** The sessions' files by the ids that they are named after. */
  sessions(): Promise<Map<string, string>>;
  /** Takes all sessions away, as on another machine. */
  forget(): Promise<void>;
  /** Processes of the agent that are alive, where the system can tell. */
  processes(): Promise<number>;
  close(): Promise<void>;
}

export async function claudeMachine(script: Script): Promise<ClaudeMachine> {
  const path = await installAgents();
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'thought-tree-claude-')));
  const [workspace, home, secret] = [join(folder, 'workspace'), join(folder, 'home'), join(folder, 'secret.txt')];
  await mkdir(workspace);
  await mkdir(home);
  await writeFile(join(workspace, 'notes.txt'), 'The codeword of the notes is nectarine.\n');
  await writeFile(secret, 'The codeword outside is oleander.\n');
  const server = await startMessagesServer(script);
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    CLAUDE_CONFIG_DIR: join(home, '.claude'),
    ANTHROPIC_BASE_URL: server.baseUrl,
    ANTHROPIC_API_KEY: 'test',
    THOUGHT_TREE_CLAUDE_SDK: path,
  };
  const models: Model[] = [];
  const projects = join(home, '.claude', 'projects');
  return {
    server,
    workspace,
    secret,
    env,
    async open(options) {
      const model = await openClaudeModel('sonnet', workspace, options, env);
      models.push(model);
      return model;
    },
    async sessions() {
      const files = await readdir(projects, { recursive: true });
      const own = files.filter((file) => file.endsWith('.jsonl'));
      const read = own.map(
        async (file) => [file.slice(-42, -6), await readFile(join(projects, file), 'utf8')] as const,
      );
      return new Map(await Promise.all(read));
    },
    forget: () => rm(projects, { recursive: true }),
    processes: () => processesOf(home),
    async close() {
      for (const model of models) await model.close?.();
      await server.close();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Processes with a folder in their environment. */
async function processesOf(folder: string): Promise<number> {
  if (!existsSync('/proc/self/environ')) return 0;
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  const environments = ids.map((id) => readFile(`/proc/${id}/environ`, 'utf8').catch(() => ''));
  return (await Promise.all(environments)).filter((text) => text.includes(`CLAUDE_CONFIG_DIR=${folder}`)).length;
}

/** Asks, with what was said before. */
export function ask(
  model: Model,
  prompt: string,
  turns: readonly Turn[] = [],
  parts: Partial<ModelRequest> = {},
  signal = new AbortController().signal,
): Promise<ModelAnswer> {
  return model.generate(modelRequest({ prompt, turns, ...parts }), { ...ONE_CALL, signal });
}

/** The turns after an exchange. */
export function said(prompt: string, { text, session }: ModelAnswer, before: readonly Turn[] = []): Turn[] {
  return [...before, { role: 'user', text: prompt }, { role: 'assistant', text, ...(session ? { session } : {}) }];
}

/** The codewords that a request holds. */
export function codewords({ text }: MessagesCall): string[] {
  return ['alpha', 'bravo', 'charlie', 'delta', 'echo', 'foxtrot'].filter((word) => text.includes(`codeword ${word}`));
}
