import * as vscode from 'vscode';
import { oneLine } from '../../core/text/text.ts';
import type { ProviderModels } from '../../models/list-models.ts';
import { loadSearches } from '../load-searches.ts';
import { EDITOR_PROVIDER, isOwnServer, settingsFor } from '../settings.ts';
import { type Answered, BACK, type StepPlace } from '../start/walk-steps.ts';
import type { ApiKeys } from './api-keys.ts';
import type { KeyPrompts } from './key-prompts.ts';
import { type ModelChoice, type ModelItem, type ModelLists, modelItems } from './model-items.ts';
import type { ModelTester, ServerPrompts } from './server-prompts.ts';

interface Choosing {
  readonly title: string;
  readonly placeholder: string;
  /** The setting that stores it. */
  readonly setting: 'model' | 'judgeModel';
  readonly quotes: boolean;
  /** True if it may be the same model as for the rest. */
  readonly same: boolean;
  /** True if one for picks and scores can be chosen instead. */
  readonly judge?: boolean;
  /** Its place among other questions. */
  readonly place?: Omit<StepPlace, 'title'>;
  /** The one that is used now, if not the stored one. */
  readonly current?: string;
}

interface ChooserParts {
  readonly keys: ApiKeys;
  readonly prompts: KeyPrompts;
  readonly servers: ServerPrompts;
  readonly tester: ModelTester;
}

/** *Select Model*: what can be used now first, then how to get more. */
export class ModelChooser {
  readonly #parts: ChooserParts;

  constructor(parts: ChooserParts) {
    this.#parts = parts;
  }

  /**
   * Asks for the model of new searches and stores it in the settings; undefined if the person picks none.
   * @param needsProse whether it has to write text of its own, so that quotes are neither offered nor overwritten
   */
  async choose(scope?: vscode.Uri, needsProse = false): Promise<string | undefined> {
    const name = await this.chooseAt(undefined, scope, needsProse, true);
    return name === BACK ? undefined : name;
  }

  /**
   * Lists the models that can be used now, without asking a person for anything: those of the editor, of providers with
   * a key, and of servers that answer.
   */
  async atHand(scope: vscode.Uri | undefined): Promise<readonly string[]> {
    const { servers } = settingsFor(scope);
    const [editors, providers] = await Promise.all([
      editorModels(),
      this.#askProviders(servers, new AbortController().signal),
    ]);
    const ready = providers.flatMap((each) => (each.state === 'ready' ? each.models : []));
    return [...editors.map(({ id }) => `${EDITOR_PROVIDER}/${id}`), ...ready.map(({ name }) => name)];
  }

  /**
   * Has a model chosen as one of several questions.
   * @param isKept whether new searches use it from now on
   */
  async chooseAt(
    place: Choosing['place'],
    scope: vscode.Uri | undefined,
    needsProse = false,
    isKept = false,
  ): Promise<Answered<string>> {
    const title = vscode.l10n.t('Select Model');
    const placeholder = vscode.l10n.t('Which model should answer?');
    const choosing = { title, placeholder, setting: 'model', quotes: !needsProse, same: false } as const;
    const name = await this.#ask({ ...choosing, ...(place ? { place } : { judge: !needsProse }) }, scope);
    const isOther = needsProse && settingsFor(scope).model !== '';
    if (typeof name === 'string' && name !== '' && isKept && !isOther) {
      await remember('model', name);
      vscode.window.setStatusBarMessage(vscode.l10n.t('New searches use {0}.', oneLine(name, 200)), 8000);
    }
    return name;
  }

  /**
   * Asks for the model of one search, which is stored nowhere; undefined if the person picks none.
   * @param current the one that it has now
   * @param placeholder what happens with the chosen one
   */
  async chooseFor(
    { title, placeholder, current }: { title: string; placeholder: string; current: string },
    scope: vscode.Uri | undefined,
    needsProse: boolean,
  ): Promise<string | undefined> {
    const choosing = { title, placeholder, setting: 'model', quotes: !needsProse, same: false, current } as const;
    const name = await this.#ask(choosing, scope);
    return name === BACK ? undefined : name;
  }

