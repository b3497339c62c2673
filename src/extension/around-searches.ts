import type * as vscode from 'vscode';
import type { CitationsNow } from '../searches/citations-now.ts';
import type { AvailableActions } from './actions/available-actions.ts';
import { CitationProblems } from './documents/citation-problems.ts';
import { CitedSource } from './documents/cited-source.ts';
import { DocumentLenses } from './documents/document-lenses.ts';
import { PlanLenses } from './documents/plan-lenses.ts';
import { FleetLook } from './fleet/fleet-look.ts';
import type { SearchLibrary } from './library/search-library.ts';
import { NodeDecorations } from './sidebar/node-item.ts';
import { StatusBar } from './sidebar/status-bar.ts';

interface AroundParts {
  readonly library: SearchLibrary;
  readonly available: AvailableActions;
  readonly secrets: vscode.SecretStorage;
  readonly log: vscode.LogOutputChannel;
  /** Tells whether the drawing of a search is in view. */
  readonly isDrawn: (folder: string) => boolean;
}

/** The parts of the window that show searches besides their view: a bundle of its own, loaded with the first search. */
export const aroundSearches = {
  open({ library, available, secrets, log, isDrawn }: AroundParts): readonly vscode.Disposable[] {
    let checks: Promise<CitationsNow> | undefined;
    const citations = (): Promise<CitationsNow> => {
      checks ??= import('../searches/citations-now.ts').then((all) => all.citationsNow.open());
      return checks;
    };
    const forget = library.onDidChange(({ search }) => {
      if (search) void checks?.then((open) => open.forget(search.folder));
    });
    return [
      forget,
      { dispose: () => void checks?.then((open) => open.dispose()) },
      new CitedSource(library, citations),
      new CitationProblems({ library, citations, isDrawn }),
      new NodeDecorations(library),
      new StatusBar(library, available),
      new FleetLook({ library, secrets, log }),
      new PlanLenses(library),
      new DocumentLenses(library, available),
    ];
  },
};
