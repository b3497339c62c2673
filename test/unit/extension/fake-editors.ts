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

/** A tab with a page of an extension, as a drawing is; the editor adds to its type. */
export class TabInputWebview {
  readonly viewType: string;

  constructor(viewType: string) {
    this.viewType = `mainThreadWebview-${viewType}`;
  }
}

export const ViewColumn = { Active: -1, Beside: -2 };

export class CodeLens {
  readonly range: unknown;
  readonly command: unknown;

  constructor(range: unknown, command: unknown) {
    this.range = range;
    this.command = command;
  }
}

export class Location {
  readonly uri: unknown;
  readonly range: unknown;

  constructor(uri: unknown, range: unknown) {
    this.uri = uri;
    this.range = range;
  }
}

export class Hover {
  readonly contents: unknown;

  constructor(contents: unknown) {
    this.contents = contents;
  }
}

export const DiagnosticSeverity = { Error: 0, Warning: 1, Information: 2, Hint: 3 };

export class Diagnostic {
  readonly range: unknown;
  readonly message: string;
  readonly severity: number;

  constructor(range: unknown, message: string, severity: number) {
    this.range = range;
    this.message = message;
    this.severity = severity;
  }
}

export const CodeActionKind = { QuickFix: 'quickfix' };

export class CodeAction {
  readonly title: string;
  readonly kind: unknown;

  constructor(title: string, kind: unknown) {
    this.title = title;
    this.kind = kind;
  }
}

/** Edits in the order in which they are asked for. */
export class WorkspaceEdit {
  readonly edits: { readonly uri: unknown; readonly range: unknown; readonly text: string }[] = [];

  replace(uri: unknown, range: unknown, text: string): void {
    this.edits.push({ uri, range, text });
  }
}

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

/** A drawing is in front, and no group besides: what opens now opens beside it, in column -2. */
export function drawInFront(): void {
  const drawing = { input: new TabInputWebview('thoughtTree.graph') };
  tabGroups.show({ viewColumn: 1, activeTab: drawing, tabs: [drawing] });
}
