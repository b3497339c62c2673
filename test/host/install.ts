// Installs the real VS Code workbench with its Node extension host, from packages alone and with no compiler. What was
// installed is kept outside the repository, under a name that says what it was made from.
//   node test/host/install.ts    installs where that is missing and prints the folder
import { spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

const SERVER = join(import.meta.dirname, 'server');
const STAND_INS = ['spdlog', 'native-watchdog'];

/** Extensions that come with VS Code and that no test needs: size and time to start. */
const UNUSED_EXTENSIONS = [
  'copilot',
  'debug-auto-launch',
  'debug-server-ready',
  'emmet',
  'extension-editing',
  'github',
  'github-authentication',
  'grunt',
  'gulp',
  'jake',
  'mermaid-markdown-features',
  'microsoft-authentication',
  'ms-vscode.js-debug',
  'ms-vscode.js-debug-companion',
  'ms-vscode.vscode-js-profile-table',
  'npm',
  'simple-browser',
  'terminal-suggest',
  'tunnel-forwarding',
  'typescript-language-features',
];

/** What would reach for the internet, or for a chat service that asks to sign in. */
const UNUSED_PRODUCT_KEYS = ['extensionsGallery', 'updateUrl', 'aiConfig', 'msftInternalDomains', 'defaultChatAgent'];

/**
 * The folder of an installed VS Code server; installs it where it is missing (about 10 seconds).
 * @throws Error with what npm said where it failed
 */
export async function installHost(): Promise<string> {
  const cache = process.env['VSCODE_HOST_CACHE'] ?? join(cacheFolder(), 'thought-tree');
  const home = join(cache, `vscode-host-${await inputsHash()}`);
  if (existsSync(home)) return home;
  const fresh = `${home}.${randomUUID()}`;
  await mkdir(fresh, { recursive: true });
  try {
    await fill(fresh);
    // Only what is whole gets the name, and another process may have been first.
    await rename(join(fresh, 'vscode'), home).catch((error: unknown) => {
      if (!existsSync(home)) throw error;
    });
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
  return home;
}

/** Where programs that only tests need are kept. */
export function cacheFolder(): string {
  return process.env['XDG_CACHE_HOME'] ?? process.env['LOCALAPPDATA'] ?? join(homedir(), '.cache');
}

async function inputsHash(): Promise<string> {
  const hash = createHash('sha256').update(`${process.platform}-${process.arch}\n`);
  const files = (await readdir(SERVER)).sort().map((file) => join(SERVER, file));
  for (const file of [import.meta.filename, ...files]) hash.update(await readFile(file));
  return hash.digest('hex').slice(0, 12);
}

async function fill(folder: string): Promise<void> {
  for (const file of ['package.json', 'package-lock.json']) await copyFile(join(SERVER, file), join(folder, file));
  // Without scripts: the packages' own would compile native modules that no test needs.
  await npm(folder, ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']);
  const vscode = join(folder, 'vscode');
  await rename(join(folder, 'node_modules/code-server/lib/vscode'), vscode);
  await rm(join(folder, 'node_modules/code-server'), { recursive: true });
  const modules = join(vscode, 'node_modules');
  await rename(join(folder, 'node_modules'), modules);
  for (const name of STAND_INS) {
    const stub = join(modules, '@vscode', name);
    await mkdir(stub, { recursive: true });
    await copyFile(join(SERVER, `${name}.cjs`), join(stub, 'index.cjs'));
    await writeFile(join(stub, 'package.json'), JSON.stringify({ name: `@vscode/${name}`, main: 'index.cjs' }));
  }
  for (const name of UNUSED_EXTENSIONS) await rm(join(vscode, 'extensions', name), { recursive: true, force: true });
  await dropOtherPlatforms(join(modules, '@vscode/ripgrep-universal/bin'));
  await dropOtherPlatforms(join(modules, 'node-pty/prebuilds'));
  const product = JSON.parse(await readFile(join(vscode, 'product.json'), 'utf8'));
  for (const key of UNUSED_PRODUCT_KEYS) delete product[key];
  await writeFile(join(vscode, 'product.json'), JSON.stringify(product));
}

/** Most of the size is programs for other machines. */
async function dropOtherPlatforms(folder: string): Promise<void> {
  const own = `${process.platform}-${process.arch}`;
  for (const name of await readdir(folder)) if (name !== own) await rm(join(folder, name), { recursive: true });
}

/** @throws Error with what npm said where it failed */
export async function npm(cwd: string, args: readonly string[]): Promise<void> {
  const cli = process.env['npm_execpath']; // the npm that runs this, when one does
  const [command, first] = cli ? [process.execPath, [cli]] : ['npm', []];
  const child = spawn(command, [...first, ...args], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: !cli && process.platform === 'win32',
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`npm ${args.join(' ')} failed in ${cwd} (${code}):\n${output}`);
}

if (import.meta.main) process.stdout.write(`${await installHost()}\n`);
