import { basename } from 'node:path';
import * as vscode from 'vscode';
import * as z from 'zod';
import { oneLine } from '../../core/text/text.ts';

/** Searches in the bin of our own, at most, and for how many days. */
const MOST_KEPT = 20;
export const DAYS_KEPT = 30;
const DAY_MS = 24 * 3600 * 1000;

/** Beside each search: where it was, and what it was called. */
const Origin = z.object({ folder: z.string().max(4000), title: z.string().max(10_000) });

/** A deleted search that can be restored. */
export interface Deleted extends z.infer<typeof Origin> {
  readonly kept: vscode.Uri;
  /** The time at which it was deleted, in milliseconds since 1970. */
  readonly time: number;
}

/** A bin of our own for deleted searches, where the computer has none, as a remote machine may not. */
export class SearchBin {
  readonly #folder: vscode.Uri;

  constructor(folder: string) {
    this.#folder = vscode.Uri.file(folder);
  }

  /**
   * Moves a search into the computer's bin, or else into this one.
   * @returns where it is kept, if that is here
   */
  async take(folder: string, title: string): Promise<Deleted | undefined> {
    const { fs } = vscode.workspace;
    const uri = vscode.Uri.file(folder);
    try {
      return void (await fs.delete(uri, { recursive: true, useTrash: true }));
    } catch {
      const time = Date.now();
      const kept = vscode.Uri.joinPath(this.#folder, `${time}-${basename(folder)}`);
      await fs.rename(uri, kept);
      await fs.writeFile(originOf(kept), Buffer.from(JSON.stringify({ folder, title })));
      await this.#empty();
      return { folder, title, kept, time };
    }
  }

  /** Returns what was deleted from the folders of this window, the last one first. */
  async ofThisWindow(): Promise<Deleted[]> {
    const read = await Promise.all(
      (await this.#names()).map(async (name): Promise<Deleted[]> => {
        const kept = vscode.Uri.joinPath(this.#folder, name);
        const origin = await readOrigin(kept).catch(() => undefined);
        const isHere = origin && vscode.workspace.getWorkspaceFolder(vscode.Uri.file(origin.folder)) !== undefined;
        return isHere ? [{ ...origin, kept, time: timeIn(name) }] : [];
      }),
    );
    return read.flat();
  }

  /**
   * Brings a search back to where it was, or beside what took its place since.
   * @returns its folder
   */
  async giveBack({ kept, folder }: Deleted): Promise<string> {
    const { fs } = vscode.workspace;
    for (let number = 1; ; number++) {
      const to = vscode.Uri.file(number === 1 ? folder : `${folder}-${number}`);
      if (await isThere(to)) continue;
      await fs.rename(kept, to);
      await fs.delete(originOf(kept), { recursive: true });
      return to.fsPath;
    }
  }

  async #empty(): Promise<void> {
    for (const [index, name] of (await this.#names()).entries()) {
      if (index < MOST_KEPT && Date.now() - timeIn(name) <= DAYS_KEPT * DAY_MS) continue;
      const kept = vscode.Uri.joinPath(this.#folder, name);
      for (const each of [kept, originOf(kept)])
        if (await isThere(each)) await vscode.workspace.fs.delete(each, { recursive: true });
    }
  }

  /** Names begin with the time at which each came there; the newest are first. */
  async #names(): Promise<string[]> {
    const found = await vscode.workspace.fs.readDirectory(this.#folder).then(undefined, () => []);
    const names = found.map(([name]) => name).filter((name) => !name.endsWith(ORIGIN));
    return names.sort().reverse();
  }
}

const ORIGIN = '.origin.json';

function originOf(kept: vscode.Uri): vscode.Uri {
  return vscode.Uri.file(`${kept.fsPath}${ORIGIN}`);
}

async function readOrigin(kept: vscode.Uri): Promise<z.infer<typeof Origin>> {
  const text = Buffer.from(await vscode.workspace.fs.readFile(originOf(kept))).toString('utf8');
  return Origin.parse(JSON.parse(text));
}

function timeIn(name: string): number {
  return Number.parseInt(name, 10);
}

async function isThere(uri: vscode.Uri): Promise<boolean> {
  return await vscode.workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );
}

/** Asks which deleted search comes back; undefined if the person cancels, `file` if they want one from a file. */
export async function askWhich(deleted: readonly Deleted[]): Promise<Deleted | 'file' | undefined> {
  const days = new Intl.DateTimeFormat(vscode.env.language, { dateStyle: 'medium', timeStyle: 'short' });
  const items: (vscode.QuickPickItem & { readonly which?: Deleted | 'file' })[] = [
    { label: `$(file) ${vscode.l10n.t('From a File…')}`, which: 'file' },
    { label: vscode.l10n.t('Deleted'), kind: vscode.QuickPickItemKind.Separator },
    ...deleted.map((each) => ({
      label: `$(discard) ${oneLine(each.title, 200)}`,
      description: days.format(each.time),
      detail: each.folder,
      which: each,
    })),
  ];
  const title = vscode.l10n.t('Import or restore a search');
  return (await vscode.window.showQuickPick(items, { title, matchOnDetail: true }))?.which;
}
