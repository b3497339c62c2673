import { type ActionFace, forPeople, maySpend } from '../../core/actions/action-face.ts';
import { COMMON_ACTIONS } from '../actions/editor-actions.ts';
import { SHARE_MENU } from './contributed-commands.ts';

/** The argument of a command when called from a menu of the view; from the palette there is none. */
export interface CommandArguments {
  'thoughtTree.start': [];
  'thoughtTree.startWritten': [];
  'thoughtTree.askSelection': [];
  'thoughtTree.askFile': [FileTarget?, (readonly FileTarget[])?];
  'thoughtTree.askFolder': [FileTarget?, (readonly FileTarget[])?];
  'thoughtTree.reveal': [(NodeTarget | FileTarget)?];
  'thoughtTree.openGraph': [NodeTarget?];
  'thoughtTree.findInDocuments': [];
  'thoughtTree.findInSearch': [SearchTarget];
  'thoughtTree.deleteSearch': [SearchTarget?];
  'thoughtTree.startPlanned': [FileTarget?];
  'thoughtTree.showInExplorer': [NodeTarget?];
  'thoughtTree.copyPath': [NodeTarget?];
  'thoughtTree.renameTitle': [NodeTarget?];
  'thoughtTree.selectModel': [];
  'thoughtTree.selectJudge': [];
  'thoughtTree.setApiKey': [];
  'thoughtTree.removeApiKey': [];
  'thoughtTree.removeQueuePassword': [];
  'thoughtTree.showLog': [];
  'thoughtTree.copyDiagnostics': [];
  'thoughtTree.showActions': [SearchTarget?];
  'thoughtTree.showStatus': [SearchTarget?];
  'thoughtTree.showBest': [SearchTarget?];
  'thoughtTree.explain': [NodeTarget?];
  'thoughtTree.copyMcpConfiguration': [];
  'thoughtTree.installSkill': [];
  'thoughtTree.importSearch': [];
  'thoughtTree.showDifferences': [FileTarget?];
  'thoughtTree.pauseAny': [];
  'thoughtTree.raiseAny': [];
  'thoughtTree.resumeAny': [];
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

/** One entry in a menu. In the view's menus `when` is combined with the view's own condition. */
interface MenuPlace {
  readonly menu:
    | 'view/title'
    | 'view/item/context'
    | 'explorer/context'
    | 'editor/context'
    | 'editor/title'
    | 'editor/title/context'
    | typeof SHARE_MENU
    | 'thoughtTree.arrange';
  readonly group: string;
  readonly when?: string;
}

/** The presentation of a command; its title is in package.nls.json under `command.<name>`. */
export interface CommandEntry {
  /** Its action, if any. */
  readonly action?: string;
  readonly icon?: string;
  /** When the palette shows it; `never` for commands that need an element. */
  readonly palette?: string;
  readonly enablement?: string;
  readonly menus?: readonly MenuPlace[];
  readonly keybinding?: { readonly key: string; readonly mac?: string; readonly when: string };
}

const TRUSTED = 'isWorkspaceTrusted';
/** Until the workspace has been scanned, the palette offers everything. */
const now = (key: string): string => `workspaceFolderCount > 0 && (!thoughtTree.known || thoughtTree.${key})`;
const SEARCHES = now('any');
/** The editor in which a question is written. */
const OF_QUESTION = 'editorLangId == thoughtTreeQuestion';
/** Where something of the workspace can be asked about. */
const ASKABLE = `isWorkspaceTrusted && workspaceFolderCount > 0 && ${OF_QUESTION.replace('==', '!=')}`;
/** Returns the clause for a row of the sidebar that has a flag. */
export const has = (flag: string): string => `viewItem =~ /\\b${flag}\\b/`;
const item = (group: string, flag: string): MenuPlace => ({ menu: 'view/item/context', group, when: has(flag) });
const inShare = (group: string, flag: string): MenuPlace => ({ menu: SHARE_MENU, group, when: has(flag) });
const ANY_ROW = '(search|broken|node)';
/** A file that belongs to a node. */
const OF_NODE = 'thoughtTree.any && resourceFilename =~ /^(document\\.md|node\\.json|children\\.json)$/';
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
  face: ActionFace,
  groups: readonly string[],
  more: Partial<CommandEntry> = {},
  flag: string = face.name,
): CommandEntry {
  const menus = [...(more.menus ?? []), ...groups.map((group) => item(group, flag))];
  const trust = maySpend(face) ? { enablement: TRUSTED } : {};
  return { action: face.name, palette: now(`can.${face.name}`), ...trust, ...more, menus };
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
    palette: `resourceScheme == file && ${ASKABLE}`,
    menus: [
      {
        menu: 'editor/context',
        group: '1_thoughtTree@1',
        when: `!editorHasSelection && resourceScheme == file && ${ASKABLE}`,
      },
      {
        menu: 'explorer/context',
        group: '4_search@90',
        when: `!explorerResourceIsFolder && resourceScheme == file && ${ASKABLE}`,
      },
      { menu: 'editor/title/context', group: '2_files@80', when: `resourceScheme == file && ${ASKABLE}` },
    ],
  },
  'thoughtTree.askFolder': {
    palette: 'false',
    menus: [
      {
        menu: 'explorer/context',
        group: '4_search@90',
        when: `explorerResourceIsFolder && resourceScheme == file && ${ASKABLE}`,
      },
    ],
  },
  'thoughtTree.openGraph': {
    icon: 'type-hierarchy',
    palette: SEARCHES,
    menus: [inTitle('navigation@3', 'thoughtTree.any'), item('inline@4', 'search'), item('4_open@3', '(search|node)')],
  },
  'thoughtTree.reveal': {
    palette: SEARCHES,
    menus: [
      { menu: 'explorer/context', group: 'navigation@90', when: OF_NODE },
      { menu: 'editor/title/context', group: '2_files@90', when: OF_NODE },
    ],
  },
  'thoughtTree.findInDocuments': {
    icon: 'search',
    palette: SEARCHES,
    menus: [inTitle('navigation@4', 'thoughtTree.any')],
  },
  'thoughtTree.findInSearch': { palette: 'false', menus: [item('4_open@8', 'search')] },
  'thoughtTree.deleteSearch': { palette: SEARCHES, menus: [item('9_danger@1', '(search|broken)')] },
  'thoughtTree.startPlanned': {
    icon: 'play',
    palette: 'false',
    enablement: TRUSTED,
    menus: [{ menu: 'editor/title', group: 'navigation@1', when: 'resourcePath in thoughtTree.plans' }],
  },
  'thoughtTree.showInExplorer': { palette: 'false', menus: [item('6_files@1', ANY_ROW)] },
  'thoughtTree.copyPath': { palette: 'false', menus: [item('6_files@2', ANY_ROW)] },
  'thoughtTree.renameTitle': { palette: 'false', menus: [item('6_files@3', '(search|node)')] },
  'thoughtTree.selectModel': { icon: 'chip', menus: [{ menu: 'view/title', group: '2_model@1' }] },
  'thoughtTree.selectJudge': { menus: [{ menu: 'view/title', group: '2_model@2' }] },
  'thoughtTree.setApiKey': { menus: [{ menu: 'view/title', group: '2_model@3' }] },
  'thoughtTree.removeApiKey': {},
  'thoughtTree.removeQueuePassword': {},
  'thoughtTree.showLog': { menus: [{ menu: 'view/title', group: '3_help@1' }] },
  'thoughtTree.copyDiagnostics': { menus: [{ menu: 'view/title', group: '3_help@2' }] },
  'thoughtTree.showActions': { palette: SEARCHES },
  'thoughtTree.showStatus': { palette: SEARCHES, menus: [item('4_open@4', 'search')] },
  'thoughtTree.showBest': { palette: SEARCHES, menus: [item('4_open@5', 'search')] },
  'thoughtTree.explain': { palette: SEARCHES, enablement: TRUSTED, menus: [item('4_open@6', 'node')] },
  'thoughtTree.copyMcpConfiguration': {
    palette: 'workspaceFolderCount > 0',
    menus: [{ menu: 'view/title', group: '4_agents@1' }],
  },
  'thoughtTree.installSkill': { menus: [{ menu: 'view/title', group: '4_agents@2' }] },
  'thoughtTree.importSearch': {
    palette: 'workspaceFolderCount > 0',
    menus: [{ menu: 'view/title', group: '1_import@1', when: 'workspaceFolderCount > 0' }],
  },
  'thoughtTree.showDifferences': {
    icon: 'diff',
    palette: COMPARISON,
    menus: [{ menu: 'editor/title', group: 'navigation@1', when: `${COMPARISON} && !isInDiffEditor` }],
  },
  // The title of a view passes the row that has the focus, but its buttons are about every search: they have commands of
  // their own, which find out which one is meant.
  'thoughtTree.pauseAny': inTitleAlone('debug-pause', 'thoughtTree.can.pause'),
  'thoughtTree.raiseAny': {
    ...inTitleAlone('debug-continue', '!thoughtTree.can.pause && !thoughtTree.can.resume && thoughtTree.can.raise'),
    enablement: TRUSTED,
  },
  'thoughtTree.resumeAny': {
    ...inTitleAlone('debug-continue', '!thoughtTree.can.pause && thoughtTree.can.resume'),
    enablement: TRUSTED,
  },
};

