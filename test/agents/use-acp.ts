import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { openWithEnvironment, readEnvironment } from '../../src/searches/models/environment.ts';
import { type RunningCli, startCli } from '../e2e/cli/run-cli.ts';
import { UserRepository } from '../e2e/work-graph/user-repository.ts';
import { type AgentAsked, type AgentTold, type BothApis, startBothApis, TOLD_USAGE } from './both-apis.ts';
import { installAcpAgents } from './install.ts';

/** Dollars per million tokens, as an agent is told that its model costs. */
const PRICE = { input: 1, output: 2 } as const;

/** A real agent, as this test sets it up. */
interface Setup {
  /** The program with its arguments. */
  command(packages: string): readonly string[];
  /** Its settings, by their paths below the home, with the address of its model's server. */
  files(url: string): Readonly<Record<string, object>>;
  /** The names of its tools that write a file and run a command. */
  readonly writes: (path: string, text: string) => AgentTold;
  readonly runs: (command: string) => AgentTold;
  /** Dollars that it reports for a request to its model; undefined where it reports none. */
  readonly usd: number | undefined;
  readonly forks: boolean;
}

export const AGENTS: Readonly<Record<'opencode' | 'gemini', Setup>> = {
  opencode: {
    command(packages) {
      const system = process.platform === 'win32' ? 'windows' : process.platform;
      return [join(packages, 'node_modules', `opencode-${system}-${process.arch}`, 'bin', 'opencode'), 'acp'];
    },
    files: (url) => ({
      '.config/opencode/opencode.json': {
        ...{ model: 'scripted/tiny', small_model: 'scripted/tiny', autoupdate: false, share: 'disabled' },
        provider: {
          scripted: {
            npm: '@ai-sdk/openai-compatible',
            options: { baseURL: `${url}/v1`, apiKey: 'test' },
            models: { tiny: { name: 'Tiny', cost: PRICE, limit: { context: 200_000, output: 8000 } } },
          },
        },
      },
      '.local/share/opencode/made.json': {},
      '.local/state/opencode/made.json': {},
      '.cache/opencode/made.json': {},
    }),
    writes: (filePath, content) => ({ tool: 'write', input: { filePath, content } }),
    runs: (command) => ({ tool: 'bash', input: { command, description: 'Does it' } }),
    usd: (TOLD_USAGE.prompt * PRICE.input + TOLD_USAGE.completion * PRICE.output) / 1e6,
    forks: true,
  },
  gemini: {
    command: (packages) => [
      process.execPath,
      join(dirname(createRequire(join(packages, 'x')).resolve('@google/gemini-cli/package.json')), 'bundle/gemini.js'),
      '--acp',
    ],
    files: () => ({
      '.gemini/settings.json': {
        security: { auth: { selectedType: 'gemini-api-key' } },
        general: { enableAutoUpdate: false },
        privacy: { usageStatisticsEnabled: false },
        model: { name: 'gemini-2.5-flash' },
      },
    }),
    writes: (file_path, content) => ({ tool: 'write_file', input: { file_path, content } }),
    runs: (command) => ({ tool: 'run_shell_command', input: { command } }),
    usd: undefined,
    forks: false,
  },
};

/** A person's computer with a real agent, to which they agreed, and a server that answers it by a script. */
export class AgentMachine {
  readonly user: UserRepository;
  readonly server: BothApis;
  readonly model: string;
  readonly #env: Readonly<Record<string, string>>;

  private constructor(user: UserRepository, server: BothApis, name: string) {
    this.user = user;
    this.server = server;
    this.model = `acp/${name}`;
    this.#env = { HOME: user.env['HOME'] ?? '', GEMINI_API_KEY: 'test', GOOGLE_GEMINI_BASE_URL: server.url };
  }

  static async make(
    name: keyof typeof AGENTS,
    files: Readonly<Record<string, string>>,
    script: (asked: AgentAsked) => AgentTold,
  ): Promise<AgentMachine> {
    const packages = await installAcpAgents();
    const server = await startBothApis(script);
    const user = await UserRepository.make(files);
    const machine = new AgentMachine(user, server, name);
    const home = user.env['HOME'] ?? '';
    for (const [path, content] of Object.entries(AGENTS[name].files(server.url))) put(join(home, path), content);
    put(join(machine.#own, 'agents.json'), {
      version: 1,
      agents: { [name]: { command: AGENTS[name].command(packages) } },
    });
    // Agrees to it, as in a terminal; which agents a person agreed to is kept.
    const agent = { mayStart: async () => true };
    const env = readEnvironment({ PATH: process.env['PATH'] });
    await (await openWithEnvironment(machine.model, { workspace: user.folder, env, agent })).close?.();
    return machine;
  }

  get home(): string {
    return this.#env['HOME'] ?? '';
  }

  /** The state folder that tests share with the commands that they start. */
  get #own(): string {
    return join(process.env['XDG_STATE_HOME'] ?? '', 'thought-tree');
  }

  start(...args: string[]): RunningCli {
    return startCli(args, { cwd: this.user.folder, env: this.#env });
  }

  async close(): Promise<void> {
    await this.server.close();
    await this.user.remove();
    for (const name of ['agents.json', 'agents-agreed.json']) rmSync(join(this.#own, name), { force: true });
  }
}

function put(path: string, content: object): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, JSON.stringify(content));
}
