import { randomUUID } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { atExit } from '../support/at-exit.ts';
import { installHost } from './install.ts';
import { QUIET_SETTINGS } from './quiet-settings.ts';
import { ServerProcess } from './server-process.ts';

export interface HostOptions {
  /** A folder whose copy is opened; by default an empty one. `false` opens none. */
  readonly workspace?: string | false;
  /** Opens this very folder, not a copy: whoever gave it takes it away. */
  readonly folder?: string;
  /** Opens these very folders together, as one workspace. */
  readonly folders?: readonly string[];
  /** Packaged extensions to install. */
  readonly vsix?: readonly string[];
  /** Folders of unpacked extensions to load. */
  readonly extensions?: readonly string[];
  /** User settings, on top of quiet ones. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
  /** Opens in restricted mode, as VS Code does with a folder that nobody trusted yet. */
  readonly untrusted?: boolean;
  /** For tests inside the extension host. It hides notifications and skips dialogs. */
  readonly smokeTestDriver?: boolean;
}

const OWN_VARIABLES = /^(VSCODE_(IPC|CWD|NLS|PID|ESM)|ELECTRON_|THOUGHT_TREE_|NODE_OPTIONS$|NODE_V8_COVERAGE$|npm_)/i;

/** A real VS Code server on a free port of this machine, with folders of its own. */
export class Host {
  /** The folder that the workbench opens; undefined where it opens none. */
  readonly folder: string | undefined;
  readonly #temporary: string;
  readonly #callOff: () => void;
  readonly #token = randomUUID();
  /** The file of a workspace of several folders. */
  readonly #several: string | undefined;
  readonly #env: NodeJS.ProcessEnv;
  #server: ServerProcess | undefined;
  #port = 0;

