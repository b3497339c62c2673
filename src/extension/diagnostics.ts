import * as vscode from 'vscode';
import type { SearchLibrary } from './library/search-library.ts';
import { settingsFor } from './settings.ts';

/** For finding a fault: versions, settings, states and figures; no questions, texts, paths, addresses or keys. */
export function diagnostics(context: vscode.ExtensionContext, library: SearchLibrary): string {
  const { model, size, concurrency, guards } = settingsFor(undefined);
  const { version } = context.extension.packageJSON as { version: string };
  const searches = library.searches.map((search) => ({
    state: search.state,
    problem: search.problem !== undefined,
    cause: search.cause,
    model: search.model?.split('/')[0],
    nodes: search.size,
    failed: search.count('failed'),
    spend: search.spend,
  }));
  return JSON.stringify(
    {
      thoughtTree: version,
      vscode: vscode.version,
      remote: remoteKind(),
      platform: `${process.platform}-${process.arch}`,
      node: process.version,
      settings: { provider: model.split('/')[0], size, concurrency, guards },
      searches,
    },
    null,
    2,
  );
}

/** The kind of remote, such as `ssh-remote`; if the name is an address, only that it is one. */
function remoteKind(): string {
  const name = vscode.env.remoteName ?? 'none';
  return /^[a-z-]+$/.test(name) ? name : 'other';
}
