import * as vscode from 'vscode';
import { opensDrawing } from '../settings.ts';

/** The views of a search. */
export interface BegunViews {
  /** Selects its row in the sidebar, and opens it. */
  readonly reveal: (folder: string) => Promise<void>;
  /** Opens its drawing beside what the person is at. */
  readonly draw: (folder: string) => Promise<void>;
}

/** The number of times that a row is looked for, and the time between them, in milliseconds. */
const TRIES = 10;
const BETWEEN_MS = 100;

/** Shows a search that a person has just begun: its row in the sidebar and, by default, its drawing. */
export async function showBegun(folder: string, { reveal, draw }: BegunViews): Promise<void> {
  await vscode.commands.executeCommand('thoughtTree.searches.focus');
  if (opensDrawing()) await draw(folder);
  for (let tried = 1; tried <= TRIES; tried++) {
    try {
      return await reveal(folder);
    } catch {
      // The editor knows the row only once it has drawn the list again; until then it refuses.
      await new Promise((resolve) => setTimeout(resolve, BETWEEN_MS));
    }
  }
}
