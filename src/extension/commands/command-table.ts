import { type ActionDescriptor, forPeople, maySpend } from '../../core/actions/action-descriptor.ts';
import { COMMON_ACTIONS } from '../actions/editor-actions.ts';
import type { CommandEntry, MenuPlace } from './contributed-commands.ts';

/** The argument of a command when called from a menu of the view; from the palette there is none. */
export interface CommandArguments {
  /** The question, from a button of the chat. */
  'thoughtTree.start': [string?];
  'thoughtTree.startWritten': [];
  'thoughtTree.askSelection': [];
  'thoughtTree.askFile': [FileTarget?, (readonly FileTarget[])?];
  'thoughtTree.reveal': [(NodeTarget | FileTarget)?];
  'thoughtTree.openGraph': [NodeTarget?];
  'thoughtTree.arrange': [];
  'thoughtTree.findInFolder': [];
  'thoughtTree.findInDocuments': [];
  'thoughtTree.findInSearch': [SearchTarget];
  'thoughtTree.deleteSearch': [SearchTarget?];
  'thoughtTree.startPlanned': [FileTarget?];
  'thoughtTree.showInExplorer': [NodeTarget?];
  'thoughtTree.copyLink': [(NodeTarget | FileTarget)?];
  'thoughtTree.renameTitle': [NodeTarget?];
  'thoughtTree.editNote': [SearchTarget?];
  'thoughtTree.selectModel': [];
  'thoughtTree.setApiKey': [];
  'thoughtTree.removeApiKey': [];
  'thoughtTree.showLog': [];
  'thoughtTree.copyDiagnostics': [];
  'thoughtTree.showActions': [SearchTarget?];
  'thoughtTree.more': [NodeTarget?];
  'thoughtTree.explain': [NodeTarget?];
  'thoughtTree.copyMcpConfiguration': [];
  'thoughtTree.installSkill': [];
  'thoughtTree.importSearch': [];
  'thoughtTree.showDifferences': [FileTarget?];
  'thoughtTree.acceptShown': [];
  'thoughtTree.pauseAny': [];
  'thoughtTree.goOnAny': [];
}

export type CommandId = keyof CommandArguments;

/** A search in the arguments of a command: its folder. */
export interface SearchTarget {
  readonly folder: string;
}

/** A node in the arguments of a command: its search's folder and its slug path, empty for the search as a whole. */
export interface NodeTarget extends SearchTarget {
  readonly path: string;
}

/** A file in the arguments of the editor's own menus: a `Uri`. */
export interface FileTarget {
  readonly fsPath: string;
}

const TRUSTED = 'isWorkspaceTrusted';
/** Without a search the palette has what begins one, and nothing else: a window in which there are any looks at them. */
const now = (key: string): string => `thoughtTree.${key}`;
const SEARCHES = now('any');
/** The editor in which a question is written. */
const OF_QUESTION = 'editorLangId == thoughtTreeQuestion';
/** Where something of the workspace can be asked about. */
const ASKABLE = `isWorkspaceTrusted && workspaceFolderCount > 0 && ${OF_QUESTION.replace('==', '!=')}`;
/** Returns the clause for a row of the sidebar that has a flag. */
export const has = (flag: string): string => `viewItem =~ /\\b${flag}\\b/`;
const item = (group: string, flag: string): MenuPlace => ({ menu: 'view/item/context', group, when: has(flag) });
const ANY_ROW = '(search|broken|node)';
/** A plan of a search that waits for its start. */
const WAITING_PLAN = 'resourcePath in thoughtTree.plans';
/** That, or a file that can be one: what is in it, no clause can tell. */
const PLAN = `${WAITING_PLAN} || resourceScheme == file && resourceExtname =~ /^\\.ya?ml$/i && ${ASKABLE}`;
/** A file that belongs to a node. */
const OF_NODE = 'thoughtTree.any && resourceFilename =~ /^(document\\.md|node\\.json|children\\.json)$/';
/** A page of a search that a person reads. */
const OF_PAGE = 'thoughtTree.any && resourceFilename =~ /^(document|report)\\.md$/';
/** A document that compares two searches. */
const COMPARISON = 'resourceScheme == thought-tree-comparison';
/** On its rows: its find box also counts as focus of the view. */
const inView = 'focusedView == thoughtTree.searches && listFocus && !inputFocus';

