import type { Tool, ToolUse } from '../../core/ports/tool.ts';
import type { WorkspaceFiles } from './workspace-files.ts';

/** One tool: its description for the model, and what it does. */
export interface WorkspaceTool {
  readonly tool: Tool;
  /**
   * @param input written by the model, unchecked
   * @throws Refusal with words for the model
   */
  use(files: WorkspaceFiles, input: unknown, signal: AbortSignal): Promise<Omit<ToolUse, 'isRefused'>>;
}

/** A use that is refused. The message says why, and what to do instead; it names nothing outside the workspace. */
export class Refusal extends Error {}
