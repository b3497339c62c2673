import { join } from 'node:path';
import * as vscode from 'vscode';
import { searchesIn } from '../../searches/place.ts';
import { loadSearches } from '../load-searches.ts';
import type { ApiKeys } from '../models/api-keys.ts';
import { broughtModels, EDITOR_PROVIDER, settingsFor } from '../settings.ts';
import { installSkill } from './install-skill.ts';
import { copyMcpConfiguration } from './mcp-configuration.ts';
import { BESIDE_WINDOW, RUN_AS_NODE, writeLauncher } from './mcp-launcher.ts';

type Server = vscode.McpStdioServerDefinition;

/** Returns our MCP server for each folder that is open, on the editor's own Node. */
export function serverDefinitions({ extensionPath, packageJSON }: vscode.ExtensionContext['extension']): Server[] {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  return folders.map(({ uri, name }) => {
    const label = folders.length > 1 ? `Thought Tree (${name})` : 'Thought Tree';
    const args = [join(extensionPath, 'dist', 'cli.cjs'), ...serverArguments(uri)];
    const { version } = packageJSON as { version: string };
    const server = new vscode.McpStdioServerDefinition(label, process.execPath, args, RUN_AS_NODE, version);
    server.cwd = uri;
    return server;
  });
}

/**
 * Adds models and keys when a server starts: a definition is kept by the editor, where no key belongs.
 * @throws ThoughtTreeError `bad-input` if the folder of the searches is a link to elsewhere
 */
export async function serverToStart(server: Server, keys: ApiKeys): Promise<Server> {
  // The folder is named to the server, which then takes it wherever it leads.
  if (server.cwd) searchesIn(server.cwd.fsPath, settingsFor(server.cwd).folder);
  server.env = { ...server.env, ...(await modelEnvironment(server.cwd, keys)) };
  return server;
}

/** Returns the arguments after the command line's own file, for the server of a folder. */
function serverArguments(folder: vscode.Uri): string[] {
  const { fsPath } = folder;
  return ['mcp', '--dir', fsPath, '--folder', join(fsPath, ...settingsFor(folder).folder.split('/')), BESIDE_WINDOW];
}

/** The things that agents outside of the window are given: a separate bundle, as most people need it once at most. */
export const agents = {
  copyMcpConfiguration,
  installSkill,
  /** Writes the launcher again if it is of another version. */
  keepLauncher: async (context: Parameters<typeof writeLauncher>[0]): Promise<void> =>
    void (await writeLauncher(context, process.execPath, process.platform)),
  serverDefinitions,
  serverToStart,
};

/**
 * The person's models, and the keys that they entered, as the command line reads them. A model that only the workspace's
 * own settings name is left out. A key is for one address: where the model has an address of its own, no other key goes
 * along.
 */
export async function modelEnvironment(folder: vscode.Uri | undefined, keys: ApiKeys): Promise<Record<string, string>> {
  const { providers } = await loadSearches();
  const { model, judgeModel, servers } = settingsFor(folder);
  const brought = broughtModels(folder);
  const own = (name: string): string | undefined =>
    name === '' || name.startsWith(`${EDITOR_PROVIDER}/`) || brought.includes(name) ? undefined : name;
  const chosen = own(model);
  const address = chosen && servers[providerOf(chosen)];
  const found: Record<string, string | undefined> = {
    THOUGHT_TREE_MODEL: chosen,
    THOUGHT_TREE_JUDGE: own(judgeModel),
    THOUGHT_TREE_BASE_URL: address,
    THOUGHT_TREE_API_KEY: address && (await keys.keyAt(address)),
  };
  if (!address)
    for (const { keyVariables, defaultBaseUrl, needsKey } of providers.values())
      if (needsKey && keyVariables[0] !== undefined) found[keyVariables[0]] = await keys.keyAt(defaultBaseUrl);
  return Object.fromEntries(Object.entries(found).filter((each): each is [string, string] => each[1] !== undefined));
}

function providerOf(model: string): string {
  return model.slice(0, model.indexOf('/'));
}
