import { lstat, mkdir, mkdtemp, readdir, readFile, realpath, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runCli } from '../../e2e/cli/run-cli.ts';

/** Files by their paths, with `/` on every system: text, or bytes in base64. The path of an empty folder ends in `/`. */
export type KeptFiles = Readonly<Record<string, string | { readonly base64: string }>>;

/** How a command ended. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command line somewhere, with these variables of the program and no others. */
export type RunCommand = (
  args: readonly string[],
  at: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
) => Promise<Ended>;

/** What stands in kept files for the folder that a computer has them in. */
const ROOT = '{root}';

/** A person's computer, as far as a search sees it: a workspace, and the state folder of the user. */
export class Place {
  readonly root: string;
  /** Of the model's server; set once there is one. */
  baseUrl = 'http://127.0.0.1:9/v1';
  readonly #run: RunCommand;

  private constructor(root: string, run: RunCommand) {
    this.root = root;
    this.#run = run;
  }

  /** Makes a place with these files; removed with `remove`. */
  static async make(files: KeptFiles, run: RunCommand = runCli): Promise<Place> {
    const root = await realpath(await mkdtemp(join(tmpdir(), 'thought-tree-pinned-')));
    const place = new Place(root, run);
    await mkdir(place.workspace);
    for (const [path, kept] of Object.entries(files)) await place.#write(path, kept);
    for (const path of Object.keys(files))
      if (/\/checkouts\/[^/]+\/about\.json$/.test(path)) await place.#recognize(path);
    return place;
  }

  get workspace(): string {
    return join(this.root, 'workspace');
  }

  /** The variables of its commands. */
  get env(): Readonly<Record<string, string>> {
    return {
      XDG_STATE_HOME: join(this.root, 'state'),
      HOME: this.root,
      THOUGHT_TREE_CACHE: join(this.root, 'cache'),
      THOUGHT_TREE_MODEL: 'openai-compatible/scripted',
      THOUGHT_TREE_BASE_URL: this.baseUrl,
      THOUGHT_TREE_API_KEY: 'none',
    };
  }

  /** Runs the command line in the workspace. */
  cli(...args: readonly string[]): Promise<Ended> {
    const whole = args.map((arg) => arg.replace(ROOT, this.root));
    return this.#run(whole, { cwd: this.workspace, env: this.env });
  }

  /** Runs it, and returns what it printed. @throws Error unless it ends with the code */
  async ends(code: number, ...args: readonly string[]): Promise<string> {
    const ended = await this.cli(...args);
    if (ended.code === code) return ended.stdout;
    throw new Error(`${args.join(' ')} ended with ${ended.code}, not ${code}:\n${ended.stderr}\n${ended.stdout}`);
  }

  /**
   * Returns every file and empty folder, with the names of this computer taken out, but for indexes that any process
   * makes anew.
   */
  async files(): Promise<KeptFiles> {
    const found: Record<string, string | { base64: string }> = {};
    for (const entry of await readdir(this.root, { recursive: true, withFileTypes: true })) {
      const whole = join(entry.parentPath, entry.name);
      const path = whole.slice(this.root.length + 1).replaceAll('\\', '/');
      if (path.startsWith('cache/') || path === 'cache') continue;
      if (entry.isFile()) found[path] = await this.#read(whole);
      else if (entry.isDirectory() && (await readdir(whole)).length === 0) found[`${path}/`] = '';
    }
    return Object.fromEntries(Object.entries(found).sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  remove(): Promise<void> {
    return rm(this.root, { recursive: true, force: true, maxRetries: 5 });
  }

  async #write(path: string, kept: KeptFiles[string]): Promise<void> {
    const whole = join(this.root, path);
    await mkdir(path.endsWith('/') ? whole : dirname(whole), { recursive: true });
    if (path.endsWith('/')) return;
    const text = typeof kept === 'string' ? kept.replaceAll(ROOT, this.root) : Buffer.from(kept.base64, 'base64');
    await writeFile(whole, text);
    // A lease that was written just now would say that its holder lives.
    if (/\/lease-\d+\.json$/.test(path)) await utimes(whole, 0, 0);
  }

  /** Folders of work are known by their inodes, which are others here. */
  async #recognize(path: string): Promise<void> {
    const whole = join(this.root, path);
    const about = JSON.parse(await readFile(whole, 'utf8')) as { folder: object; git?: object };
    const work = join(dirname(whole), 'work');
    const git = about.git && { git: await identityOf(join(work, '.git')) };
    await writeFile(whole, JSON.stringify({ ...about, folder: await identityOf(work), ...git }));
  }

  async #read(whole: string): Promise<KeptFiles[string]> {
    const bytes = await readFile(whole);
    const text = bytes.toString('utf8');
    if (!Buffer.from(text).equals(bytes)) return { base64: bytes.toString('base64') };
    return text.replaceAll(this.root, ROOT).replaceAll(this.baseUrl, '{server}');
  }
}

async function identityOf(folder: string): Promise<{ device: string; inode: string }> {
  const { dev, ino } = await lstat(folder, { bigint: true });
  return { device: String(dev), inode: String(ino) };
}
