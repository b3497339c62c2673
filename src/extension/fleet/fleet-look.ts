import * as vscode from 'vscode';
import { isFreeModel } from '../../searches/models/choose-model.ts';
import type { SearchLibrary } from '../library/search-library.ts';
import { EDITOR_PROVIDER, queueAddress } from '../settings.ts';

interface LookParts {
  readonly library: SearchLibrary;
  readonly secrets: vscode.SecretStorage;
  readonly log: vscode.LogOutputChannel;
}

/** Looks at the fleet that the settings name as long as somebody works on a search that it may serve, and never else. */
export class FleetLook implements vscode.Disposable {
  readonly #parts: LookParts;
  readonly #subscriptions: readonly vscode.Disposable[];
  #lanes: Promise<vscode.Disposable> | undefined;

  constructor(parts: LookParts) {
    this.#parts = parts;
    this.#subscriptions = [
      parts.library.onDidChange(() => this.#look()),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (!event.affectsConfiguration('thoughtTree.queue')) return;
        this.#end();
        this.#look();
      }),
    ];
    this.#look();
  }

  #look(): void {
    const address = this.#parts.library.searches.some(mayUseFleet) ? queueAddress() : undefined;
    if (address === undefined) this.#end();
    else this.#lanes ??= this.#open(address);
  }

  async #open(address: string): Promise<vscode.Disposable> {
    const { windowFleet } = await import('./window-fleet.ts');
    const { secrets, ...parts } = this.#parts;
    return await windowFleet.lanes({ ...parts, address, password: windowFleet.password(secrets) });
  }

  #end(): void {
    const lanes = this.#lanes;
    this.#lanes = undefined;
    void lanes?.then((each) => each.dispose()).catch((error: unknown) => this.#parts.log.error(String(error)));
  }

  dispose(): void {
    this.#end();
    for (const subscription of this.#subscriptions) subscription.dispose();
  }
}

function mayUseFleet({ isActive, model, record }: SearchLibrary['searches'][number]): boolean {
  const names = [model, record.judge].filter((name) => name !== undefined);
  return isActive && names.some((name) => !isFreeModel(name) && !name.startsWith(`${EDITOR_PROVIDER}/`));
}
