import { mkdir, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import * as z from 'zod';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { SEARCHES } from '../../searches/place.ts';
import { replaceFile } from '../../store/files/replace-file.ts';
import { folderNeeded, notJson } from '../messages.ts';
import { settingsFor } from '../settings.ts';
import { checkInside } from './install-skill.ts';
import { BESIDE_WINDOW, type Launch, writeLauncher } from './mcp-launcher.ts';

/** A program that can use MCP servers. */
export interface McpClient {
  /** Its own name. */
  readonly name: string;
  /** The file that lists its servers, below the workspace; of a person's own, below their folder. */
  readonly file: string;
  /** The field of that file with the servers. */
  readonly field: 'servers' | 'mcpServers';
  /** True if our extension runs in it too, so that its agents have our tools already. */
  readonly hasExtension?: true;
  readonly isPersonal?: true;
  /** The fields of an entry besides its command, where it needs any. */
  readonly more?: object;
  /** Its variable for the folder that is open; undefined if it cannot. */
  readonly folder?: string;
}

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: the clients fill these in
export const MCP_CLIENTS: readonly McpClient[] = [
  {
    name: 'VS Code',
    file: '.vscode/mcp.json',
    field: 'servers',
    hasExtension: true,
    more: { type: 'stdio' },
    folder: '${workspaceFolder}',
  },
  { name: 'Claude Code', file: '.mcp.json', field: 'mcpServers' },
  { name: 'Cursor', file: '.cursor/mcp.json', field: 'mcpServers', folder: '${workspaceFolder}' },
  {
    name: 'GitHub Copilot CLI',
    file: '.copilot/mcp-config.json',
    field: 'mcpServers',
    isPersonal: true,
    more: { type: 'local', tools: ['*'] },
  },
];
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: the clients fill these in

/** From this version of VS Code on, its own file is obsolete: it reads the same one as Claude Code. */
const READS_COMMON_FILE = 140;

/** Returns the programs that have a file of their own, beside an editor of some version. */
export function clientsBeside(version: string): readonly McpClient[] {
  const minor = Number(/^1\.(\d+)\./.exec(version)?.[1] ?? READS_COMMON_FILE);
  return MCP_CLIENTS.filter(({ name }) => name !== 'VS Code' || minor < READS_COMMON_FILE);
}

const OUR_NAME = 'thought-tree';

/**
 * The entry for our server in a client's file.
 * @param workspace the folder that agents work in
 * @param folder where its searches are kept, below it
 * @param more further arguments
 */
export function configurationFor(
  { field, more: fields, folder: open }: McpClient,
  { command, args, env }: Launch,
  { workspace, folder, more }: { workspace: string; folder: string; more: readonly string[] },
): string {
  const dir = open ?? workspace;
  const where =
    folder === SEARCHES ? [] : ['--folder', open === undefined ? join(workspace, folder) : `${open}/${folder}`];
  const server = {
    ...fields,
    command,
    args: [...args, 'mcp', '--dir', dir, ...where, ...more],
    ...(Object.keys(env).length > 0 ? { env } : {}),
  };
  return `${JSON.stringify({ [field]: { [OUR_NAME]: server } }, null, 2)}\n`;
}

/**
 * *Copy MCP Configuration*: puts the entry for our server in another program's file into the clipboard, and into that file on
 * request.
 */
export async function copyMcpConfiguration(context: vscode.ExtensionContext): Promise<void> {
  const workspace = await pickFolder();
  if (!workspace) return;
  const items = clientsBeside(vscode.version).map((client) => ({
    label: client.name,
    description: nameOf(client),
    client,
  }));
  const title = vscode.l10n.t('Copy MCP Configuration');
  const placeHolder = vscode.l10n.t('Which program is to use the server? Agents of VS Code have it already.');
  const picked = await vscode.window.showQuickPick(items, { title, placeHolder });
  if (!picked) return;
  const { client } = picked;
  const launch = await writeLauncher(context, process.execPath, process.platform);
  const place = {
    workspace: workspace.fsPath,
    folder: settingsFor(workspace).folder,
    more: client.hasExtension ? [BESIDE_WINDOW] : [],
  };
  const configuration = configurationFor(client, launch, place);
  await vscode.env.clipboard.writeText(configuration);
  const said = vscode.l10n.t(
    'The configuration is in the clipboard: it belongs into {0}. Keys are not part of it.',
    nameOf(client),
  );
  const add = vscode.l10n.t('Add It There');
  if ((await vscode.window.showInformationMessage(said, add)) === add)
    await addTo(client, workspace.fsPath, configuration);
}

function nameOf({ file, isPersonal }: McpClient): string {
  return isPersonal ? `~/${file}` : file;
}

/** Adds the entry to what a program's file holds, and shows it. */
async function addTo(client: McpClient, workspace: string, configuration: string): Promise<void> {
  const folder = client.isPersonal ? homedir() : workspace;
  if (!client.isPersonal) await checkInside(folder, client.file);
  const file = join(folder, client.file);
  const before = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  const { text, isOther } = withServer(before, configuration, client);
  if (isOther && !(await mayReplace(file))) return;
  await mkdir(dirname(file), { recursive: true });
  if (text !== before) await replaceFile(file, text);
  await vscode.window.showTextDocument(vscode.Uri.file(file));
}

/**
 * Returns a file of servers with ours in it; everything else stays, in its order and with its indentation.
 * @param before empty if there is none
 * @returns `isOther`: it has another entry of this name
 * @throws ThoughtTreeError `bad-input` for what is no JSON of this form: with comments, for one
 */
function withServer(
  before: string,
  configuration: string,
  client: McpClient,
): { readonly text: string; readonly isOther: boolean } {
  if (before.trim() === '') return { text: configuration, isOther: false };
  const Servers = z.looseObject({ [client.field]: z.record(z.string(), z.unknown()).optional() });
  const [there, ours] = [before, configuration].map((text) => Servers.safeParse(parsed(text)).data);
  if (!there || !ours) throw new ThoughtTreeError('bad-input', notJson({ file: nameOf(client) }));
  const [known, own] = [there, ours].map((file) => file[client.field] as Record<string, unknown> | undefined);
  const [old, entry] = [known, own].map((servers) => JSON.stringify(servers?.[OUR_NAME]));
  if (old === entry) return { text: before, isOther: false };
  // What was checked has another order.
  const all = { ...(parsed(before) as object), [client.field]: { ...known, ...own } };
  const indent = /^([ \t]+)"/m.exec(before)?.[1] ?? '  ';
  const text = `${JSON.stringify(all, null, indent)}\n`;
  return { text: before.includes('\r\n') ? text.replaceAll('\n', '\r\n') : text, isOther: old !== undefined };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    return undefined;
  }
}

async function mayReplace(file: string): Promise<boolean> {
  const yes = vscode.l10n.t('Replace');
  const question = vscode.l10n.t('Replace what is there? Changes that were made to it are lost.');
  const options = { modal: true, detail: `${file}: ${OUR_NAME}` };
  return (await vscode.window.showWarningMessage(question, options, yes)) === yes;
}

async function pickFolder(): Promise<vscode.Uri | undefined> {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  if (folders.length === 0) throw new ThoughtTreeError('bad-input', folderNeeded());
  if (folders.length === 1) return folders[0]?.uri;
  const placeHolder = vscode.l10n.t('Which folder are the agents to work in?');
  return (await vscode.window.showWorkspaceFolderPick({ placeHolder }))?.uri;
}
