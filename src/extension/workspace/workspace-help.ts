import * as vscode from 'vscode';
import type { Place } from '../../searches/place.ts';
import { diagnostics } from '../diagnostics.ts';
import { findInDocuments, findInSearch } from './find-in-documents.ts';
import { offerIgnoring } from './offer-ignoring.ts';
import { offerLeavingOut } from './offer-leaving-out.ts';

/** The commands that keep our files out of a person's way, and find what went wrong: loaded when first needed. */
export const workspaceHelp = {
  diagnostics,
  findInDocuments,
  findInSearch,
  /** Asks at most one question, and each only once. */
  afterSearch: async ({ workspace }: Place, context: vscode.ExtensionContext): Promise<void> => {
    const folder = vscode.Uri.file(workspace);
    if (!(await offerLeavingOut(folder, context.workspaceState))) await offerIgnoring(folder, context);
  },
};
