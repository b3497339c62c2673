import type { Tool, ToolUse } from '../../core/ports/tool.ts';
import type { WorkspaceFiles } from './workspace-files.ts';

/** One tool: what the model is told of it, and what it does. */
export interface WorkspaceTool {
  readonly tool: Tool;
  /**
   * @param input what the model wrote, unchecked
   * @throws Refusal with words for the model
   */
  use(files: WorkspaceFiles, input: unknown, signal: AbortSignal): Promise<Omit<ToolUse, 'isRefused'>>;
}

/** A use that is not done. The message says why, and what to do instead; it names nothing that lies outside. */
export class Refusal extends Error {}
