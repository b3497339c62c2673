// As much of the editor's API as the extension's own parts need, in plain Node: values are kept, and nothing is drawn.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { tabGroups } from './fake-editors.ts';
import { EventEmitter } from './fake-events.ts';
import { FakeInputBox, FakeQuickPick, QuickInputButtons } from './fake-quick-input.ts';

// biome-ignore lint/performance/noBarrelFile: tests load it in place of the one module vscode
// biome-ignore lint/performance/noReExportAll: its fake agents have a file of their own
export * from './fake-agents.ts';
// biome-ignore lint/performance/noReExportAll: so do fake editors
export * from './fake-editors.ts';
// biome-ignore lint/performance/noReExportAll: and fake events
export * from './fake-events.ts';

/** What was shown, called and set, and what questions are answered with; `reset` empties it. */
export const fake = {
  contexts: [] as [string, unknown][],
  settings: {} as Record<string, unknown>,
  /** Those of the workspace, which may have come with it. */
  workspaceSettings: {} as Record<string, unknown>,
  updates: [] as [string, unknown][],
  extensions: {} as Record<string, unknown>,
  models: [] as FakeChat[],
  picks: [] as { label: string; name?: string }[][],
  /** The buttons of messages. */
  buttons: [] as string[][],
  /** How lists were shown. */
  asked: [] as unknown[],
  messages: [] as string[],
  /** What the last message said below it. */
  detail: undefined as string | undefined,
  /** What is listed as problems, by file. */
  problems: new Map<string, readonly unknown[]>(),
  /** What is in the clipboard. */
  clipboard: '',
  /** Commands that were called, with what they were given. */
  executed: [] as [string, ...unknown[]][],
  quickPick: undefined as FakeQuickPick | undefined,
  inputs: [] as FakeInputBox[],
  statusBar: undefined as FakeStatusBarItem | undefined,
  treeView: undefined as FakeTreeView | undefined,
  /** What was said in notifications of progress, and how the last of them is cancelled. */
  reports: [] as string[],
  cancel: (): void => undefined,
  answer: (_question: unknown): unknown => undefined,
  reset(): void {
    Object.assign(fake, {
      contexts: [],
      settings: {},
      workspaceSettings: {},
      updates: [],
      extensions: {},
      models: [],
      picks: [],
      buttons: [],
      asked: [],
      inputs: [],
      messages: [],
      reports: [],
      executed: [],
      problems: new Map(),
    });
    fake.detail = undefined;
    fake.clipboard = '';
    fake.quickPick = undefined;
    fake.statusBar = undefined;
    fake.treeView = undefined;
    fake.answer = () => undefined;
    l10n.bundle = undefined;
    env.language = 'en';
    workspace.isTrusted = true;
    window.activeTextEditor = undefined;
    tabGroups.show();
  },
};

export class ThemeColor {
  readonly id: string;
  constructor(id: string) {
    this.id = id;
  }
}
export class ThemeIcon {
  readonly id: string;
  readonly color: ThemeColor | undefined;
  constructor(id: string, color?: ThemeColor) {
    this.id = id;
    this.color = color;
  }
}
export class FileDecoration {
  readonly badge: string | undefined;
  readonly tooltip: string | undefined;
  readonly color: ThemeColor | undefined;
  constructor(badge?: string, tooltip?: string, color?: ThemeColor) {
    this.badge = badge;
    this.tooltip = tooltip;
    this.color = color;
  }
}
export class TreeItem {
  [field: string]: unknown;
  constructor(label: string, collapsibleState = 0) {
    this['label'] = label;
    this['collapsibleState'] = collapsibleState;
  }
}
export const TreeItemCollapsibleState = { None: 0, Collapsed: 1, Expanded: 2 };
export { QuickInputButtons };
export const FileType = { File: 1, Directory: 2 };
export const QuickPickItemKind = { Separator: -1, Default: 0 };
export const ProgressLocation = { SourceControl: 1, Window: 10, Notification: 15 };
export const StatusBarAlignment = { Left: 1, Right: 2 };
export const ConfigurationTarget = { Global: 1, Workspace: 2, WorkspaceFolder: 3 };

