import { join } from 'node:path';
import * as vscode from 'vscode';
import { searchesIn } from '../../searches/place.ts';
import type { ApiKeys } from '../models/api-keys.ts';
import { settingsFor } from '../settings.ts';
import { modelEnvironment } from './model-environment.ts';
import { BESIDE_WINDOW, RUN_AS_NODE } from './server-start.ts';

type Server = vscode.McpStdioServerDefinition;

/** Our MCP server for each folder that is open, on the editor's own Node. */
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