  /** *Choose Judge for Picks and Scores* */
  async chooseJudge(): Promise<void> {
    const name = await this.chooseJudgeAt(undefined, undefined);
    if (typeof name === 'string') await remember('judgeModel', name);
  }

  /** Has the judge of one search chosen, which is stored nowhere; empty for the same model. */
  async chooseJudgeAt(place: Choosing['place'], scope: vscode.Uri | undefined): Promise<Answered<string>> {
    const title = vscode.l10n.t('Choose Judge for Picks and Scores');
    const placeholder = vscode.l10n.t('Which model should pick the next topic and score thoughts?');
    const choosing = {
      title,
      placeholder,
      setting: 'judgeModel',
      quotes: false,
      same: true,
      ...(place && { place }),
    } as const;
    return await this.#ask(choosing, scope);
  }

  /** Makes one real call; what came of it, in words. Never rejects. */
  async test(name: string, scope: vscode.Uri | undefined, signal: AbortSignal): Promise<string> {
    return await this.#parts.tester.test(name, scope, signal);
  }

  /** Asks until a model is named; the empty name means the same one as for the rest. */
  async #ask(choosing: Choosing, scope: vscode.Uri | undefined): Promise<Answered<string>> {
    const { prompts, servers } = this.#parts;
    for (;;) {
      const choice = await this.#pick(choosing, scope);
      if (choice === BACK || !choice) return choice;
      if (choice.kind === 'model') return choice.name;
      if (choice.kind === 'same') return '';
      if (choice.kind === 'judge') return void (await this.chooseJudge());
      if (choice.kind === 'key') await prompts.setKey(await addressOf(choice.provider, scope));
      if (choice.kind === 'editors') await getEditorModels();
      const name =
        choice.kind === 'server' ? await servers.ask() : choice.kind === 'typed' ? await askForName() : undefined;
      if (name !== undefined) return name;
    }
  }

  /** Shows what is known at once, and the rest once it is known. */
  async #pick(choosing: Choosing, scope: vscode.Uri | undefined): Promise<Answered<ModelChoice>> {
    const pick = vscode.window.createQuickPick<ModelItem>();
    const stop = new AbortController();
    const { title, placeholder, place } = choosing;
    Object.assign(pick, { title, placeholder, ignoreFocusOut: true, matchOnDescription: true, ...place });
    pick.buttons = place ? [vscode.QuickInputButtons.Back] : [];
    const picked = Promise.withResolvers<Answered<ModelChoice>>();
    pick.onDidTriggerButton(() => picked.resolve(BACK));
    pick.onDidAccept(() => {
      const choice = pick.selectedItems[0]?.choice;
      if (choice) picked.resolve(choice);
    });
    pick.onDidHide(() => picked.resolve(undefined));
    pick.onDidTriggerItemButton(({ item }) => void this.#testItem(pick, item, scope, stop.signal));
    pick.busy = true;
    pick.show();
    try {
      this.#fill(pick, choosing, scope, stop.signal).catch((error: unknown) => picked.reject(error));
      return await picked.promise;
    } finally {
      stop.abort();
      pick.dispose();
    }
  }

  async #fill(
    pick: vscode.QuickPick<ModelItem>,
    { setting, quotes, same, current, judge = false }: Choosing,
    scope: vscode.Uri | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    const settings = settingsFor(scope);
    const editors = await editorModels();
    const lists: ModelLists = {
      current: current ?? settings[setting],
      editors,
      providers: undefined,
      priceOf: () => undefined,
      servers: settings.servers,
      quotes,
      same,
      judge,
    };
    pick.items = modelItems(lists);
    const searches = await loadSearches();
    const priceOf = (name: string) => settings.prices[name] ?? searches.priceOf(name);
    const providers = await this.#askProviders(settings.servers, signal);
    if (signal.aborted) return;
    const active = pick.activeItems[0]?.choice;
    pick.items = modelItems({ ...lists, providers, priceOf });
    // A separator, which has no choice, would be the row of the focus, and Enter would do nothing.
    const isActive = ({ choice }: ModelItem): boolean =>
      choice !== undefined && (active === undefined || JSON.stringify(choice) === JSON.stringify(active));
    pick.activeItems = pick.items.filter(isActive).slice(0, 1);
    pick.busy = false;
  }

  async #askProviders(servers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<ProviderModels[]> {
    const searches = await loadSearches();
    const own = Object.keys(servers).filter((name) => isOwnServer(name, servers, searches));
    const known = await Promise.all(
      [...searches.providers.keys(), ...own].map(async (name) => {
        const apiKey = await this.#parts.keys.keyAt(servers[name] ?? searches.providers.get(name)?.defaultBaseUrl);
        return [name, { baseUrl: servers[name], apiKey }] as const;
      }),
    );
    return searches.listModels({ servers: Object.fromEntries(known), environment: process.env, signal });
  }

  /** Makes one real call and shows the result below the entry. */
  async #testItem(
    pick: vscode.QuickPick<ModelItem>,
    { choice }: ModelItem,
    scope: vscode.Uri | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    if (choice?.kind !== 'model') return;
    const say = (detail: string): void => {
      if (signal.aborted) return;
      const isTested = (item: ModelItem): boolean => item.choice?.kind === 'model' && item.choice.name === choice.name;
      pick.items = pick.items.map((item) => (isTested(item) ? { ...item, detail } : item));
      pick.activeItems = pick.items.filter(isTested).slice(0, 1);
    };
    say(vscode.l10n.t('Being asked…'));
    say(oneLine(await this.test(choice.name, scope, signal), 500));
  }
}

