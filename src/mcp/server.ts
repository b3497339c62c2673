import { type McpRequestContext, McpServer } from '@modelcontextprotocol/server';
import packageJson from '../../package.json' with { type: 'json' };
import { instructionsFor } from '../kinds/investigation/protocol/instructions.ts';
import { setupFor } from '../kinds/investigation/protocol/start.ts';
import type { AppResource } from './app-resources.ts';
import { addAtomTools } from './atoms/atom-tools.ts';
import { hidesFromModels } from './client-capabilities.ts';
import { addDocuments } from './documents/documents.ts';
import { tellChanges } from './documents/subscriptions.ts';
import { addInvestigationTools } from './investigations/investigation-tools.ts';
import type { Investigations, InvestigationsParts } from './investigations/investigations.ts';
import { takesText } from './lenient-input.ts';
import { addPanelTool } from './panel-tool.ts';
import { addPrompts } from './prompts.ts';
import type { TreeProgram } from './tree-program.ts';
import { addTreeTools } from './tree-tools.ts';

/** The state that every server of a process shares: all its state is there, or on disk. */
export interface ServerParts {
  readonly investigations: Investigations;
  readonly rules: Pick<InvestigationsParts, 'profile' | 'minRounds' | 'requireAgents'>;
  readonly program: TreeProgram;
  readonly apps: readonly AppResource[];
  readonly isReadOnly: boolean;
  /** True if the client's window offers tools and prompts of ours itself: no agent is to have one twice. */
  readonly besideWindow?: boolean | undefined;
}

const ABOUT_TREES = [
  'Searches: tree_start begins one in the background, tree_wait waits for it, tree_status and tree_read say what it found, tree_act steers it.',
  'Goals: atom_next lists pieces of work that you may do, atom_take gives you one with its checkout, atom_done hands it in; it counts only once its checks were run here.',
  'What may cost money, or removes something, needs the permission of a person; without it nothing happens, and the refusal says what would help.',
];

/**
 * One server; a client may be answered by several of them.
 * @param tells whether it tells its client of changes itself
 */
export function buildServer(parts: ServerParts, { era }: Pick<McpRequestContext, 'era'>, tells = true): McpServer {
  const { investigations, rules, program, apps, isReadOnly, besideWindow } = parts;
  const { profile, minRounds, requireAgents } = rules;
  const protocol = instructionsFor(setupFor(profile, { query: '' }, { sessionId: '', minRounds, requireAgents }));
  const info = { name: 'tree-of-thoughts', title: 'Thought Tree', version: packageJson.version };
  const instructions = [`Investigations in rounds: ${protocol}`, ...ABOUT_TREES].join('\n');
  // Over HTTP, clients of the older protocol are served without a session that could tell them anything later.
  const tellsLater = tells || era === 'modern';
  const capabilities = { resources: { subscribe: tellsLater, listChanged: tellsLater } };
  const server = hidesFromModels(takesText(new McpServer(info, { instructions, capabilities })));
  addInvestigationTools(server, investigations, isReadOnly, apps);
  addTreeTools(server, program, isReadOnly, apps, besideWindow);
  addAtomTools(server, program, isReadOnly);
  if (apps.length > 0) addPanelTool(server, program, investigations, isReadOnly);
  addDocuments(server, program, apps);
  if (!besideWindow) addPrompts(server, program, protocol, isReadOnly);
  if (tells) tellChanges(server, program, era === 'legacy');
  return server;
}
