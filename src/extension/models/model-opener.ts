import * as vscode from 'vscode';
import type { Model } from '../../core/ports/model.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import type { PermissionQuestion, StartedAgent } from '../../models/agents/agent.ts';
import { isFreeModel } from '../../searches/models/choose-model.ts';
import type { WindowFleet } from '../fleet/open-fleet.ts';
import { loadSearches } from '../load-searches.ts';
import { withoutLinks } from '../message-text.ts';
import { modelNotUsed, onlyLooking } from '../messages.ts';
import { EDITOR_PROVIDER, isOwnServer, OWN_SERVER, settingsFor } from '../settings.ts';
import type { ApiKeys } from './api-keys.ts';

/** Writes down the answers of the models that it wraps. */
export interface Recording {
  readonly wrap: (model: Model) => Model;
}

/** Opens models by name: the editor's own, or those that every host has. */
export class ModelOpener {
  readonly #keys: ApiKeys;

  constructor(keys: ApiKeys) {
    this.#keys = keys;
  }

  /**
   * @param name `provider/model`
   * @param workspace the folder that is searched
   * @param trusted false if the name came with a clone and was never used here: the person is asked
   * @param through the fleet whose workers may make its calls, with their own keys, and what writes down its answers
   * @throws ThoughtTreeError `bad-input`, `unknown-model`, saying what to do
   */
  async open(
    name: string,
    workspace: string,
    trusted = true,
    { fleet, recorder }: { readonly fleet?: WindowFleet | undefined; readonly recorder?: Recording | undefined } = {},
  ): Promise<Model> {
    if (!vscode.workspace.isTrusted) throw new ThoughtTreeError('bad-input', onlyLooking());
    if (!trusted && !(await agreesTo(name))) throw new ThoughtTreeError('bad-input', modelNotUsed({ model: name }));
    const [provider = '', ...rest] = name.split('/');
    if (provider === EDITOR_PROVIDER) {
      const { openEditorModel } = await import('./vscode-model.ts');
      return prepared(await openEditorModel(rest.join('/')), workspace, recorder);
    }
    const searches = await loadSearches();
    const { servers, timeoutMs, thinking, prices, allowedFiles, folder } = settingsFor(vscode.Uri.file(workspace));
    const served = fleet?.model(name);
    // Its workers know its price; what this person says is one of several.
    if (served)
      return searches.prepareModel(served, { thinking, secrets: fleet?.secrets ?? [], recorder, allowedFiles });
    const isOwn = isOwnServer(provider, servers, searches);
    // An address receives only what was meant for it: no other provider's requests, and no other one's key.
    const baseUrl = servers[provider];
    const apiKey = await this.#keys.keyAt(baseUrl ?? searches.providers.get(provider)?.defaultBaseUrl);
    const opened = await searches.openModel(isOwn ? `${OWN_SERVER}/${rest.join('/')}` : name, {
      workspace,
      allowedFiles,
      searches: folder,
      timeoutMs,
      // A variable cannot say which of several servers its key is for.
      environment: isOwn ? {} : process.env,
      agent: { mayLoad, mayStart, askPermission },
      ...(baseUrl ? { baseUrl } : {}),
      ...(apiKey ? { apiKey } : {}),
    });
    const model = isOwn ? searches.renamed(opened, name) : opened;
    const variables = [...searches.providers.values()].flatMap(({ keyVariables }) => keyVariables);
    const secrets = [apiKey, ...variables.map((variable) => process.env[variable]), ...searches.secretsIn(baseUrl)];
    return searches.prepareModel(model, { price: prices[name], thinking, secrets, recorder, allowedFiles });
  }

  /** Returns what a forecast needs to know about a model, without opening it. */
  async describe(name: string, workspace: string): Promise<Pick<Model, 'name' | 'free' | 'price' | 'prose'>> {
    const searches = await loadSearches();
    const price = settingsFor(vscode.Uri.file(workspace)).prices[name] ?? searches.priceOf(name);
    return { name, free: isFreeModel(name), ...(price ? { price } : {}) };
  }
}

/** The editor reports no prices; a person may have given one. */
async function prepared(model: Model, workspace: string, recorder: Recording | undefined): Promise<Model> {
  const { prices, allowedFiles } = settingsFor(vscode.Uri.file(workspace));
  const searches = await loadSearches();
  return searches.prepareModel(model, { price: prices[model.name], recorder, allowedFiles });
}

/** A package that may have come with the workspace runs in this process, with everything that it can reach. */
async function mayLoad(folder: string): Promise<boolean> {
  const yes = vscode.l10n.t('Run It');
  const question = vscode.l10n.t(
    'The Claude Agent SDK was found in this workspace, and may have come with it. Run it?',
  );
  return (await vscode.window.showWarningMessage(question, { modal: true, detail: folder }, yes)) === yes;
}

/** A program that this person was not asked about before, or that is another one now. */
async function mayStart({ name, version, line }: StartedAgent): Promise<boolean> {
  const yes = vscode.l10n.t('Start It');
  const question = vscode.l10n.t('Start {0}, version {1}, as an agent that reads this folder?', `acp/${name}`, version);
  return (await vscode.window.showWarningMessage(question, { modal: true, detail: line }, yes)) === yes;
}

/** A model that came with a clone and was never used here: it could send the workspace's text somewhere. */
export async function agreesTo(model: string, judge = model, several: readonly string[] = []): Promise<boolean> {
  const names = [...new Set([model, judge, ...several])].join(', ');
  const yes = vscode.l10n.t('Use It');
  const question = vscode.l10n.t('This search names the model {0}, which you have not used here yet. Use it?', names);
  return (await vscode.window.showWarningMessage(question, { modal: true }, yes)) === yes;
}

/** Asks the person an agent's question. If nobody answers for long, the call is stopped, which refuses it. */
async function askPermission({ agent, tool, what }: PermissionQuestion, signal: AbortSignal): Promise<boolean> {
  const allow = vscode.l10n.t('Allow Once');
  const question = vscode.l10n.t('{0} wants to use {1}: {2}', agent, tool, what);
  const stopped = new Promise<undefined>((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  const answer = vscode.window.showWarningMessage(withoutLinks(question), allow, vscode.l10n.t('Refuse'));
  return (await Promise.race([answer, stopped])) === allow;
}
