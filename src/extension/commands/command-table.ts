/** What a command is called with, from a menu of the view; from the palette it is called with nothing. */
export interface CommandArguments {
  'thoughtTree.start': [];
  'thoughtTree.pause': [SearchTarget?];
  'thoughtTree.pauseNow': [SearchTarget?];
  'thoughtTree.resume': [SearchTarget?];
  'thoughtTree.finish': [SearchTarget?];
  'thoughtTree.grow': [SearchTarget?];
  'thoughtTree.expand': [(NodeTarget | typeof SELECTION)?];
  'thoughtTree.prune': [(NodeTarget | typeof SELECTION)?];
  'thoughtTree.restore': [NodeTarget?];
  'thoughtTree.retry': [NodeTarget?];
  'thoughtTree.redo': [NodeTarget?];
  'thoughtTree.addChild': [NodeTarget?];
  'thoughtTree.note': [NodeTarget?];
  'thoughtTree.openDocument': [NodeTarget?];
  'thoughtTree.openReport': [SearchTarget?];
  'thoughtTree.reveal': [(NodeTarget | FileTarget)?];
  'thoughtTree.openGraph': [NodeTarget?];
  'thoughtTree.deleteSearch': [SearchTarget?];
  'thoughtTree.selectModel': [];
  'thoughtTree.selectJudge': [];
  'thoughtTree.setApiKey': [];
  'thoughtTree.removeApiKey': [];
  'thoughtTree.showLog': [];
  'thoughtTree.copyDiagnostics': [];
  'thoughtTree.showActions': [];
}

/** What a key in the sidebar means: the selected row, whatever is open in the editor. */
export const SELECTION = 'selection';

export type CommandId = keyof CommandArguments;

/** A search as commands name it: its folder. */
export interface SearchTarget {
  readonly folder: string;
}

/** A node as commands name it: its search's folder and its slug path, empty for the search as a whole. */
export interface NodeTarget extends SearchTarget {
  readonly path: string;
}

/** A file as the editor's own menus name it: a `Uri`. */
export interface FileTarget {
  readonly fsPath: string;
}

/** One entry in a menu. In the view's menus `when` is joined with the view's own condition. */
interface MenuPlace {
  readonly menu: 'view/title' | 'view/item/context' | 'explorer/context' | 'editor/title/context';
  readonly group: string;
  readonly when?: string;
}

/** How a command is shown; its title stands in package.nls.json under `command.<name>`. */
export interface CommandEntry {
  readonly icon?: string;
  /** When the palette shows it; `never` for commands that need an element. */
  readonly palette?: string;
  readonly enablement?: string;
  readonly menus?: readonly MenuPlace[];
  readonly keybinding?: { readonly key: string; readonly mac?: string; readonly when: string };
}

const TRUSTED = 'isWorkspaceTrusted';
/** Until the workspace was looked through, the palette offers everything. */
const now = (key: string): string => `workspaceFolderCount > 0 && (!thoughtTree.known || thoughtTree.${key})`;
const NODES = now('any');
const has = (flag: string): string => `viewItem =~ /\\b${flag}\\b/`;
const item = (group: string, flag: string): MenuPlace => ({ menu: 'view/item/context', group, when: has(flag) });
/** A file that belongs to a node. */
const OF_NODE = 'thoughtTree.any && resourceFilename =~ /^(document\\.md|node\\.json|children\\.json)$/';
/** On its rows: its find box has the focus of the view as well. */
const inView = 'focusedView == thoughtTree.searches && listFocus && !inputFocus';

