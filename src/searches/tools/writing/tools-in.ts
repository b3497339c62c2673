import type { ToolsIn } from '../../../core/ports/tool-place.ts';
import { readingTools } from '../open-toolbox.ts';
import { toolboxOf } from '../toolbox-of.ts';
import { WorkspaceFiles } from '../workspace-files.ts';
import { CheckoutFiles } from './checkout-files.ts';
import { runCommandTool } from './run-command-tool.ts';
import { writingTools } from './writing-tools.ts';

/**
 * The tools with which a model works in a checkout: those that read, as in a workspace; those that change files, if it may;
 * and one for commands, if there are any.
 * @param allowedFiles as for `SecretFilter`, relative to the folder
 */
export function toolsIn(allowedFiles: readonly string[] = []): ToolsIn {
  return (place) => {
    const files = new WorkspaceFiles(place.folder, allowedFiles);
    const changed = (): void => files.changed();
    const running = place.commands.length > 0 ? [runCommandTool(place, changed)] : [];
    if (place.isForCommandsOnly) return toolboxOf(running);
    const isWriter = place.rights === 'write';
    const writing = isWriter ? writingTools(new CheckoutFiles(place.folder, allowedFiles), changed) : [];
    return toolboxOf([...readingTools(files), ...writing, ...running]);
  };
}
