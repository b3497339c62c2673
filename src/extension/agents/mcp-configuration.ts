import { join } from 'node:path';
import { SEARCHES } from '../../searches/place.ts';
import type { Launch } from './mcp-launcher.ts';

/** A program that can use MCP servers. */
export interface McpClient {
  /** Its own name. */
  readonly name: string;
  /** The file that lists its servers, below the workspace. */
  readonly file: string;
  /** The field of that file with the servers. */
  readonly field: 'servers' | 'mcpServers';
  /** True if our extension runs in it too, so that its agents have our tools already. */
  readonly hasExtension?: true;
  /** Its variable for the folder that is open; undefined if it cannot. */
  readonly folder?: string;
}

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: the clients fill these in
export const MCP_CLIENTS: readonly McpClient[] = [
  { name: 'VS Code', file: '.vscode/mcp.json', field: 'servers', hasExtension: true, folder: '${workspaceFolder}' },
  { name: 'Claude Code', file: '.mcp.json', field: 'mcpServers' },
  { name: 'Cursor', file: '.cursor/mcp.json', field: 'mcpServers', folder: '${workspaceFolder}' },
];
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: the clients fill these in

/**
 * The entry for our server in a client's file.
 * @param workspace the folder that agents work in
 * @param folder where its searches are kept, below it
 * @param more further arguments
 */
export function configurationFor(
  { name, field, folder: open }: McpClient,
  { command, args, env }: Launch,
  { workspace, folder, more }: { workspace: string; folder: string; more: readonly string[] },
): string {
  const dir = open ?? workspace;
  const where =
    folder === SEARCHES ? [] : ['--folder', open === undefined ? join(workspace, folder) : `${open}/${folder}`];
  const server = {
    ...(name === 'VS Code' ? { type: 'stdio' } : {}),
    command,
    args: [...args, 'mcp', '--dir', dir, ...where, ...more],
    ...(Object.keys(env).length > 0 ? { env } : {}),
  };
  return `${JSON.stringify({ [field]: { 'thought-tree': server } }, null, 2)}\n`;
}
