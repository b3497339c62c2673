import * as vscode from 'vscode';
import { toThoughtTreeError } from '../../core/search/errors.ts';
import { oneLine } from '../../core/text/text.ts';
import type { ProviderModels } from '../../models/list-models.ts';
import { figures } from '../figures.ts';
import { loadSearches } from '../load-searches.ts';
import { messageText, withoutLinks } from '../message-text.ts';
import { isServerName, OWN_SERVER, settingsFor } from '../settings.ts';
import type { ApiKeys } from './api-keys.ts';
import { askForAddress, type KeyPrompts } from './key-prompts.ts';
import { type ModelItem, readyItems } from './model-items.ts';
import type { ModelOpener } from './model-opener.ts';

interface ServerParts {
  readonly keys: ApiKeys;
  readonly prompts: KeyPrompts;
  readonly tester: ModelTester;
}

/** *A server of your own*: its address, its key, and one of the models that it has. */
export class ServerPrompts {
  readonly #parts: ServerParts;

  constructor(parts: ServerParts) {
    this.#parts = parts;
  }

  /**
   * Asks for a server and a model there, remembers the address under a name, and tells whether the model answers.
   * @returns `name/model`; undefined if the person cancels
   */
  async ask(): Promise<string | undefined> {
    let baseUrl = await askForAddress('http://127.0.0.1:8000/v1');
    let hasAsked = false;
    while (baseUrl !== undefined) {
      const found = await this.#listAt(baseUrl);
      if (found.state === 'needs-key' && !found.refused && !hasAsked) {
        hasAsked = true;
        await this.#parts.prompts.setKey(baseUrl);
        continue;
      }
      const chosen = found.state === 'ready' && found.models.length > 0 ? await askModel(found) : await askOther(found);
      if (chosen === undefined) return undefined;
      if (chosen === 'address') baseUrl = await askForAddress(baseUrl);
      else if (chosen === 'key') await this.#parts.prompts.setKey(baseUrl);
      else if (chosen !== 'again') return await this.#keep(baseUrl, chosen.model);
    }
    return undefined;
  }

  async #listAt(baseUrl: string): Promise<ProviderModels> {
    const searches = await loadSearches();
    const title = vscode.l10n.t('Asking {0} for its models', URL.parse(baseUrl)?.host ?? '');
    const location = vscode.ProgressLocation.Notification;
    const apiKey = await this.#parts.keys.keyAt(baseUrl);
    const servers = { [OWN_SERVER]: { baseUrl, apiKey } };
    const found = await vscode.window.withProgress({ location, title }, () =>
      searches.listModels({ servers, only: OWN_SERVER, environment: process.env }),
    );
    return found[0] as ProviderModels;
  }

  async #keep(baseUrl: string, model: string): Promise<string | undefined> {
    const server = await rememberAddress(baseUrl);
    if (server === undefined) return undefined;
    const name = `${server}/${model}`;
    void this.#tell(name);
    return name;
  }

  /** Tells the person whether it answers: nobody has to wait for that. */
  async #tell(name: string): Promise<void> {
    const said = await this.#parts.tester.test(name, undefined, new AbortController().signal);
    void vscode.window.showInformationMessage(withoutLinks(`${name}: ${oneLine(said, 500)}`));
  }
}

type Chosen = { readonly model: string } | 'address' | 'key' | 'again';

/** Returns its models, as the server lists them. */
async function askModel(found: ProviderModels): Promise<Chosen | undefined> {
  const items: (ModelItem & { chosen?: Chosen })[] = readyItems(found, { priceOf: () => undefined }).map(
    ({ buttons: _none, ...item }) => {
      const name = item.choice?.kind === 'model' ? item.choice.name : '';
      return { ...item, description: '', chosen: { model: name.slice(name.indexOf('/') + 1) } };
    },
  );
  const typed = { label: `$(edit) ${vscode.l10n.t('Another one, by its name…')}` };
  const title = vscode.l10n.t('Which model of {0}?', found.host);
  const picked = await vscode.window.showQuickPick([...items, typed], { title, ignoreFocusOut: true });
  return picked === typed ? await askName() : (picked as { chosen?: Chosen } | undefined)?.chosen;
}

