import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type * as vscode from 'vscode';
import { replaceFile } from '../../store/files/replace-file.ts';

// Other programs start our server by a path that stays the same: an extension's own folder is named after its version, and
// on a remote machine the editor's Node is too. So what they start is kept in the extension's storage. It looks for the
// extension that is installed, and is written again when a newer version runs for the first time.

/** The command by which another program starts our server; its arguments follow. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

type Context = Pick<vscode.ExtensionContext, 'globalStorageUri' | 'extension'>;

const SCRIPT = 'thought-tree-mcp.cjs';
const SHELL = 'thought-tree-mcp';

/**
 * Writes the launcher, if it is missing or of another version.
 * @param node the program that runs this process
 */
export async function writeLauncher(context: Context, node: string, platform: string): Promise<Launch> {
  const folder = launcherFolder(context);
  await mkdir(folder, { recursive: true });
  const script = join(folder, SCRIPT);
  await put(script, scriptFor(context.extension));
  // A shell falls back on the Node that is installed, where the editor's has moved.
  if (platform === 'win32') return { command: node, args: [script], env: RUN_AS_NODE };
  const shell = join(folder, SHELL);
  await put(shell, shellFor(node, script), 0o755);
  return { command: shell, args: [], env: {} };
}

async function put(path: string, text: string, mode = 0o644): Promise<void> {
  if ((await readFile(path, 'utf8').catch(() => undefined)) !== text) await replaceFile(path, text, { mode });
}

function scriptFor({ id, extensionPath }: Context['extension']): string {
  const begin = JSON.stringify(`${id.toLowerCase()}-`);
  return `// Written by the extension Thought Tree: starts the version of it that is installed.
const { existsSync, readdirSync } = require('node:fs');
const { join } = require('node:path');

const cliIn = (folder) => join(folder, 'dist', 'cli.cjs');
const extensions = ${JSON.stringify(dirname(extensionPath))};
const known = cliIn(${JSON.stringify(extensionPath)});

function newest() {
  const names = existsSync(extensions) ? readdirSync(extensions) : [];
  const found = names.filter((name) => name.toLowerCase().startsWith(${begin}));
  found.sort((a, b) => b.localeCompare(a, 'en', { numeric: true }));
  return found.map((name) => cliIn(join(extensions, name))).find(existsSync);
}

const cli = existsSync(known) ? known : newest();
if (cli === undefined) {
  console.error('thought-tree: the extension is no longer installed in ' + extensions);
  process.exit(1);
}
process.argv[1] = cli;
require(cli);
`;
}

function shellFor(node: string, script: string): string {
  return `#!/bin/sh
# Written by the extension Thought Tree: starts its MCP server with the editor's Node, else with the one that is installed.
for node in ${quoted(node)} node; do
  if command -v "$node" >/dev/null 2>&1; then
    ELECTRON_RUN_AS_NODE=1 exec "$node" ${quoted(script)} "$@"
  fi
done
echo 'thought-tree: no Node.js was found' >&2
exit 127
`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Returns the folder of the launcher for other programs; it is there once somebody copied a configuration. */
export function launcherFolder({ globalStorageUri }: Pick<vscode.ExtensionContext, 'globalStorageUri'>): string {
  return join(globalStorageUri.fsPath, 'mcp');
}

/** Makes the editor's own program run as Node; Node itself ignores it. */
export const RUN_AS_NODE: Readonly<Record<string, string>> = { ELECTRON_RUN_AS_NODE: '1' };

/** A flag of our server: the window offers its agents the tools over searches itself. */
export const BESIDE_WINDOW = '--beside-window';
