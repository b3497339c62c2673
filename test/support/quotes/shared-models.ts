import { cpSync } from 'node:fs';
import type { Model } from '../../../src/core/ports/model.ts';
import { openQuotesModel } from '../../../src/models/quotes/quotes-model.ts';
import { makeWorkspace, mochaWorkspace, removeWorkspaces } from './quotes-workspace.ts';

// A model starts a thread, which takes a second of a processor before it is asked anything: tests of one file share it.
const models = new Map<string, Model>();
const folders = new Map<object | string, string>();
let ofMocha: Model | undefined;

/** Returns the model of a workspace that nobody changes. */
export function modelOf(workspace: string): Model {
  const model = models.get(workspace) ?? openQuotesModel({ workspace });
  models.set(workspace, model);
  return model;
}

/** Returns the model of a workspace with these files: the same object is the same workspace. */
export function modelWith(files: Readonly<Record<string, string>>): Model {
  const folder = folders.get(files) ?? makeWorkspace(files);
  folders.set(files, folder);
  return modelOf(folder);
}

/** Returns the model of a copy of one of our folders: in its place, our repository says what git ignores. */
export function modelOfCopy(folder: string): Model {
  const copy = folders.get(folder) ?? makeWorkspace({});
  if (!folders.has(folder)) cpSync(folder, copy, { recursive: true });
  folders.set(folder, copy);
  return modelOf(copy);
}

/** Returns the model of mocha's sources, one for all tests of a process; its thread keeps nobody waiting. */
export function mochaModel(): Model {
  ofMocha ??= openQuotesModel({ workspace: mochaWorkspace() });
  return ofMocha;
}

/** Closes the models and removes their workspaces; for `after`. */
export async function closeModels(): Promise<void> {
  await Promise.all([...models.values()].map((model) => model.close?.()));
  models.clear();
  folders.clear();
  removeWorkspaces();
}
