import * as vscode from 'vscode';
import type { Rates } from '../../core/ports/model.ts';
import { oneLine } from '../../core/text/text.ts';
import type { ProviderModels } from '../../models/list-models.ts';
import { FREE_MODEL } from '../../searches/models/choose-model.ts';
import { figures } from '../figures.ts';
import { messageText } from '../message-text.ts';
import { EDITOR_PROVIDER } from '../settings.ts';

/** The meaning of an entry: a model, or a way to get one. */
export type ModelChoice =
  | { readonly kind: 'model'; readonly name: string }
  | { readonly kind: 'same' }
  /** Another model is to pick and score. */
  | { readonly kind: 'judge' }
  | { readonly kind: 'key'; readonly provider: string }
  /** The editor has no model: its own way to get some. */
  | { readonly kind: 'editors' }
  | { readonly kind: 'server' }
  | { readonly kind: 'typed' }
  /** A provider is unreachable; picking it retries. */
  | { readonly kind: 'again' };

export interface ModelItem extends vscode.QuickPickItem {
  readonly choice?: ModelChoice;
}

export interface ModelLists {
  /** Its name in the settings. */
  readonly current: string;
  readonly editors: readonly Pick<vscode.LanguageModelChat, 'id' | 'name' | 'vendor'>[];
  /** Undefined while they are being asked. */
  readonly providers: readonly ProviderModels[] | undefined;
  readonly priceOf: (name: string) => Rates | undefined;
  /** The providers whose address the person set. */
  readonly servers: Readonly<Record<string, string>>;
  /** True if a model that only quotes can be chosen. */
  readonly quotes: boolean;
  /** True if one for picks and scores can be chosen instead. */
  readonly judge: boolean;
  /** True if the search's own model can be chosen: for picks and scores. */
  readonly same: boolean;
}

const LONGEST = 300;

/**
 * Lists what can be used now first, then what it takes to get more. While providers are being asked, the list is the
 * beginning of the final one: nothing moves while somebody is already choosing.
 */
export function modelItems(lists: ModelLists): ModelItem[] {
  const { current, editors, providers, same, quotes } = lists;
  const fromEditor = editorItems(editors);
  const isOther = current !== '' && current !== FREE_MODEL && !fromEditor.some((each) => isCurrent(each, current));
  const items = [
    ...(same ? [sameItem()] : []),
    ...(isOther ? [separator(vscode.l10n.t('Chosen')), model(current, current, {})] : []),
    ...fromEditor,
    ...(providers
      ? [
          // What is chosen stays where it was shown first.
          ...providers.flatMap((each) => withoutModel(readyItems(each, lists), isOther ? current : undefined)),
          ...(quotes ? [separator(vscode.l10n.t('Without a model')), quotesItem()] : []),
          separator(vscode.l10n.t('Get more models')),
          ...(editors.length === 0 ? [editorsItem()] : []),
          ...providers.flatMap((each) => missingItems(each, lists)),
          item(`$(server) ${vscode.l10n.t('A server of your own…')}`, { kind: 'server' }, { detail: serverHelp() }),
          item(`$(edit) ${vscode.l10n.t('Another one, by its name…')}`, { kind: 'typed' }, {}),
          ...(lists.judge ? [separator(vscode.l10n.t('For picks and scores')), judgeItem()] : []),
        ]
      : []),
  ];
  return items.map((each) => (isCurrent(each, current) ? { ...each, label: `$(check) ${each.label}` } : each));
}

/** Returns the entries of a provider but for one model; none if nothing is left. */
function withoutModel(items: readonly ModelItem[], name: string | undefined): ModelItem[] {
  const left = items.filter(({ choice }) => choice?.kind !== 'model' || choice.name !== name);
  return left.some(({ choice }) => choice) ? left : [];
}

function isCurrent({ choice }: ModelItem, current: string): boolean {
  return choice?.kind === 'model' ? choice.name === current : choice?.kind === 'same' && current === '';
}

function editorItems(editors: ModelLists['editors']): ModelItem[] {
  if (editors.length === 0) return [];
  const items = editors.map(({ id, name, vendor }) => {
    const detail =
      vendor === 'copilot'
        ? vscode.l10n.t(
            'A model of GitHub Copilot; each call is a premium request, unless your plan includes the model.',
          )
        : vscode.l10n.t('A model of the editor; each call counts against your plan.');
    const full = `${EDITOR_PROVIDER}/${id}`;
    return model(name, full, { description: `${vendor} · ${full}`, detail });
  });
  return [separator(vscode.l10n.t('The editor')), ...items];
}

/** Returns the models of a provider that answers. */
export function readyItems(found: ProviderModels, { priceOf }: Pick<ModelLists, 'priceOf'>): ModelItem[] {
  if (found.state !== 'ready' || found.models.length === 0) return [];
  const items = found.models.map(({ name, label, contextTokens }) => {
    const price = priceOf(name);
    const parts = [
      name,
      ...(contextTokens === undefined ? [] : [figures.tokens(contextTokens)]),
      ...(price ? [figures.price(price)] : []),
    ];
    return model(oneLine(label, LONGEST), name, { description: oneLine(parts.join(' · '), LONGEST) });
  });
  return [separator(`${found.provider} · ${oneLine(found.host, 100)}`), ...items];
}

/** Lists what a provider lacks, and what to do about it. */
function missingItems(found: ProviderModels, { servers }: ModelLists): ModelItem[] {
  const { provider, host } = found;
  if (found.state === 'needs-key') {
    const description = found.refused
      ? vscode.l10n.t('does not accept the key')
      : vscode.l10n.t('needs a key; {0} is not set', found.variable);
    return [item(`$(key) ${provider}/…`, { kind: 'key', provider }, { description })];
  }
  if (provider === 'ollama' && servers[provider] === undefined && found.state === 'unreachable') {
    const label = `$(vm) ${vscode.l10n.t('Ollama: models on this machine')}`;
    const description = vscode.l10n.t('is not running at {0}', host);
    return [item(label, { kind: 'again' }, { description, detail: ollamaHelp() })];
  }
  if (found.state === 'unreachable') {
    const label = `$(warning) ${vscode.l10n.t('{0} cannot be reached', provider)}`;
    return [item(label, { kind: 'again' }, { description: oneLine(messageText(found.why), LONGEST) })];
  }
  if (found.models.length > 0) return [];
  const label = `$(warning) ${vscode.l10n.t('{0} has no models yet', provider)}`;
  return [item(label, { kind: 'again' }, provider === 'ollama' ? { detail: ollamaHelp() } : { description: host })];
}

function ollamaHelp(): string {
  return vscode.l10n.t(
    'Free. Install it from ollama.com, get a model with "ollama pull qwen3", then choose this again.',
  );
}

function serverHelp(): string {
  return vscode.l10n.t('Any server with the API of OpenAI: vLLM, LM Studio, llama.cpp, a gateway.');
}

function editorsItem(): ModelItem {
  const detail = vscode.l10n.t(
    'Sign in with GitHub; there is a free plan. Its models are then the editor’s own, and come first here.',
  );
  return item(`$(github) ${vscode.l10n.t('GitHub Copilot models…')}`, { kind: 'editors' }, { detail });
}

function judgeItem(): ModelItem {
  const detail = vscode.l10n.t('A model that picks the next topic and scores thoughts, such as a cheaper one.');
  return item(`$(law) ${vscode.l10n.t('Choose a judge…')}`, { kind: 'judge' }, { detail });
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