/** Escapes what the editor's own class escapes. */
export class MarkdownString {
  value: string;
  isTrusted: boolean | { enabledCommands: readonly string[] } | undefined;
  supportHtml: boolean | undefined;
  readonly supportThemeIcons: boolean;
  constructor(value = '', supportThemeIcons = false) {
    this.value = value;
    this.supportThemeIcons = supportThemeIcons;
  }
  appendText(text: string): this {
    const icons = this.supportThemeIcons ? text.replace(/\$\((~?[\w-]+)\)/g, '\\$($1)') : text;
    this.value += icons.replace(/[\\`*_{}[\]()#+\-!~]/g, '\\$&').replaceAll('\n', '\n\n');
    return this;
  }
  appendMarkdown(text: string): this {
    this.value += text;
    return this;
  }
}

/** A path with a scheme, as far as the extension asks. */
export const Uri = {
  file: (fsPath: string) => ({
    scheme: 'file',
    fsPath,
    path: pathToFileURL(fsPath).pathname,
    toString: () => pathToFileURL(fsPath).href,
  }),
  from: (parts: { scheme: string; path: string; query?: string }) => ({ fsPath: parts.path, query: '', ...parts }),
  joinPath: (base: { fsPath: string }, ...more: string[]) => Uri.file(join(base.fsPath, ...more)),
};

interface FakeStatusBarItem {
  text: string;
  tooltip: string;
  command: { readonly arguments?: readonly unknown[] } | undefined;
  backgroundColor: ThemeColor | undefined;
  isShown: boolean;
}
interface FakeTreeView {
  visible: boolean;
  badge: { value: number; tooltip: string } | undefined;
  selection: unknown[];
  readonly turn: (visible: boolean) => void;
}

export const version = '1.139.0';
const nothing = { dispose: () => undefined };
export const l10n = {
  /** What the editor's language says; nothing where that is English. */
  bundle: undefined as Readonly<Record<string, string>> | undefined,
  t: (text: string, ...values: unknown[]): string =>
    (l10n.bundle?.[text] ?? text).replace(/\{(\d)\}/g, (_, i) => String(values[Number(i)])),
};
export const env = {
  openExternal: async (uri: unknown) => void fake.executed.push(['external', uri]),
  language: 'en',
  uriScheme: 'vscode',
  clipboard: { writeText: async (text: string) => void Object.assign(fake, { clipboard: text }) },
};
export const languages = {
  registerCodeLensProvider: () => nothing,
  registerHoverProvider: () => nothing,
  registerCodeActionsProvider: () => nothing,
  createDiagnosticCollection: () => ({
    set: ({ fsPath }: { fsPath: string }, found: readonly unknown[]) => void fake.problems.set(fsPath, found),
    delete: ({ fsPath }: { fsPath: string }) => void fake.problems.delete(fsPath),
    ...nothing,
  }),
};
export const commands = {
  executeCommand: async (id: string, ...args: unknown[]): Promise<void> => {
    if (id === 'setContext') fake.contexts.push([String(args[0]), args[1]]);
    else fake.executed.push([id, ...args]);
  },
};
const show = async (message: string, options?: { detail?: string } | string, ...others: string[]): Promise<unknown> => {
  fake.messages.push(message);
  fake.buttons.push([...(typeof options === 'string' ? [options] : []), ...others]);
  fake.detail = typeof options === 'object' ? options.detail : undefined;
  return fake.answer(message);
};
const activeEditors = new EventEmitter<unknown>();
const changedTexts = new EventEmitter<unknown>();
export const window = {
  activeTextEditor: undefined as unknown,
  tabGroups,
  createStatusBarItem: () => {
    const item = { text: '', tooltip: '', command: undefined, backgroundColor: undefined, isShown: false };
    const shown = (isShown: boolean) => () => void Object.assign(item, { isShown });
    fake.statusBar = item;
    return Object.assign(item, { show: shown(true), hide: shown(false), ...nothing });
  },
  createTreeView: () => {
    const visibility = new EventEmitter<{ visible: boolean }>();
    const view = {
      visible: true,
      badge: undefined,
      selection: [],
      reveal: async () => undefined,
      onDidChangeVisibility: visibility.event,
      onDidChangeSelection: new EventEmitter<unknown>().event,
      turn: (visible: boolean) => {
        view.visible = visible;
        visibility.fire({ visible });
      },
      ...nothing,
    };
    fake.treeView = view;
    return view;
  },
  visibleTextEditors: [] as unknown[],
  onDidChangeActiveTextEditor: Object.assign(activeEditors.event, {
    fire: (editor: unknown) => activeEditors.fire(editor),
  }),
  onDidChangeWindowState: new EventEmitter<{ focused: boolean }>().event,
  registerFileDecorationProvider: () => nothing,
  showQuickPick: async (items: { label: string; name?: string }[], how?: unknown): Promise<unknown> => {
    fake.asked.push(how);
    fake.picks.push(await items);
    return fake.answer(await items);
  },
  showOpenDialog: async (options: unknown): Promise<unknown> => fake.answer(options),
  activeColorTheme: { kind: 2 },
  showSaveDialog: async (options: unknown): Promise<unknown> => fake.answer(options),
  createQuickPick: () => new FakeQuickPick(fake),
  createInputBox: () => new FakeInputBox(fake),
  showTextDocument: async (document: unknown, { viewColumn }: { viewColumn?: unknown } = {}) => {
    fake.executed.push(['show', document]);
    Object.assign(fake, { shownIn: viewColumn });
  },
  withProgress: async (_how: unknown, work: (progress: unknown, token: unknown) => Promise<unknown>) => {
    const source = new CancellationTokenSource();
    fake.cancel = () => source.cancel();
    const report = ({ message }: { message: string }): void => void fake.reports.push(message);
    return await work({ report }, source.token);
  },
  setStatusBarMessage: (message: string) => {
    fake.messages.push(message);
    return nothing;
  },
  showInputBox: async (options: unknown): Promise<unknown> => fake.answer(options),
  showInformationMessage: show,
  showWarningMessage: show,
  showErrorMessage: show,
};
/** What happens to documents of the editor, told by tests. */
export const documents = {
  opened: new EventEmitter<unknown>(),
  closed: new EventEmitter<unknown>(),
  saved: new EventEmitter<unknown>(),
};
export const workspace = {
  isTrusted: true,
  workspaceFolders: [] as unknown[],
  textDocuments: [] as unknown[],
  onDidChangeTextDocument: Object.assign(changedTexts.event.bind(undefined), {
    fire: (change: unknown) => changedTexts.fire(change),
  }),
  getWorkspaceFolder: ({ fsPath }: { fsPath: string }) =>
    (workspace.workspaceFolders as { uri: { fsPath: string } }[]).find(
      ({ uri }) => fsPath === uri.fsPath || fsPath.startsWith(`${uri.fsPath}/`),
    ),
  registerTextDocumentContentProvider: () => nothing,
  onDidOpenTextDocument: documents.opened.event,
  onDidCloseTextDocument: documents.closed.event,
  onDidSaveTextDocument: documents.saved.event,
  onDidGrantWorkspaceTrust: new EventEmitter<undefined>().event,
  onDidChangeWorkspaceFolders: new EventEmitter<undefined>().event,
  onDidChangeConfiguration: new EventEmitter<undefined>().event,
  openTextDocument: async ({ content }: { content: string }) => content,
  fs: {
    readFile: async ({ fsPath }: { fsPath: string }) =>
      await readFile(fsPath).catch((error: NodeJS.ErrnoException) => {
        throw Object.assign(error, error.code === 'ENOENT' ? { code: 'FileNotFound' } : {});
      }),
    writeFile: async ({ fsPath }: { fsPath: string }, data: Uint8Array) => await writeFile(fsPath, data),
  },
  getConfiguration: (section: string) => ({
    get: (key: string, otherwise?: unknown) =>
      fake.workspaceSettings[`${section}.${key}`] ?? fake.settings[`${section}.${key}`] ?? otherwise,
    inspect: (key: string) => ({
      globalValue: fake.settings[`${section}.${key}`],
      workspaceValue: fake.workspaceSettings[`${section}.${key}`],
    }),
    update: async (key: string, value: unknown) => void fake.updates.push([`${section}.${key}`, value]),
  }),
};

/** Other extensions, by their ids. */
export const extensions = { getExtension: (id: string): unknown => fake.extensions[id] };

/** A model of the editor's own, told what to do. */
export interface FakeChat {
  readonly id: string;
  readonly name: string;
  readonly vendor: string;
  readonly sendRequest: (
    messages: unknown[],
    options: unknown,
    token: unknown,
  ) => Promise<{ stream: AsyncIterable<unknown> }>;
  readonly countTokens: (text: unknown) => Promise<number>;
}
export const lm = {
  registerMcpServerDefinitionProvider: () => nothing,
  invokeTool: async (_name: string, _how: { input: object }): Promise<unknown> => undefined,
  selectChatModels: async ({ id }: { id?: string } = {}): Promise<FakeChat[]> =>
    fake.models.filter((model) => id === undefined || model.id === id),
};
export class CancellationTokenSource {
  readonly #emitter = new EventEmitter<undefined>();
  readonly token = { isCancellationRequested: false, onCancellationRequested: this.#emitter.event };
  cancel(): void {
    this.token.isCancellationRequested = true;
    this.#emitter.fire(undefined);
  }
  dispose(): void {
    this.#emitter.dispose();
  }
}

/** A range or a selection, as far as the extension asks. */
export class Range {
  readonly start: unknown;
  readonly end: unknown;
  constructor(...at: unknown[]) {
    const [a, b, c, d] = at;
    this.start = at.length === 4 ? { line: a, character: b } : a;
    this.end = at.length === 4 ? { line: c, character: d } : b;
  }
}
export class Selection extends Range {}
