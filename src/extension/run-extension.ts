import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Kinds } from '../engine/kind.ts';
import type { Acting, Chooser } from './acting/acting.ts';
import { leftBehind } from './acting/left-running.ts';
import type { ActionCommands } from './actions/action-commands.ts';
import { AvailableActions } from './actions/available-actions.ts';
import { launcherFolder } from './agents/mcp-launcher.ts';
import { McpServers } from './agents/mcp-servers.ts';
import { chatLoader, registerChat } from './chat/register-chat.ts';
import type { CommandArguments, CommandId, NodeTarget } from './commands/command-table.ts';
import type { SELECTION } from './commands/contributed-commands.ts';
import { contributedCommands, rowCommands } from './commands/contributed-commands.ts';
import { Targets } from './commands/targets.ts';
import { DocumentHeads } from './documents/document-heads.ts';
import { makeOpenFromRow, openDocument } from './documents/open-document.ts';
import { isToBegin } from './documents/plan-lenses.ts';
import type { RunEnd } from './library/run-request.ts';
import { SearchLibrary } from './library/search-library.ts';
import { loadSearches } from './load-searches.ts';
import { messageText } from './message-text.ts';
import { ApiKeys } from './models/api-keys.ts';
import type { KeyPrompts } from './models/key-prompts.ts';
import type { ModelChooser } from './models/model-chooser.ts';
import { GraphPanels } from './panel/graph-panels.ts';
import { ComparisonDocuments } from './sharing/comparison-documents.ts';
import { ListOrder } from './sidebar/arrange-searches.ts';
import { ContextKeys } from './sidebar/context-keys.ts';
import { SearchesView } from './sidebar/searches-view.ts';
import type { MoreElement } from './sidebar/tree-element.ts';
import type { StartCommand } from './start/start-command.ts';
import type { StartRequest } from './start/start-request.ts';
import { tellError } from './tell-error.ts';
import { WORK_SCHEME } from './work/changes-view.ts';

/** The interface of this extension for others, and for the tests. */
export interface ThoughtTreeApi {
  /**
   * Begins a search without asking anything, except for what the person's own limits require (`askAbove`, the command of
   * a task); resolves with its folder once it runs.
   * @throws ThoughtTreeError, whose `reason` says what kind of failure it was
   */
  readonly start: (request: StartRequest) => Promise<string>;
  /** The searches of the workspace: folder, title, state. */
  readonly searches: () => readonly { folder: string; title: string; state: string }[];
  /** Tells whether this window runs the search in a folder. */
  readonly isRunning: (folder: string) => boolean;
  /** The plugin by which the editor's Markdown preview shows documents of searches; called by the editor. */
  readonly extendMarkdownIt: DocumentHeads['extendMarkdownIt'];
}

type Commands = { readonly [Id in CommandId]: (...args: CommandArguments[Id]) => Promise<void> };

let stopAll: () => Promise<void> = async () => undefined;

/**
 * Assembles the extension. Nothing runs before a person asks for it.
 * @param kinds the available kinds of searches
 */
