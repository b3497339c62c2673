import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cp, lstat, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type CliEnd, runCli, startCli } from '../cli/run-cli.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const run = promisify(execFile);

/** A person's git repository, with a hook and a file that is not committed; and the command, with a state folder of its own. */
export class UserRepository {
  readonly folder: string;
  readonly #home: string;

  private constructor(folder: string, home: string) {
    this.folder = folder;
    this.#home = home;
  }

  /**
   * @param files of the only commit, by their paths
   * @param from names folders of this repository to copy
   * @param disk the folder in which all of it is
   */
  static async make(
    files: Readonly<Record<string, string>>,
    from: readonly string[] = [],
    disk = tmpdir(),
  ): Promise<UserRepository> {
    const home = await mkdtemp(join(disk, 'thought-tree-work-'));
    const folder = join(home, 'workspace');
    const made = new UserRepository(folder, home);
    await mkdir(folder);
    await made.git('init', '-q', '-b', 'main');
    for (const name of from) await cp(join(ROOT, name), join(folder, name), { recursive: true });
    for (const [path, text] of Object.entries(files)) await made.write(path, text);
    await made.git('add', '-A');
    await made.git('commit', '-q', '-m', 'Begin');
    await made.write('.git/hooks/post-checkout', '#!/bin/sh\ntouch "$(dirname "$0")/ran"\n');
    await made.write('mine.txt', 'not committed\n');
    return made;
  }

  async write(path: string, text: string): Promise<void> {
    const whole = join(this.folder, path);
    await mkdir(dirname(whole), { recursive: true });
    await writeFile(whole, text, { mode: path.includes('hooks') ? 0o755 : 0o644 });
  }

  async read(path: string): Promise<string> {
    return await readFile(join(this.folder, path), 'utf8');
  }

  async git(...args: string[]): Promise<string> {
    const who = ['-c', 'user.name=Test', '-c', 'user.email=test@example.org'];
    return (await run('git', ['-C', this.folder, ...who, ...args])).stdout;
  }

  /** The exit code of a command line that the test itself runs. */
  async shell(line: string): Promise<number | null> {
    const child = spawn('sh', ['-c', line], { cwd: this.folder, stdio: 'ignore' });
    const [code] = (await once(child, 'close')) as [number | null];
    return code;
  }

  /** The variables of its commands. */
  get env(): Readonly<Record<string, string>> {
    return { XDG_STATE_HOME: join(this.#home, 'state'), HOME: this.#home };
  }

  get #options() {
    return { cwd: this.folder, env: this.env };
  }

  cli(...args: string[]): Promise<CliEnd> {
    return runCli(args, this.#options);
  }

  start(...args: string[]): ReturnType<typeof startCli> {
    return startCli(args, this.#options);
  }

  /** What must never change unless the person accepts: every file, and git's refs, index, configuration, hooks and objects. */
  async fingerprint(): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    for (const path of await filesBelow(this.folder))
      if (!path.startsWith('thought-trees/'))
        found.set(
          path,
          createHash('sha256')
            .update(await readFile(join(this.folder, path)))
            .digest('hex'),
        );
    return found;
  }

  async remove(): Promise<void> {
    await rm(this.#home, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function filesBelow(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  const found = await Promise.all(
    names.map(async (name) => ((await lstat(join(folder, name))).isFile() ? [relative('.', name)] : [])),
  );
  return found.flat().sort();
}