  private constructor(options: HostOptions) {
    this.#temporary = mkdtempSync(join(tmpdir(), 'thought-tree-host-'));
    this.#callOff = atExit(this.#clean);
    for (const name of ['home', 'extensions', 'user/User', 'user/Machine'])
      mkdirSync(this.#at(name), { recursive: true });
    const settings = {
      ...QUIET_SETTINGS,
      'security.workspace.trust.enabled': options.untrusted === true,
      ...options.settings,
    };
    writeFileSync(this.#at('user/User/settings.json'), JSON.stringify(settings));
    // Settings of the scopes `machine` and `machine-overridable` count here only.
    writeFileSync(this.#at('user/Machine/settings.json'), JSON.stringify(options.settings ?? {}));
    if (options.folders) {
      this.#several = this.#at('several.code-workspace');
      writeFileSync(this.#several, JSON.stringify({ folders: options.folders.map((path) => ({ path })) }));
    }
    this.folder = options.workspace === false ? undefined : (options.folder ?? this.#at('workspace'));
    if (options.workspace) cpSync(options.workspace, this.#at('workspace'), { recursive: true });
    else if (options.folder === undefined) mkdirSync(this.#at('workspace'));
    // A fresh extensions folder is scanned once, so that a link is enough.
    for (const extension of options.extensions ?? []) {
      const { publisher, name, version } = JSON.parse(readFileSync(join(extension, 'package.json'), 'utf8'));
      symlinkSync(resolve(extension), this.#at(`extensions/${publisher}.${name}-${version}`), 'junction');
    }
    const inherited = Object.entries(process.env).filter(([name]) => !OWN_VARIABLES.test(name));
    const home = this.#at('home');
    const own = { HOME: home, USERPROFILE: home, VSCODE_AGENT_FOLDER: this.#at('server'), EXTENSIONS_GALLERY: '{}' };
    const state = { XDG_STATE_HOME: join(home, '.local/state') };
    this.#env = { ...Object.fromEntries(inherited), ...state, ...options.env, ...own };
  }

  static async start(options: HostOptions = {}): Promise<Host> {
    const installed = join(await installHost(), 'out/server-main.js');
    const host = new Host(options);
    try {
      for (const vsix of options.vsix ?? []) await host.#installExtension(installed, vsix);
      await host.#listen(installed, options);
    } catch (error) {
      await host.stop();
      throw error;
    }
    return host;
  }

  /** VS Code's own folders: `server/data/logs` and `user` are in it. It is gone when the host stopped. */
  get temporary(): string {
    return this.#temporary;
  }

  /** What the server printed. */
  get output(): string {
    return this.#server?.output ?? '';
  }

  /** Resolves when the server is gone. */
  get ended(): Promise<void> {
    return this.#server?.ended ?? Promise.resolve();
  }

  /** Rejects when an extension host ended that no window closed, or when the server did; never resolves. */
  async failed(): Promise<never> {
    const [gone] =
      (await this.#server?.printed(/Extension Host Process exited with code: (?!0\b).*/, 2 ** 31 - 1)) ?? [];
    throw new Error(gone ?? 'The server is not running');
  }

  /** Kills the extension hosts that run, as a crash would; resolves when the windows have begun new ones. */
  async killExtensionHosts(): Promise<void> {
    const gone = new Set([...this.output.matchAll(/<(\d+)> Extension Host Process exited/g)].map(([, pid]) => pid));
    const launched = [...this.output.matchAll(/<(\d+)> Launched Extension Host Process/g)].map(([, pid]) => pid);
    const running = launched.filter((pid) => !gone.has(pid));
    for (const pid of running) process.kill(Number(pid), 'SIGKILL');
    const all = launched.length + running.length;
    await this.#server?.printed(new RegExp(`(?:Launched Extension Host Process[^]*?){${all}}`), 60_000);
  }

  /** The address of the workbench. A path in the payload is one on this machine. */
  url(payload: Readonly<Record<string, string>> = {}): string {
    const url = new URL(`http://127.0.0.1:${this.#port}/`);
    url.searchParams.set('tkn', this.#token);
    if (this.#several) url.searchParams.set('workspace', uriPath(this.#several));
    else if (this.folder === undefined) url.searchParams.set('ew', 'true');
    else url.searchParams.set('folder', uriPath(this.folder));
    const pairs = Object.entries(payload).map(([key, value]) =>
      key.endsWith('Path') ? [key, `vscode-remote://127.0.0.1:${this.#port}${uriPath(value)}`] : [key, value],
    );
    const quiet = [
      ['skipWelcome', 'true'],
      ['skipReleaseNotes', 'true'],
    ];
    url.searchParams.set('payload', JSON.stringify([...pairs, ...quiet]));
    return url.href;
  }

  /** Ends the server with everything it started, and takes its folders away (`KEEP_HOST_TMP=1` leaves them). */
  async stop(): Promise<void> {
    await this.#server?.stop();
    this.#clean();
    this.#callOff();
  }

  readonly #clean = () => {
    if (process.env['KEEP_HOST_TMP']) return;
    rmSync(this.#temporary, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  };

  #at(path: string): string {
    return join(this.#temporary, path);
  }

  #run(server: string, args: readonly string[]): ServerProcess {
    const folders = ['--server-data-dir', 'server', '--user-data-dir', 'user', '--extensions-dir', 'extensions'];
    const common = folders.map((word) => (word.startsWith('--') ? word : this.#at(word)));
    return new ServerProcess(
      [server, '--accept-server-license-terms', '--telemetry-level', 'off', ...common, ...args],
      { cwd: this.#temporary, env: this.#env },
    );
  }

  async #installExtension(server: string, vsix: string): Promise<void> {
    const installing = this.#run(server, ['--install-extension', resolve(vsix), '--force']);
    await installing.ended;
    if (installing.exitCode !== 0 || !installing.output.includes('successfully installed'))
      throw new Error(`${vsix} could not be installed (${installing.exitCode}):\n${installing.output}`);
  }

  async #listen(server: string, options: HostOptions): Promise<void> {
    const args = ['--host', '127.0.0.1', '--port', '0', '--connection-token', this.#token];
    // Extension hosts of windows that are gone end soon, and the server itself should this process be killed.
    args.push('--enable-remote-auto-shutdown', '--reconnection-grace-time', '5');
    if (!options.untrusted) args.push('--disable-workspace-trust');
    if (options.smokeTestDriver) args.push('--enable-smoke-test-driver');
    this.#server = this.#run(server, args);
    const [, port] = await this.#server.printed(/Extension host agent listening on (\d+)/, 60_000);
    this.#port = Number(port);
  }
}

function uriPath(path: string): string {
  return decodeURIComponent(pathToFileURL(path).pathname);
}