export function runExtension(context: vscode.ExtensionContext, kinds: Kinds): ThoughtTreeApi {
  const log = vscode.window.createOutputChannel('Thought Tree', { log: true });
  const { workspaceState: memory, secrets } = context;
  const keys = new ApiKeys(secrets);
  const library = new SearchLibrary(kinds);
  const available = new AvailableActions(kinds);
  const order = new ListOrder(memory);
  const view = new SearchesView(library, available, {
    receiptOf: async ({ search, path }) => (await loadSearches()).receiptLine(search, kinds, path, messageText),
    order,
  });
  const targets = new Targets(library, view, kinds, available);
  let loaded: Acting | undefined;
  let loading: Promise<Acting> | undefined;
  const acting = (): Promise<Acting> => {
    loading ??= import('./acting/acting.ts').then(({ Acting }) => {
      const paint = (folder: string, svg: string): Promise<Uint8Array> => graphs.paint(folder, svg);
      const draw = (folder: string): Promise<void> => graphs.open({ folder }, 'beside');
      const isDrawn = (folder: string): boolean => graphs.isInView(folder);
      const bin = join(context.globalStorageUri.fsPath, 'bin');
      const own = { view, targets, chooser, memory, bin, paint, isDrawn, draw };
      loaded = new Acting({ kinds, log, keys, secrets, library, available, ...own });
      const help = async ({ place, outcome }: RunEnd): Promise<void> =>
        outcome && (await loadWorkspaceHelp()).afterSearch(place, context);
      context.subscriptions.push(
        loaded,
        loaded.runner.onDidEnd((end) => void help(end).catch((error: unknown) => log.error(String(error)))),
      );
      return loaded;
    });
    return loading;
  };
  const models = chooserLoader(keys, acting);
  const actions: Pick<ActionCommands, 'act' | 'run' | 'learnNeed'> = {
    // Without a limit that is reached there is nothing to learn, nor to load.
    learnNeed: async (search) => {
      if (search.record.limitReached) await (await acting()).actions.learnNeed(search);
    },
    act: async (...on) => (await acting()).actions.act(...on),
    run: async (...on) => (await acting()).actions.run(...on),
  };
  const reveal = (folder: string, path: string): Promise<void> => view.reveal(folder, path);
  const { extensionUri: extension } = context;
  const heads = new DocumentHeads(kinds, library);
  const sidebar = {
    view: view.view,
    follow: (folder: string, path: string): Promise<void> => view.reveal(folder, path, { focus: false }),
  };
  const graphs: GraphPanels = new GraphPanels(targets, {
    kinds,
    library,
    available,
    actions,
    reveal,
    sidebar,
    extension,
    log,
  });
  const chooser: Chooser = {
    atHand: async (...of) => (await models()).chooser.atHand(...of),
    choose: async (...of) => (await models()).chooser.choose(...of),
    chooseAt: async (...of) => (await models()).chooser.chooseAt(...of),
    chooseJudgeAt: async (...of) => (await models()).chooser.chooseJudgeAt(...of),
    chooseFor: async (...of) => (await models()).chooser.chooseFor(...of),
    test: async (...of) => (await models()).chooser.test(...of),
  };
  const chat = chatLoader(async () => {
    const { runner, opener } = await acting();
    return { kinds, library, runner, opener, chooser };
  });
  const views = {
    reveal: (folder: string) => view.reveal(folder, '', { expand: true }),
    draw: (folder: string) => graphs.open({ folder }, 'beside'),
  };
  let starting: Promise<StartCommand> | undefined;
  const start = (): Promise<StartCommand> => {
    starting ??= Promise.all([import('./start/start-command.ts'), acting()]).then(
      ([{ StartCommand }, { runner, opener }]) => {
        const { subscriptions } = context;
        const parts = { kinds, library, runner, chooser, opener, memory, views, subscriptions };
        return new StartCommand(parts);
      },
    );
    return starting;
  };
  context.subscriptions.push(
    log,
    library,
    order,
    view,
    targets,
    graphs,
    new ContextKeys(library, available),
    vscode.workspace.registerTextDocumentContentProvider(WORK_SCHEME, {
      provideTextDocumentContent: async (uri) => (await acting()).changes.provideTextDocumentContent(uri),
    }),
    new ComparisonDocuments(library, async (uri) => (await acting()).sharing.provideTextDocumentContent(uri)),
    new McpServers(context.extension, keys),
    ...registerChat(context, chat),
    vscode.commands.registerCommand('thoughtTree.showMore', (more: MoreElement) => view.showMore(more)),
    vscode.commands.registerCommand('thoughtTree.openPage', makeOpenFromRow()),
    vscode.commands.registerCommand('thoughtTree.readPage', (uri: vscode.Uri) => openDocument(uri, { as: 'rendered' })),
    vscode.window.registerUriHandler({ handleUri: (uri) => openLink(uri) }),
    heads,
  );
  const open = (target: NodeTarget): Promise<void> => graphs.open(target);
  const openLink = guarded(async (uri) => (await loadRows()).openLink({ library, open }, uri as vscode.Uri), log);
  const commands: Commands = {
    'thoughtTree.start': async (question) => (await start()).run(undefined, question),
    'thoughtTree.startWritten': async () => (await start()).runWritten(),
    'thoughtTree.askSelection': async () => (await start()).runAboutSelection(),
    'thoughtTree.askFile': async (file, all) => (await start()).runAboutFiles(file, all),
    'thoughtTree.openGraph': (target) => graphs.open(target),
    'thoughtTree.reveal': async (target) => (await acting()).nodes.reveal(target),
    'thoughtTree.findInFolder': async () =>
      (await import('./find/find-page.ts')).findInFolder(
        async () => ({ chooser, opener: (await acting()).opener }),
        memory,
      ),
    // The title of a view passes the selected row: all documents are meant all the same.
    'thoughtTree.findInDocuments': async () => (await loadWorkspaceHelp()).findInDocuments(),
    'thoughtTree.arrange': async () => (await loadMenus()).arrange(order, library.searches, available),
    'thoughtTree.findInSearch': async ({ folder }) => (await loadWorkspaceHelp()).findInSearch(library, folder),
    'thoughtTree.deleteSearch': async (target) => (await acting()).searches.delete(target),
    'thoughtTree.startPlanned': async (file) => {
      const found = file && (await targets.nodeOf(file));
      const search = found && library.search(found.folder);
      if (search && isToBegin(search)) await actions.run('resume', { folder: search.folder });
      else await (await start()).runPlan(file);
    },
    'thoughtTree.showInExplorer': async (row) => row && (await loadRows()).showInExplorer(row),
    'thoughtTree.copyLink': async (row) => row && (await loadRows()).copyLink(library, row),
    'thoughtTree.renameTitle': async (row) => row && (await loadRows()).renameTitle(library, row),
    'thoughtTree.editNote': async (row) => row && (await loadRows()).editNote(row),
    'thoughtTree.selectModel': async () => void (await chooser.choose()),
    'thoughtTree.setApiKey': async () => void (await (await models()).prompts.setKey()),
    'thoughtTree.removeApiKey': async () => {
      const { windowFleet } = await import('./fleet/window-fleet.ts');
      await (await models()).prompts.removeKey(() => windowFleet.removePassword(secrets));
    },
    'thoughtTree.showLog': async () => log.show(),
    'thoughtTree.copyDiagnostics': async () => {
      await vscode.env.clipboard.writeText((await loadWorkspaceHelp()).diagnostics(context, library));
      vscode.window.setStatusBarMessage(vscode.l10n.t('The diagnostics are in the clipboard.'), 5000);
    },
    'thoughtTree.showActions': async (target) => {
      await library.read;
      const { searches: all } = library;
      const named = target && all.filter(({ folder }) => folder === target.folder);
      await (await loadMenus()).showSearchMenu({ available, actions }, named, all);
    },
    'thoughtTree.copyMcpConfiguration': async () => (await loadAgents()).copyMcpConfiguration(context),
    'thoughtTree.more': async (row) => {
      const search = row && (await targets.search({ folder: row.folder }));
      if (search) await (await loadMenus()).showRare({ available, actions }, search, row.path);
    },
    'thoughtTree.explain': async (target) => {
      const found = await targets.node(target);
      if (found) await (await chat()).explain(found.search, found.path);
    },
    'thoughtTree.importSearch': async () => {
      const { searches, sharing } = await acting();
      await searches.bringBack(() => sharing.import());
    },
    'thoughtTree.showDifferences': async (uri) =>
      (await acting()).sharing.showDifferences(uri as vscode.Uri | undefined),
    'thoughtTree.acceptShown': async () => (await acting()).changes.acceptShown(),
    'thoughtTree.installSkill': async () => (await loadAgents()).installSkill(extension),
    'thoughtTree.pauseAny': () => actions.run('pause'),
    'thoughtTree.goOnAny': () =>
      actions.run(library.searches.some((each) => available.isOnSearch(each, 'resume')) ? 'resume' : 'raise'),
  };
  const own = new Set(Object.keys(commands));
  const others = contributedCommands(context.extension.packageJSON, own).map((each): [string, AnyCommand] => [
    each.id,
    'kind' in each
      ? async () => (await start()).run(each.kind)
      : (target) => actions.run(each.action, target as NodeTarget | typeof SELECTION | undefined),
  ]);
  const ofRows = rowCommands(context.extension.packageJSON);
  for (const [id, command] of [...Object.entries(commands), ...others]) {
    const run = ofRows.has(id) ? onItsRow(command as AnyCommand) : (command as AnyCommand);
    context.subscriptions.push(vscode.commands.registerCommand(id, guarded(run, log)));
  }
  stopAll = async () => loaded?.runner.stopAll();
  const failed = (error: unknown): void => log.error(String(error));
  const first = library.onDidChange(() => {
    if (library.searches.length === 0) return;
    first.dispose();
    const around = import('./around-searches.ts').then(({ aroundSearches }) =>
      context.subscriptions.push(
        ...aroundSearches.open({ library, available, secrets, log, isDrawn: (folder) => graphs.isInView(folder) }),
      ),
    );
    around.catch(failed);
  });
  context.subscriptions.push(first);
  void library.open().catch(failed);
  // Nobody is told what there is, but an editor that was never asked makes its models known to no chat: `@tree` had none.
  void vscode.lm.selectChatModels().then(undefined, failed);
  if (leftBehind(memory).length > 0)
    void acting()
      .then(({ leftRunning }) => leftRunning.offer())
      .catch((error: unknown) => tellError(error, log));
  void keepLauncher(context).catch(failed);
  return {
    start: async (request) => (await start()).begin(request),
    searches: () => library.searches.map(({ folder, title, state }) => ({ folder, title, state })),
    isRunning: (folder) => loaded?.runner.isRunning(folder) ?? false,
    extendMarkdownIt: heads.extendMarkdownIt,
  };
}

