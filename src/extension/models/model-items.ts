import * as vscode from 'vscode';
import type { Rates } from '../../core/ports/model.ts';
import { oneLine } from '../../core/text/text.ts';
import type { ProviderModels } from '../../models/list-models.ts';
import { FREE_MODEL } from '../../searches/models/choose-model.ts';
import { figures } from '../figures.ts';
import { messageText } from '../message-text.ts';
import { OWN_SERVER } from '../settings.ts';
import { EDITOR_PROVIDER } from './editor-provider.ts';

/** The meaning of an entry: a model, a missing key, or something to be typed. */
export type ModelChoice =
  | { readonly kind: 'model'; readonly name: string }
  | { readonly kind: 'same' }
  | { readonly kind: 'key'; readonly provider: string }
  | { readonly kind: 'server' }
  | { readonly kind: 'typed' }
  /** A provider is unreachable; picking it retries. */
  | { readonly kind: 'again' };

export interface ModelItem extends vscode.QuickPickItem {
  readonly choice?: ModelChoice;
}

/** What the list is made from. */
export interface ModelLists {
  /** Its name in the settings. */
  readonly current: string;
  readonly editors: readonly Pick<vscode.LanguageModelChat, 'id' | 'name' | 'vendor'>[];
  /** Undefined while they are being asked. */
  readonly providers: readonly ProviderModels[] | undefined;
  readonly priceOf: (name: string) => Rates | undefined;
  /** Whether a model that only quotes can be chosen. */
  readonly quotes: boolean;
  /** Whether the search's own model can be chosen: for picks and scores. */
  readonly same: boolean;
}

const LONGEST = 300;

/**
 * The available models, the built-in one last. While providers are being asked, the list is the beginning of the final
 * one: nothing moves while somebody is already choosing.
 */
export function modelItems(lists: ModelLists): ModelItem[] {
  const { current, editors, providers, same } = lists;
  const fromEditor = editorItems(editors);
  const isOther = current !== '' && current !== FREE_MODEL && !fromEditor.some((each) => isCurrent(each, current));
  const items = [
    ...(same ? [sameItem()] : []),
    ...(isOther ? [separator(vscode.l10n.t('Chosen')), model(current, current, {})] : []),
    ...fromEditor,
    ...(providers ? [...providers.flatMap((each) => providerItems(each, lists)), ...otherItems(lists)] : []),
  ];
  return items.map((each) => (isCurrent(each, current) ? { ...each, label: `$(check) ${each.label}` } : each));
}

function otherItems({ quotes }: ModelLists): ModelItem[] {
  return [
    separator(vscode.l10n.t('Other')),
    item(`$(server) ${vscode.l10n.t('A server of your own…')}`, { kind: 'server' }, { description: OWN_SERVER }),
    item(`$(edit) ${vscode.l10n.t('Another one, by its name…')}`, { kind: 'typed' }, {}),
    ...(quotes ? [quotesItem()] : []),
  ];
}

function isCurrent({ choice }: ModelItem, current: string): boolean {
  return choice?.kind === 'model' ? choice.name === current : choice?.kind === 'same' && current === '';
}

function editorItems(editors: ModelLists['editors']): ModelItem[] {
  if (editors.length === 0) return [];
  const detail = vscode.l10n.t('A model of the editor; each call counts against your plan.');
  const items = editors.map(({ id, name, vendor }) => {
    const full = `${EDITOR_PROVIDER}/${id}`;
    return model(name, full, { description: `${vendor} · ${full}`, detail });
  });
  return [separator(vscode.l10n.t('The editor')), ...items];
}

function providerItems(found: ProviderModels, { priceOf }: ModelLists): ModelItem[] {
  const { provider, host } = found;
  const head = separator(`${provider} · ${oneLine(host, 100)}`);
  if (found.state === 'unreachable') {
    const label = `$(warning) ${vscode.l10n.t('{0} cannot be reached', provider)}`;
    return [head, item(label, { kind: 'again' }, { description: oneLine(messageText(found.why), LONGEST) })];
  }
  if (found.state === 'needs-key') {
    const description = found.refused
      ? vscode.l10n.t('does not accept the key')
      : vscode.l10n.t('needs a key; {0} is not set', found.variable);
    return [head, item(`$(key) ${provider}/…`, { kind: 'key', provider }, { description })];
  }
  const items = found.models.map(({ name, label, contextTokens }) => {
    const price = priceOf(name);
    const parts = [
      name,
      ...(contextTokens === undefined ? [] : [figures.tokens(contextTokens)]),
      ...(price ? [figures.price(price)] : []),
    ];
    return model(oneLine(label, LONGEST), name, { description: oneLine(parts.join(' · '), LONGEST) });
  });
  return items.length > 0 ? [head, ...items] : [];
}

function sameItem(): ModelItem {
  return item(vscode.l10n.t('The same model as for the rest'), { kind: 'same' }, {});
}

function quotesItem(): ModelItem {
  const detail = vscode.l10n.t('Quotes what this workspace says, with file and lines. Offline and free.');
  return model(vscode.l10n.t('No model: quotes'), FREE_MODEL, { description: FREE_MODEL, detail });
}

function separator(label: string): ModelItem {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

function model(label: string, name: string, more: Partial<vscode.QuickPickItem>): ModelItem {
  const test = { iconPath: new vscode.ThemeIcon('beaker'), tooltip: vscode.l10n.t('Test This Model') };
  return { label: label.replaceAll('$(', '$ ('), choice: { kind: 'model', name }, buttons: [test], ...more };
}

function item(label: string, choice: ModelChoice, more: Partial<vscode.QuickPickItem>): ModelItem {
  return { label, choice, ...more };
}
