import { join } from 'node:path';
import * as vscode from 'vscode';
import { searchesIn } from '../../searches/place.ts';
import type { ApiKeys } from '../models/api-keys.ts';
import { settingsFor } from '../settings.ts';
import { BESIDE_WINDOW, RUN_AS_NODE } from './server-start.ts';

type Server = vscode.McpStdioServerDefinition;

/**
 * Offers our MCP server to the editor's own agents, once for each folder. It runs on the editor's own Node, and only where
 * the person trusts the workspace.
 */
export class McpServers implements vscode.McpServerDefinitionProvider<Server>, vscode.Disposable {
  readonly #extension: vscode.ExtensionContext['extension'];
  readonly #keys: ApiKeys;
  readonly #changes = new vscode.EventEmitter<void>();
  readonly #subscriptions: vscode.Disposable[];

  readonly onDidChangeMcpServerDefinitions = this.#changes.event;

  constructor(extension: vscode.ExtensionContext['extension'], keys: ApiKeys) {
    this.#extension = extension;
    this.#keys = keys;
    const changed = (): void => this.#changes.fire();
    this.#subscriptions = [
      this.#changes,
      vscode.workspace.onDidGrantWorkspaceTrust(changed),
      vscode.workspace.onDidChangeWorkspaceFolders(changed),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('thoughtTree.folder')) changed();
      }),
      vscode.lm.registerMcpServerDefinitionProvider('thoughtTree.mcp', this),
    ];
  }

  provideMcpServerDefinitions(): Server[] {
    if (!vscode.workspace.isTrusted) return [];
    const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
    return folders.map(({ uri, name }) => {
      const label = folders.length > 1 ? `Thought Tree (${name})` : 'Thought Tree';
      const args = [join(this.#extension.extensionPath, 'dist', 'cli.cjs'), ...serverArguments(uri)];
      const { version } = this.#extension.packageJSON as { version: string };
      const server = new vscode.McpStdioServerDefinition(label, process.execPath, args, RUN_AS_NODE, version);
      server.cwd = uri;
      return server;
    });
  }

  /**
   * Adds models and keys when a server starts: a definition is kept by the editor, where no key belongs.
   * @throws ThoughtTreeError `bad-input` if the folder of the searches is a link to elsewhere
   */
  async resolveMcpServerDefinition(server: Server): Promise<Server> {
    // The folder is named to the server, which then takes it wherever it leads.
    if (server.cwd) searchesIn(server.cwd.fsPath, settingsFor(server.cwd).folder);
    const { agents } = await import('./agents.ts');
    server.env = { ...server.env, ...(await agents.modelEnvironment(server.cwd, this.#keys)) };
    return server;
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }
}

/** What follows the command line's own file, for the server of a folder. */
function serverArguments(folder: vscode.Uri): string[] {
  const { fsPath } = folder;
  return ['mcp', '--dir', fsPath, '--folder', join(fsPath, ...settingsFor(folder).folder.split('/')), BESIDE_WINDOW];
}