/** Stops what runs in this window. */
export function stopExtension(): Promise<void> {
  return stopAll();
}

/** Choosing models is loaded with the first choice. */
function chooserLoader(keys: ApiKeys, acting: () => Promise<Acting>) {
  let loading: Promise<{ chooser: ModelChooser; prompts: KeyPrompts }> | undefined;
  return (): Promise<{ chooser: ModelChooser; prompts: KeyPrompts }> => {
    loading ??= Promise.all([import('./models/choosing.ts'), acting()]).then(([{ choosing }, { opener }]) =>
      choosing.open(keys, opener),
    );
    return loading;
  };
}

async function loadMenus(): Promise<typeof import('./commands/menus.ts')['menus']> {
  return (await import('./commands/menus.ts')).menus;
}

async function loadRows(): Promise<typeof import('./commands/row-commands.ts')['rowCommands']> {
  return (await import('./commands/row-commands.ts')).rowCommands;
}

async function loadWorkspaceHelp(): Promise<typeof import('./workspace/workspace-help.ts')['workspaceHelp']> {
  return (await import('./workspace/workspace-help.ts')).workspaceHelp;
}

async function loadAgents(): Promise<typeof import('./agents/agents.ts')['agents']> {
  return (await import('./agents/agents.ts')).agents;
}

/** Other programs start our server through a launcher that has to know this version's folder. */
async function keepLauncher(context: vscode.ExtensionContext): Promise<void> {
  if (existsSync(launcherFolder(context))) await (await loadAgents()).keepLauncher(context);
}

type AnyCommand = (...args: unknown[]) => Promise<void>;

/**
 * A command of a row's menu. While rows are fetched anew, the editor has none for a menu that was opened before, and calls
 * its command with nothing in place of the row: another row, such as the selected one, is never meant then. The palette and
 * keys pass no arguments at all.
 */
function onItsRow(command: AnyCommand): AnyCommand {
  return async (...args) => {
    if (args.length === 0 || args[0]) return await command(...args);
    const text = vscode.l10n.t('The list was drawn anew under the menu, so nothing was done. Try again.');
    void vscode.window.showInformationMessage(text);
  };
}

/** Returns a command whose errors are shown to the person, and never reach the editor. */
function guarded(command: AnyCommand, log: vscode.LogOutputChannel): AnyCommand {
  return async (...args) => {
    try {
      await command(...args);
    } catch (error) {
      tellError(error, log);
    }
  };
}
