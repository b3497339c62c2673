import { join } from 'node:path';
import * as vscode from 'vscode';
import { openDocument } from '../documents/open-document.ts';
import type { FollowedSearch } from '../library/followed-search.ts';
import type { SearchesView } from '../sidebar/searches-view.ts';
import type { FileTarget, NodeTarget } from './command-table.ts';
import type { Targets } from './targets.ts';

/** Commands that show a node. */
export class NodeCommands {
  readonly #targets: Targets;
  readonly #view: SearchesView;

  constructor(targets: Targets, view: SearchesView) {
    this.#targets = targets;
    this.#view = view;
  }

  async openDocument({ folder }: FollowedSearch, path: string): Promise<void> {
    await openDocument(vscode.Uri.file(join(folder, ...path.split('/'), 'document.md')));
  }

  async reveal(target: NodeTarget | FileTarget | undefined): Promise<void> {
    const named = target && 'fsPath' in target ? await this.#targets.nodeOf(target) : target;
    const found = await this.#targets.node(named);
    if (found) await this.#view.reveal(found.search.folder, found.path);
  }
}