/**
 * The command for an action: the action decides whether it is offered, and what it needs.
 * @param groups its places in the menu of a row
 * @param flag the flag of rows that show it
 */
export function commandFor(
  descriptor: ActionDescriptor,
  groups: readonly string[],
  more: Partial<CommandEntry> = {},
  flag: string = descriptor.name,
): CommandEntry {
  const menus = [...(more.menus ?? []), ...groups.map((group) => item(group, flag))];
  const trust = maySpend(descriptor) ? { enablement: TRUSTED } : {};
  return { action: descriptor.name, palette: now(`can.${descriptor.name}`), ...trust, ...more, menus };
}

function command(
  name: keyof typeof COMMON_ACTIONS,
  groups: readonly string[],
  more?: Partial<CommandEntry>,
): CommandEntry {
  return commandFor(COMMON_ACTIONS[name], groups, more);
}

const inTitle = (group: string, when: string): MenuPlace => ({ menu: 'view/title', group, when });
const inTitleAlone = (icon: string, when: string): CommandEntry => ({
  icon,
  palette: 'false',
  menus: [inTitle('navigation@2', when)],
});

/** The commands that are no actions: their arguments above, their places in menus here. */
const OWN_COMMANDS: { readonly [Id in CommandId]: CommandEntry } = {
  'thoughtTree.start': {
    icon: 'add',
    palette: 'workspaceFolderCount > 0',
    enablement: TRUSTED,
    menus: [{ menu: 'view/title', group: 'navigation@1' }],
  },
  'thoughtTree.startWritten': {
    icon: 'play',
    palette: OF_QUESTION,
    enablement: TRUSTED,
    menus: [{ menu: 'editor/title', group: 'navigation@1', when: OF_QUESTION }],
    keybinding: { key: 'ctrl+enter', mac: 'cmd+enter', when: `editorTextFocus && ${OF_QUESTION}` },
  },
  'thoughtTree.askSelection': {
    palette: `editorHasSelection && ${ASKABLE}`,
    menus: [{ menu: 'editor/context', group: '1_thoughtTree@1', when: `editorHasSelection && ${ASKABLE}` }],
  },
  'thoughtTree.askFile': {
    palette: `!editorHasSelection && resourceScheme == file && ${ASKABLE}`,
    menus: [
      {
        menu: 'editor/context',
        group: '1_thoughtTree@1',
        when: `!editorHasSelection && resourceScheme == file && ${ASKABLE}`,
      },
      {
        menu: 'explorer/context',
        group: '4_search@90',
        when: `resourceScheme == file && ${ASKABLE}`,
      },
      { menu: 'editor/title/context', group: '2_files@80', when: `resourceScheme == file && ${ASKABLE}` },
    ],
  },
  'thoughtTree.openGraph': {
    icon: 'type-hierarchy',
    palette: SEARCHES,
    menus: [inTitle('navigation@3', 'thoughtTree.any'), item('inline@4', 'search'), item('4_open@3', '(search|node)')],
  },
  'thoughtTree.reveal': {
    palette: 'false',
    menus: [
      { menu: 'explorer/context', group: 'navigation@90', when: OF_NODE },
      { menu: 'editor/title/context', group: '2_files@90', when: OF_NODE },
    ],
  },
  'thoughtTree.findInFolder': {
    icon: 'search-fuzzy',
    palette: 'workspaceFolderCount > 0',
    menus: [
      inTitle('navigation@2', '!thoughtTree.any && workspaceFolderCount > 0'),
      inTitle('1_find@1', 'thoughtTree.any && workspaceFolderCount > 0'),
    ],
  },
  'thoughtTree.findInDocuments': {
    icon: 'search',
    palette: SEARCHES,
    menus: [inTitle('navigation@4', 'thoughtTree.any')],
  },
  'thoughtTree.arrange': {
    icon: 'filter-filled',
    palette: 'false',
    // In sight only while the list is limited: it leads back to all of them.
    menus: [
      inTitle('1_arrange@1', 'thoughtTree.any'),
      inTitle('navigation@5', 'thoughtTree.any && thoughtTree.isLimited'),
    ],
  },
  'thoughtTree.findInSearch': { palette: 'false', menus: [item('4_open@8', 'search')] },
  'thoughtTree.deleteSearch': { palette: 'false', menus: [item('9_danger@1', '(search|broken)')] },
  'thoughtTree.startPlanned': {
    icon: 'play',
    palette: 'false',
    enablement: TRUSTED,
    menus: [
      { menu: 'editor/title', group: 'navigation@1', when: WAITING_PLAN },
      { menu: 'explorer/context', group: '4_search@89', when: PLAN },
      { menu: 'editor/title/context', group: '2_files@79', when: PLAN },
    ],
  },
  'thoughtTree.showInExplorer': { palette: 'false', menus: [item('6_files@1', ANY_ROW)] },
  'thoughtTree.copyLink': {
    palette: 'false',
    menus: [
      item('6_files@3', '(search|node)'),
      { menu: 'editor/title', group: '1_thoughtTree@1', when: OF_PAGE },
      { menu: 'editor/title/context', group: '2_files@91', when: OF_PAGE },
    ],
  },
  'thoughtTree.renameTitle': { palette: 'false', menus: [item('6_files@4', '(search|node)')] },
  'thoughtTree.editNote': { palette: 'false', menus: [item('3_add@3', 'noted')] },
  'thoughtTree.selectModel': { icon: 'chip', menus: [{ menu: 'view/title', group: '2_model@1' }] },
  'thoughtTree.setApiKey': { menus: [{ menu: 'view/title', group: '2_model@3' }] },
  'thoughtTree.removeApiKey': { palette: SEARCHES, menus: [{ menu: 'view/title', group: '2_model@4' }] },
  'thoughtTree.showLog': { menus: [{ menu: 'view/title', group: '3_help@1' }] },
  'thoughtTree.copyDiagnostics': { palette: 'false', menus: [{ menu: 'view/title', group: '3_help@2' }] },
  'thoughtTree.showActions': { palette: SEARCHES },
  'thoughtTree.more': { palette: 'false', menus: [item('7_more@1', 'more')] },
  'thoughtTree.explain': { palette: SEARCHES, enablement: TRUSTED, menus: [item('4_open@6', 'node')] },
  'thoughtTree.copyMcpConfiguration': {
    palette: 'false',
    menus: [{ menu: 'view/title', group: '4_agents@1' }],
  },
  'thoughtTree.installSkill': { palette: 'false', menus: [{ menu: 'view/title', group: '4_agents@2' }] },
  'thoughtTree.importSearch': {
    palette: 'false',
    menus: [{ menu: 'view/title', group: '1_import@1', when: 'workspaceFolderCount > 0' }],
  },
  'thoughtTree.showDifferences': {
    icon: 'diff',
    palette: 'false',
    menus: [{ menu: 'editor/title', group: 'navigation@1', when: `${COMPARISON} && !isInDiffEditor` }],
  },
  'thoughtTree.acceptShown': {
    icon: 'check',
    palette: 'false',
    enablement: TRUSTED,
    menus: [{ menu: 'editor/title', group: 'navigation@1', when: 'thoughtTree.showsChanges' }],
  },
  // The title of a view passes the row that has the focus, but its buttons are about every search: they have commands of
  // their own, which find out which one is meant.
  'thoughtTree.pauseAny': inTitleAlone('debug-pause', 'thoughtTree.can.pause'),
  'thoughtTree.goOnAny': {
    ...inTitleAlone('debug-continue', '!thoughtTree.can.pause && (thoughtTree.can.resume || thoughtTree.can.raise)'),
    enablement: TRUSTED,
  },
};