async function editorModels(): Promise<readonly vscode.LanguageModelChat[]> {
  return vscode.lm.selectChatModels().then(
    (models) => models,
    () => [],
  );
}

async function addressOf(provider: string, scope: vscode.Uri | undefined): Promise<string | undefined> {
  const searches = await loadSearches();
  return settingsFor(scope).servers[provider] ?? searches.providers.get(provider)?.defaultBaseUrl;
}

async function askForName(): Promise<string | undefined> {
  const name = await vscode.window.showInputBox({
    title: vscode.l10n.t('Name of the model'),
    placeHolder: 'provider/model',
    ignoreFocusOut: true,
    validateInput: (text) =>
      /^[^/\s]+\/\S/.test(text.trim()) ? undefined : vscode.l10n.t('A name has two parts, as in ollama/qwen3.'),
  });
  return name?.trim() || undefined;
}

async function remember(setting: Choosing['setting'], name: string): Promise<void> {
  const value = name === '' ? undefined : name;
  const config = vscode.workspace.getConfiguration('thoughtTree');
  const { Global, Workspace } = vscode.ConfigurationTarget;
  // If the workspace has this setting, the person's own would have no effect.
  const isOfWorkspace = config.inspect(setting)?.workspaceValue !== undefined;
  await config.update(setting, value, isOfWorkspace ? Workspace : Global);
}

/** The editor's own commands that lead to models of its own, the most direct one first: which exist depends on its version. */
const WAYS: readonly (readonly [command: string, ...args: unknown[]])[] = [
  ['workbench.action.chat.triggerSetup'],
  ['workbench.action.chat.manage'],
  ['workbench.extensions.search', 'GitHub.copilot-chat'],
];

/** Shows how the editor gets models of its own. */
async function getEditorModels(): Promise<void> {
  const known = new Set(await vscode.commands.getCommands(true));
  const way = WAYS.find(([command]) => known.has(command));
  if (way) await vscode.commands.executeCommand(...way);
}
