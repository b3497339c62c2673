import { relative } from 'node:path';
import * as vscode from 'vscode';

interface GitChange {
  readonly uri: vscode.Uri;
}

/** As much of the editor's own git extension as is asked. */
interface GitApi {
  getRepository(uri: vscode.Uri): {
    status(): Promise<void>;
    readonly state: {
      readonly indexChanges: readonly GitChange[];
      readonly workingTreeChanges: readonly GitChange[];
      readonly mergeChanges: readonly GitChange[];
      readonly untrackedChanges?: readonly GitChange[];
    };
  } | null;
}

/**
 * Lists what is not committed in a folder, as the editor shows it, relative to the folder and with `/`; nothing where
 * it knows no repository. Ignored files are not among it.
 */
export async function changedPaths(folder: vscode.Uri): Promise<string[]> {
  const git = vscode.extensions.getExtension<{ getAPI(version: 1): GitApi }>('vscode.git');
  try {
    const repository = (await git?.activate())?.getAPI(1).getRepository(folder);
    if (!repository) return [];
    await repository.status();
    const { indexChanges, workingTreeChanges, mergeChanges, untrackedChanges = [] } = repository.state;
    const changes = [...indexChanges, ...workingTreeChanges, ...mergeChanges, ...untrackedChanges];
    const paths = changes.map(({ uri }) => relative(folder.fsPath, uri.fsPath).replaceAll('\\', '/'));
    return [...new Set(paths)].filter((path) => !path.startsWith('..')).sort();
  } catch {
    return [];
  }
}
