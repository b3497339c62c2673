import * as vscode from 'vscode';
import type { ApiKeys } from '../models/api-keys.ts';

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

  async provideMcpServerDefinitions(): Promise<Server[]> {
    return vscode.workspace.isTrusted ? (await loaded()).serverDefinitions(this.#extension) : [];
  }

  async resolveMcpServerDefinition(server: Server): Promise<Server> {
    return await (await loaded()).serverToStart(server, this.#keys);
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }
}

/** Loads what few windows need, once the editor asks for it. */
async function loaded(): Promise<typeof import('./agents.ts').agents> {
  return (await import('./agents.ts')).agents;
}
