import { EventEmitter } from './fake-events.ts';

/** A tab with an editor of another extension for a file, as the Markdown preview is. */
export class TabInputCustom {
  readonly uri: unknown;
  readonly viewType: string;

  constructor(uri: unknown, viewType: string) {
    this.uri = uri;
    this.viewType = viewType;
  }
}

export const ViewColumn = { Active: -1, Beside: -2 };

export class Range {
  readonly start: { readonly line: number };

  constructor(line: number) {
    this.start = { line };
  }
}

export class CodeLens {
  readonly range: unknown;
  readonly command: unknown;

  constructor(range: unknown, command: unknown) {
    this.range = range;
    this.command = command;
  }
}

/** Nobody asks what is registered: tests ask the providers. */
export const languages = {
  registerCodeLensProvider: () => ({ dispose: () => undefined }),
};

export const Disposable = {
  from: (...all: { dispose: () => void }[]) => ({
    dispose: () => {
      for (const each of all) each.dispose();
    },
  }),
};

interface FakeTabGroup {
  readonly viewColumn?: number;
  readonly activeTab?: unknown;
  readonly tabs: readonly unknown[];
}

const NO_TABS: FakeTabGroup = { tabs: [] };
const changed = new EventEmitter<unknown>();

/** The tabs of the editor, in groups. */
export const tabGroups = {
  all: [NO_TABS] as readonly FakeTabGroup[],
  activeTabGroup: NO_TABS,
  onDidChangeTabs: Object.assign(changed.event, { fire: (change: unknown) => changed.fire(change) }),
  /** Shows others; the first group is the active one. */
  show: (...groups: FakeTabGroup[]): void => {
    tabGroups.all = groups.length > 0 ? groups : [NO_TABS];
    tabGroups.activeTabGroup = groups[0] ?? NO_TABS;
  },
};