/** The clause for the row of a search with a report that nothing leads on from. */
const RESTING_REPORT = 'viewItem =~ /^(?!.*\\b(pause|raise|resume)\\b).*\\bopenReport\\b/';

/** The clause for the row of a node that can come next, unless a person can do it, or does. */
const OPEN_FOR_MODELS = 'viewItem =~ /^(?!.*\\b(doByHand|doneByHand)\\b).*\\bexpand\\b/';

/**
 * In the menus of rows, and not in the palette, which would ask which row is meant, and has room for 25 commands; what is done to
 * a search is also in *Show Actions*.
 */
export const ROWS_ONLY: Partial<CommandEntry> = { palette: 'false' };

/** The keys of the view that call the editor's own commands: its list finds by Ctrl+F what other lists find by another key. */
export const EDITOR_KEYS = [{ key: 'ctrl+f', mac: 'cmd+f', command: 'list.find', when: inView }];

/** Actions whose commands have an icon, a key or a place of their own. */
const PLACED: Readonly<Record<string, CommandEntry>> = {
  'thoughtTree.pause': command('pause', ['inline@1', '1_run@1'], { icon: 'debug-pause' }),
  'thoughtTree.raise': command('raise', ['inline@1', '1_run@1'], { icon: 'debug-continue', ...ROWS_ONLY }),
  'thoughtTree.resumeWith': command('resumeWith', ['1_run@2'], ROWS_ONLY),
  'thoughtTree.resume': command('resume', ['inline@1', '1_run@1'], { icon: 'debug-continue' }),
  'thoughtTree.finish': command('finish', ['1_run@3'], ROWS_ONLY),
  'thoughtTree.report': command('report', ['1_run@4'], ROWS_ONLY),
  'thoughtTree.grow': command('grow', ['1_run@5']),
  'thoughtTree.expand': command('expand', ['2_steer@1'], {
    icon: 'run-above',
    menus: [{ menu: 'view/item/context', group: 'inline@1', when: OPEN_FOR_MODELS }],
    keybinding: { key: 'ctrl+enter', mac: 'cmd+enter', when: inView },
  }),
  'thoughtTree.prune': command('prune', ['inline@2', '2_steer@2'], {
    icon: 'circle-slash',
    keybinding: { key: 'delete', mac: 'cmd+backspace', when: inView },
  }),
  'thoughtTree.restore': command('restore', ['inline@2', '2_steer@3'], { icon: 'discard', ...ROWS_ONLY }),
  'thoughtTree.retry': command('retry', ['inline@1', '2_steer@4'], { icon: 'refresh', ...ROWS_ONLY }),
  'thoughtTree.redo': command('redo', ['2_steer@5'], ROWS_ONLY),
  'thoughtTree.undo': command('undo', ['1_run@9'], { keybinding: { key: 'ctrl+z', mac: 'cmd+z', when: inView } }),
  'thoughtTree.addChild': command('add', ['3_add@1']),
  'thoughtTree.note': command('note', ['3_add@2'], ROWS_ONLY),
  'thoughtTree.doByHand': command('doByHand', ['inline@1', '2_steer@6'], { icon: 'person', ...ROWS_ONLY }),
  'thoughtTree.doneByHand': command('doneByHand', ['inline@1', '2_steer@6'], { icon: 'check', ...ROWS_ONLY }),
  'thoughtTree.openDocument': command('openDocument', ['4_open@1'], ROWS_ONLY),
  'thoughtTree.copyMarkdown': command('copyMarkdown', ['5_export@1']),
  'thoughtTree.saveHtml': command('saveHtml', ['5_export@2']),
  'thoughtTree.compareWith': command('compareWith', ['5_export@3'], ROWS_ONLY),
  'thoughtTree.openReport': command('openReport', ['4_open@2'], {
    icon: 'book',
    // A row has two icons: what leads on, else what came of it, and the drawing.
    menus: [{ menu: 'view/item/context', group: 'inline@3', when: RESTING_REPORT }],
  }),
};

/** Every command, once. An action without a place here has one in the menu of the rows that offer it. */
export const COMMANDS: Readonly<Record<string, CommandEntry>> = { ...OWN_COMMANDS, ...PLACED, ...plainCommands() };

function plainCommands(): Record<string, CommandEntry> {
  const placed = new Set(Object.values(PLACED).map(({ action }) => action));
  const others = forPeople(COMMON_ACTIONS).filter(({ name, isRare }) => !isRare && !placed.has(name));
  return Object.fromEntries(
    others.map((descriptor) => [`thoughtTree.${descriptor.name}`, commandFor(descriptor, [placeOf(descriptor)])]),
  );
}

function placeOf({ on }: ActionDescriptor): string {
  return on === 'search' ? '1_run@9' : '2_steer@9';
}