/** Asks what to do about a server that lists no models. */
async function askOther(found: ProviderModels): Promise<Chosen | undefined> {
  const needsKey = found.state === 'needs-key';
  const items: { label: string; does: Chosen | 'name' }[] = [
    ...(needsKey ? [{ label: `$(key) ${vscode.l10n.t('Enter its key…')}`, does: 'key' as const }] : []),
    { label: `$(refresh) ${vscode.l10n.t('Try again')}`, does: 'again' },
    { label: `$(link) ${vscode.l10n.t('Change the address…')}`, does: 'address' },
    { label: `$(edit) ${vscode.l10n.t('Name the model anyway…')}`, does: 'name' },
  ];
  const title = needsKey
    ? vscode.l10n.t('{0} asks for a key', found.host)
    : vscode.l10n.t('{0} lists no models', found.host);
  const refused = needsKey && found.refused ? vscode.l10n.t('It does not accept the key that it was given.') : '';
  const placeHolder = found.state === 'unreachable' ? oneLine(messageText(found.why), 300) : refused;
  const picked = await vscode.window.showQuickPick(items, { title, placeHolder, ignoreFocusOut: true });
  return picked?.does === 'name' ? await askName() : picked?.does;
}

async function askName(): Promise<Chosen | undefined> {
  const title = vscode.l10n.t('Name of the model on the server');
  const name = await vscode.window.showInputBox({ title, ignoreFocusOut: true });
  return name?.trim() ? { model: name.trim() } : undefined;
}

/** Returns the name of the server with that address; a second one gets a name of its own. */
async function rememberAddress(baseUrl: string): Promise<string | undefined> {
  const config = vscode.workspace.getConfiguration('thoughtTree');
  const { Global } = vscode.ConfigurationTarget;
  const { servers } = settingsFor(undefined);
  const searches = await loadSearches();
  const isNamed = (name: string): boolean => name === OWN_SERVER || isServerName(name, searches);
  const known = Object.entries(servers).find(([name, address]) => address === baseUrl && isNamed(name));
  if (known) return known[0];
  const others = config.get<Record<string, string>>('servers') ?? {};
  if (servers[OWN_SERVER] === undefined) {
    await config.update('servers', { ...others, [OWN_SERVER]: baseUrl }, Global);
    return OWN_SERVER;
  }
  const taken = (name: string): boolean => !isServerName(name, searches) || servers[name] !== undefined;
  const host =
    (URL.parse(baseUrl)?.hostname ?? '')
      .split('.')[0]
      ?.toLowerCase()
      .replace(/[^a-z0-9_-]/g, '') ?? '';
  const name = await vscode.window.showInputBox({
    title: vscode.l10n.t('What is this server called?'),
    prompt: vscode.l10n.t('Its models are then named like this: name/model.'),
    value: taken(host) ? '' : host,
    ignoreFocusOut: true,
    validateInput: (text) =>
      taken(text.trim()) ? vscode.l10n.t('A short word in lower case that no other server has.') : undefined,
  });
  if (!name) return undefined;
  await config.update('servers', { ...others, [name.trim()]: baseUrl }, Global);
  return name.trim();
}

/** Time limit for an answer, in milliseconds. */
const LONGEST_MS = 120_000;

/** Finds out whether a model answers, by one real call of a few tokens. */
export class ModelTester {
  readonly #opener: ModelOpener;

  constructor(opener: ModelOpener) {
    this.#opener = opener;
  }

  /** Returns the result in words: time and usage, or what is wrong. Never rejects. */
  async test(name: string, scope: vscode.Uri | undefined, signal: AbortSignal): Promise<string> {
    try {
      const searches = await loadSearches();
      const folder = scope ?? vscode.workspace.workspaceFolders?.[0]?.uri;
      const model = await this.#opener.open(name, folder?.fsPath ?? process.cwd());
      try {
        const tested = await searches.testModel(model, AbortSignal.any([signal, AbortSignal.timeout(LONGEST_MS)]));
        if (!tested.works) throw tested.error;
        const { ms, usage } = tested;
        const used = usage ? [vscode.l10n.t('{0} + {1} tokens', usage.prompt, usage.completion)] : [];
        const cost = usage && model.price ? [figures.usd(searches.costOf(usage, model.price))] : [];
        return [vscode.l10n.t('It answers, after {0} s', (ms / 1000).toFixed(1)), ...used, ...cost].join(' · ');
      } finally {
        await model.close?.();
      }
    } catch (error) {
      return vscode.l10n.t('It does not answer: {0}', messageText(toThoughtTreeError(error).say));
    }
  }
}
