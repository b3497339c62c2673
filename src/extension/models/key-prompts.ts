import * as vscode from 'vscode';
import { loadSearches } from '../load-searches.ts';
import { OWN_SERVER, settingsFor } from '../settings.ts';
import { type ApiKeys, originOf } from './api-keys.ts';

/** A server that a key can be for. */
interface Server {
  readonly provider: string;
  readonly baseUrl: string;
}

/** Asks for addresses of servers and their keys; each key belongs to the server it was entered for. */
export class KeyPrompts {
  readonly #keys: ApiKeys;

  constructor(keys: ApiKeys) {
    this.#keys = keys;
  }

  /** *Set API Key*: for the server at an address, or one that is picked; true if a key was set. */
  async setKey(address?: string): Promise<boolean> {
    const baseUrl = address ?? (await this.#pickServer());
    if (!baseUrl) return false;
    const key = await vscode.window.showInputBox({
      title: vscode.l10n.t('API key for {0}', originOf(baseUrl)),
      prompt: vscode.l10n.t('Kept in the secret storage, sent to this server only. Leave empty if none is needed.'),
      password: true,
      ignoreFocusOut: true,
    });
    if (!key?.trim()) return false;
    await this.#keys.set(baseUrl, key.trim());
    return true;
  }

  /** *Remove API Key* */
  async removeKey(): Promise<void> {
    const baseUrl = await this.#pickServer();
    if (!baseUrl) return;
    await this.#keys.remove(baseUrl);
    void vscode.window.showInformationMessage(vscode.l10n.t('The key for {0} is removed.', originOf(baseUrl)));
  }

  /** Asks for a person's own server and a model there; remembers the address, and the key separately. */
  async askForServer(): Promise<string | undefined> {
    const current = settingsFor(undefined).servers[OWN_SERVER];
    const baseUrl = await askForAddress(current ?? 'http://127.0.0.1:8000/v1');
    if (!baseUrl) return undefined;
    const title = vscode.l10n.t('Name of the model on the server');
    const name = await vscode.window.showInputBox({ title, ignoreFocusOut: true });
    if (!name?.trim()) return undefined;
    const config = vscode.workspace.getConfiguration('thoughtTree');
    await config.update('baseUrl', baseUrl.trim(), vscode.ConfigurationTarget.Global);
    if ((await this.#keys.keyFor(baseUrl)) === undefined) await this.setKey(baseUrl);
    return `${OWN_SERVER}/${name.trim()}`;
  }

  async #pickServer(): Promise<string | undefined> {
    const known = await knownServers();
    const items = known.map(({ provider, baseUrl }) => ({ label: provider, description: originOf(baseUrl), baseUrl }));
    const other = { label: vscode.l10n.t('Another server…'), description: '', baseUrl: undefined };
    const title = vscode.l10n.t('Whose key?');
    const picked = await vscode.window.showQuickPick([...items, other], { title, ignoreFocusOut: true });
    return picked && (picked.baseUrl ?? (await askForAddress()));
  }
}

/** A person's own server first, then the providers that require keys. */
async function knownServers(): Promise<Server[]> {
  const searches = await loadSearches();
  const { servers } = settingsFor(undefined);
  const own = Object.entries(servers).map(([provider, baseUrl]) => ({ provider, baseUrl }));
  const others = [...searches.providers].flatMap(([provider, { needsKey, defaultBaseUrl }]) =>
    needsKey && defaultBaseUrl !== undefined && servers[provider] === undefined
      ? [{ provider, baseUrl: defaultBaseUrl }]
      : [],
  );
  return [...own, ...others].filter(({ baseUrl }) => !notAnAddress(baseUrl));
}

async function askForAddress(value = ''): Promise<string | undefined> {
  return vscode.window.showInputBox({
    title: vscode.l10n.t('Address of the server'),
    value,
    ignoreFocusOut: true,
    validateInput: notAnAddress,
  });
}

function notAnAddress(text: string): string | undefined {
  return /^https?:$/.test(URL.parse(text)?.protocol ?? '')
    ? undefined
    : vscode.l10n.t('An address begins with http:// or https://.');
}
