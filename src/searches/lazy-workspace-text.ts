import type { WorkspaceText } from '../core/ports/workspace-text.ts';

/**
 * The text of a folder, whose code is loaded on first use: most searches about other things never need it.
 * @param searches as for `listFiles`
 */
export function lazyWorkspaceText(
  workspace: string,
  allowedFiles?: readonly string[],
  searches?: string,
): WorkspaceText {
  let loading: Promise<WorkspaceText> | undefined;
  const load = (): Promise<WorkspaceText> => {
    loading ??= import('../models/quotes/open-workspace-text.ts').then((all) =>
      all.openWorkspaceText({ workspace, allowedFiles, searches }),
    );
    return loading;
  };
  return {
    find: async (request, signal) => (await load()).find(request, signal),
    overview: async (request, signal) => (await load()).overview(request, signal),
    read: async (path) => (await load()).read(path),
    named: async (name) => (await load()).named(name),
    asSearched: async (path) => (await load()).asSearched(path),
    close: async () => (await loading?.catch(() => undefined))?.close(),
  };
}