/** Actions whose commands have an icon, a key or a place of their own. */
const PLACED: Readonly<Record<string, CommandEntry>> = {
  'thoughtTree.pause': command('pause', ['inline@1', '1_run@1'], { icon: 'debug-pause' }),
  'thoughtTree.pauseNow': command('pauseNow', ['1_run@2']),
  'thoughtTree.raise': command('raise', ['inline@1', '1_run@1'], { icon: 'debug-continue' }),
  'thoughtTree.resumeWith': command('resumeWith', ['1_run@2']),
  'thoughtTree.resume': command('resume', ['inline@1', '1_run@1'], { icon: 'debug-continue' }),
  'thoughtTree.finish': command('finish', ['1_run@3'], {
    icon: 'checklist',
    // Where a search rests at its limit, going on and finishing are one click each.
    menus: [item('inline@2', 'raise')],
  }),
  'thoughtTree.report': command('report', ['1_run@4']),
  'thoughtTree.grow': command('grow', ['1_run@5']),
  'thoughtTree.expand': command('expand', ['inline@1', '2_steer@1'], {
    icon: 'run-above',
    keybinding: { key: 'ctrl+enter', mac: 'cmd+enter', when: inView },
  }),
  'thoughtTree.prune': command('prune', ['inline@2', '2_steer@2'], {
    icon: 'circle-slash',
    keybinding: { key: 'delete', when: inView },
  }),
  'thoughtTree.restore': command('restore', ['inline@2', '2_steer@3'], { icon: 'discard' }),
  'thoughtTree.retry': command('retry', ['inline@1', '2_steer@4'], { icon: 'refresh' }),
  'thoughtTree.redo': command('redo', ['2_steer@5']),
  'thoughtTree.addChild': command('add', ['3_add@1']),
  'thoughtTree.note': command('note', ['3_add@2']),
  'thoughtTree.doByHand': command('doByHand', ['inline@1', '2_steer@6'], { icon: 'person' }),
  'thoughtTree.doneByHand': command('doneByHand', ['inline@1', '2_steer@6'], { icon: 'check' }),
  'thoughtTree.openCheckout': command('openCheckout', ['4_open@7']),
  'thoughtTree.giveBackByHand': command('giveBackByHand', ['2_steer@7']),
  'thoughtTree.openDocument': command('openDocument', ['4_open@1']),
  'thoughtTree.copyMarkdown': command('copyMarkdown', ['5_export@1']),
  'thoughtTree.saveHtml': command('saveHtml', ['5_export@2']),
  'thoughtTree.compareWith': command('compareWith', ['5_export@3']),
  'thoughtTree.saveSvg': command('saveSvg', [], { menus: [inShare('1_picture@1', 'saveSvg')] }),
  'thoughtTree.savePng': command('savePng', [], { menus: [inShare('1_picture@2', 'savePng')] }),
  'thoughtTree.exportSearch': command('exportSearch', [], { menus: [inShare('2_file@1', 'exportSearch')] }),
  'thoughtTree.openReport': command('openReport', ['inline@3', '4_open@2'], { icon: 'book' }),
};

/** Every command, once. An action without a place here has one in the menu of the rows that offer it. */
export const COMMANDS: Readonly<Record<string, CommandEntry>> = { ...OWN_COMMANDS, ...PLACED, ...plainCommands() };

function plainCommands(): Record<string, CommandEntry> {
  const placed = new Set(Object.values(PLACED).map(({ action }) => action));
  const others = forPeople(COMMON_ACTIONS).filter(({ name }) => !placed.has(name));
  return Object.fromEntries(others.map((face) => [`thoughtTree.${face.name}`, commandFor(face, [placeOf(face)])]));
}

function placeOf({ on }: ActionFace): string {
  return on === 'search' ? '1_run@9' : '2_steer@9';
}