/** Every command, once: its arguments above, its place in menus here. */
export const COMMANDS: { readonly [Id in CommandId]: CommandEntry } = {
  'thoughtTree.start': {
    icon: 'add',
    palette: 'workspaceFolderCount > 0',
    enablement: TRUSTED,
    menus: [{ menu: 'view/title', group: 'navigation@1' }],
  },
  'thoughtTree.pause': {
    icon: 'debug-pause',
    palette: now('anyRunning'),
    menus: [{ menu: 'view/title', group: 'navigation@2', when: 'thoughtTree.anyRunning' }, item('inline@1', 'running')],
  },
  'thoughtTree.pauseNow': { palette: now('anyRunning'), menus: [item('1_run@2', 'running')] },
  'thoughtTree.resume': {
    icon: 'debug-continue',
    palette: now('anyResting'),
    enablement: TRUSTED,
    menus: [
      { menu: 'view/title', group: 'navigation@2', when: '!thoughtTree.anyRunning && thoughtTree.anyResting' },
      item('inline@1', 'resumable'),
    ],
  },
  'thoughtTree.finish': {
    palette: now('anyUnfinished'),
    enablement: TRUSTED,
    menus: [item('1_run@3', 'finishable')],
  },
  'thoughtTree.grow': { palette: NODES, enablement: TRUSTED, menus: [item('1_run@4', 'search')] },
  'thoughtTree.expand': {
    icon: 'run-above',
    palette: NODES,
    enablement: TRUSTED,
    menus: [item('inline@1', 'expandable'), item('2_steer@1', 'expandable')],
    keybinding: { key: 'ctrl+enter', mac: 'cmd+enter', when: inView },
  },
  'thoughtTree.prune': {
    icon: 'circle-slash',
    palette: NODES,
    menus: [item('inline@2', 'prunable'), item('2_steer@2', 'prunable')],
    keybinding: { key: 'delete', when: inView },
  },
  'thoughtTree.restore': {
    icon: 'discard',
    palette: NODES,
    menus: [item('inline@2', 'pruned'), item('2_steer@3', 'pruned')],
  },
  'thoughtTree.retry': {
    icon: 'refresh',
    palette: NODES,
    enablement: TRUSTED,
    menus: [item('inline@1', 'failed'), item('2_steer@4', 'failed')],
  },
  'thoughtTree.redo': { palette: NODES, enablement: TRUSTED, menus: [item('2_steer@5', 'rewritable')] },
  'thoughtTree.addChild': { palette: NODES, menus: [item('3_add@1', 'parent')] },
  'thoughtTree.note': { palette: NODES, menus: [item('3_add@2', 'notable')] },
  'thoughtTree.openDocument': { palette: NODES, menus: [item('4_open@1', 'written')] },
  'thoughtTree.openReport': {
    icon: 'book',
    palette: now('anyReport'),
    menus: [item('inline@3', 'reported'), item('4_open@2', 'reported')],
  },
  'thoughtTree.openGraph': {
    icon: 'type-hierarchy',
    palette: now('any'),
    menus: [
      { menu: 'view/title', group: 'navigation@3', when: 'thoughtTree.any' },
      item('inline@4', 'search'),
      item('4_open@3', 'node'),
    ],
  },
  'thoughtTree.reveal': {
    palette: NODES,
    menus: [
      { menu: 'explorer/context', group: 'navigation@90', when: OF_NODE },
      { menu: 'editor/title/context', group: '2_files@90', when: OF_NODE },
    ],
  },
  'thoughtTree.deleteSearch': { palette: NODES, menus: [item('9_danger@1', '(search|broken)')] },
  'thoughtTree.selectModel': { icon: 'chip', menus: [{ menu: 'view/title', group: '2_model@1' }] },
  'thoughtTree.selectJudge': { menus: [{ menu: 'view/title', group: '2_model@2' }] },
  'thoughtTree.setApiKey': { menus: [{ menu: 'view/title', group: '2_model@3' }] },
  'thoughtTree.removeApiKey': {},
  'thoughtTree.showLog': { menus: [{ menu: 'view/title', group: '3_help@1' }] },
  'thoughtTree.copyDiagnostics': { menus: [{ menu: 'view/title', group: '3_help@2' }] },
  'thoughtTree.showActions': { palette: NODES },
};
