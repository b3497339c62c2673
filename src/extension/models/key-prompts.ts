import * as vscode from 'vscode';
import { loadSearches } from '../load-searches.ts';
import { OWN_SERVER, queueAddress, settingsFor } from '../settings.ts';
import { type ApiKeys, originOf } from './api-keys.ts';

/** A server that a key can be for. */
interface Server {
  readonly provider: string;
  readonly baseUrl: string;
  /** True if the secret storage has a key for it. */
  readonly isSet: boolean;
  /** The environment variable that has one, if any. */
  readonly variable: string | undefined;
}

/** Asks for keys of servers; each key belongs to the server it was entered for. */
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
    if (address === undefined) await this.#tell(baseUrl);
    return true;
  }

  /**
   * *Remove API Key*: one of those that are set, or the password of the queue that the settings name.
   * @param removePassword removes that, and tells so
   */
  async removeKey(removePassword: () => Promise<void>): Promise<void> {
    const set = (await this.#servers()).filter(({ isSet }) => isSet);
    const queue = queueAddress() === undefined ? [] : [{ label: vscode.l10n.t('The password of the queue') }];
    if (set.length + queue.length === 0) {
      void vscode.window.showInformationMessage(vscode.l10n.t('No key is set here.'));
      return;
    }
    const title = vscode.l10n.t("Which provider's key should be removed?");
    const items: (vscode.QuickPickItem & { baseUrl?: string })[] = [...set.map(itemOf), ...queue];
    const picked = await vscode.window.showQuickPick(items, { title, ignoreFocusOut: true });
    if (!picked) return;
    if (picked.baseUrl === undefined) return await removePassword();
    await this.#keys.remove(picked.baseUrl);
    void vscode.window.showInformationMessage(vscode.l10n.t('The key for {0} is removed.', originOf(picked.baseUrl)));
  }

  /** Tells whether the server accepts its new key. */
  async #tell(baseUrl: string): Promise<void> {
    const server = (await this.#servers()).find((each) => originOf(each.baseUrl) === originOf(baseUrl));
    const searches = await loadSearches();
    const { provider = OWN_SERVER } = server ?? {};
    const apiKey = await this.#keys.keyAt(baseUrl);
    const found = (await searches.listModels({ servers: { [provider]: { baseUrl, apiKey } }, only: provider }))[0];
    const host = originOf(baseUrl);
    const said =
      found?.state === 'ready'
        ? vscode.l10n.t('{0} accepts the key and has {1} models. Select Model lists them.', host, found.models.length)
        : found?.state === 'needs-key'
          ? vscode.l10n.t('{0} does not accept the key. The key is kept; set it again to change it.', host)
          : vscode.l10n.t('The key for {0} is set. The server could not be reached to check it.', host);
    if (found?.state === 'ready') void vscode.window.showInformationMessage(said);
    else void vscode.window.showWarningMessage(said);
  }

  async #pickServer(): Promise<string | undefined> {
    const other = { label: vscode.l10n.t('Another server…'), description: '', baseUrl: undefined };
    const title = vscode.l10n.t('Whose key?');
    const items = [...(await this.#servers()).map(itemOf), other];
    const picked = await vscode.window.showQuickPick(items, { title, ignoreFocusOut: true });
    return picked && (picked.baseUrl ?? (await askForAddress()));
  }

  /** Returns a person's own servers first, then the providers that require keys; with what is known of their keys. */
  async #servers(): Promise<Server[]> {
    const searches = await loadSearches();
    const { servers } = settingsFor(undefined);
    const own = Object.entries(servers).map(([provider, baseUrl]) => ({ provider, baseUrl, variables: [] }));
    const others = [...searches.providers].flatMap(([provider, { needsKey, defaultBaseUrl, keyVariables }]) =>
      needsKey && defaultBaseUrl !== undefined && servers[provider] === undefined
        ? [{ provider, baseUrl: defaultBaseUrl, variables: keyVariables }]
        : [],
    );
    const usable = [...own, ...others].filter(({ baseUrl }) => !notAnAddress(baseUrl));
    return await Promise.all(
      usable.map(async ({ provider, baseUrl, variables }) => ({
        provider,
        baseUrl,
        isSet: (await this.#keys.keyFor(baseUrl)) !== undefined,
        variable: variables.find((name) => process.env[name]?.trim()),
      })),
    );
  }
}

function itemOf({ provider, baseUrl, isSet, variable }: Server) {
  const state = isSet
    ? vscode.l10n.t('set')
    : variable === undefined
      ? vscode.l10n.t('not set')
      : vscode.l10n.t('set by {0}', variable);
  const icon = isSet || variable !== undefined ? '$(pass)' : '$(circle-large-outline)';
  return { label: `${icon} ${provider}`, description: `${originOf(baseUrl)} · ${state}`, baseUrl };
}

/** Asks for the address of a server; undefined if the person cancels. */
export async function askForAddress(value = ''): Promise<string | undefined> {
  const address = await vscode.window.showInputBox({
    title: vscode.l10n.t('Address of the server'),
    prompt: vscode.l10n.t('Base URL including the path, for example http://127.0.0.1:8000/v1'),
    value,
    ignoreFocusOut: true,
    validateInput: notAnAddress,
  });
  return address?.trim();
}

function notAnAddress(text: string): string | undefined {
  return /^https?:$/.test(URL.parse(text)?.protocol ?? '')
    ? undefined
    : vscode.l10n.t('An address begins with http:// or https://.');
}
