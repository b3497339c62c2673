import type * as vscode from 'vscode';
import { loadSearches } from '../load-searches.ts';
import type { ApiKeys } from '../models/api-keys.ts';
import { EDITOR_PROVIDER } from '../models/editor-provider.ts';
import { broughtModels, settingsFor } from '../settings.ts';

/**
 * The person's models, and the keys that they entered, as the command line reads them. A model that only the workspace's
 * own settings name is left out. A key is for one address: where the model has an address of its own, no other key goes
 * along.
 */
export async function modelEnvironment(folder: vscode.Uri | undefined, keys: ApiKeys): Promise<Record<string, string>> {
  const { providers } = await loadSearches();
  const { model, judgeModel, servers } = settingsFor(folder);
  const brought = broughtModels(folder);
  const own = (name: string): string | undefined =>
    name === '' || name.startsWith(`${EDITOR_PROVIDER}/`) || brought.includes(name) ? undefined : name;
  const chosen = own(model);
  const address = chosen && servers[providerOf(chosen)];
  const found: Record<string, string | undefined> = {
    THOUGHT_TREE_MODEL: chosen,
    THOUGHT_TREE_JUDGE: own(judgeModel),
    THOUGHT_TREE_BASE_URL: address,
    THOUGHT_TREE_API_KEY: address && (await keys.keyAt(address)),
  };
  if (!address)
    for (const { keyVariables, defaultBaseUrl, needsKey } of providers.values())
      if (needsKey && keyVariables[0] !== undefined) found[keyVariables[0]] = await keys.keyAt(defaultBaseUrl);
  return Object.fromEntries(Object.entries(found).filter((each): each is [string, string] => each[1] !== undefined));
}

function providerOf(model: string): string {
  return model.slice(0, model.indexOf('/'));
}
