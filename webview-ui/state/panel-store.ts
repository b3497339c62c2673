import { batch, computed, type Signal, signal } from '@preact/signals';
import { readableRows } from '../../src/drawing/camera.ts';
import { firstLayers, firstLevels } from '../../src/drawing/layout/first-levels.ts';
import { layersLayoutOf, relatedTo } from '../../src/drawing/layout/layer-layout.ts';
import { layoutOf, roundOf, type Unfolding } from '../../src/drawing/layout/tree-layout.ts';
import { above, parentPath, TreeModel } from '../../src/drawing/tree-model.ts';
import type { GraphAction, GraphDetails, GraphSearch, GraphTranscript } from '../../src/protocol/graph-node.ts';
import type { ChangeMessage, HostMessage, SnapshotMessage } from '../../src/protocol/host-message.ts';
import type { OpenBranches, ViewMessage } from '../../src/protocol/view-message.ts';
import { Branches } from './branches.ts';
import { CallsInTime } from './calls.ts';
import { type Filter, isFiltering, matches } from './filter.ts';
import { Finding } from './finding.ts';
import type { PageHost } from './host.ts';
import { KeptView } from './kept-view.ts';
import { paintPicture } from './paint-picture.ts';
import { Past } from './past.ts';
import { readViewState, type ViewState } from './view-state.ts';

/** How often an empty page asks for content, in milliseconds. */
const ASK_MS = 3000;
/** They only look: they are possible at any time. */
const LOOKS: ReadonlySet<string> = new Set(['reveal', 'copyLink']);
/** More opened branches than the host is told of. */
const MOST_OPENED = 2000;

/** The panel's state and behaviour, without a pixel: the search, and the person's view settings. */
export class PanelStore {
  readonly #host: PageHost;
  readonly #tree = new TreeModel();
  readonly #view: KeptView;
  #seq = -1;
  /** A selected node that is gone, and what is selected in its place. */
  #strayed: { readonly from: string; readonly at: string } | undefined;
  #asking: ReturnType<typeof setTimeout> | undefined;
  /** Grows with every change of the tree, for derived values. */
  readonly version = signal(0);
  readonly search = signal<GraphSearch | undefined>(undefined);
  readonly details = signal<GraphDetails | undefined>(undefined);
  readonly #actions = signal<readonly GraphAction[] | undefined>(undefined);
  /** What can be done to the selected node; undefined if not yet known. */
  readonly actions = computed(() =>
    this.selectedPath.value === '' ? this.search.value?.actions : this.#actions.value,
  );
  /** The words of calls, by node and number. */
  readonly #transcripts = signal<ReadonlyMap<string, GraphTranscript>>(new Map());
  readonly lost = signal('');
  readonly view: Signal<ViewState>;
  /** A path to bring into view, and the number of such requests. */
  readonly wanted = signal<{ path: string; times: number } | undefined>(undefined);
  /** The node under the pointer, or whose card was asked for by a key. */
  readonly hovered = signal<{ readonly path: string; readonly isAsked: boolean } | undefined>(undefined);
  /** What a screen reader should say. */
  readonly said = signal('');

  // One signal per part: a change to one must not lay out the tree again.
  readonly selectedPath = computed(() => this.view.value.selected);
  readonly #filter = computed(() => this.view.value.filter);
  readonly #shape = computed(() => {
    this.version.value;
    return this.#tree.shape;
  });
  /** Which branches are open. */
  readonly branches = new Branches(
    () => this.view.value,
    (changes) => this.set(changes),
    (height) => this.#firstLevels(height),
  );
  readonly finding = new Finding(
    () => this.#filter.value.text,
    () => this.filter({ text: '' }),
  );
  /** How links are drawn; undefined for a search that is drawn as a tree. */
  readonly descriptors = computed(() => this.search.value?.drawnLinks);
  readonly #focus = computed(() => this.view.value.focus);
  /** The top of the only branch that is drawn; undefined for the whole tree. */
  readonly focused = computed(() => {
    this.version.value;
    return this.#focus.value === '' ? undefined : this.#tree.get(this.#focus.value);
  });
  readonly layout = computed(() => {
    this.version.value;
    const descriptors = this.descriptors.value;
    const root = this.focused.value ?? this.#tree.root;
    if (descriptors) return layersLayoutOf(root, this.branches.unfolding.value, descriptors);
    return layoutOf(root, this.branches.unfolding.value);
  });
  /** What the selected node waits for, and what waits for it. */
  readonly related = computed(() => {
    const descriptors = this.descriptors.value;
    return descriptors && relatedTo(this.selectedPath.value, this.layout.value, descriptors);
  });
  readonly #bestPath = computed(() => this.search.value?.bestPath);
  /** The paths of the best path's nodes. */
  readonly best = computed(() => new Set(this.#bestPath.value));
  readonly matches = computed(() => {
    this.version.value;
    return matches(this.#tree.root, this.#filter.value);
  });
  /** What the drawing does not dim: matches and the nodes above them. */
  readonly found = computed(() => {
    const found = this.matches.value;
    if (!found) return undefined;
    const bright = new Set<string>();
    for (const node of found) {
      bright.add(node.path);
      for (const each of above(node)) {
        if (bright.has(each.path)) break;
        bright.add(each.path);
      }
    }
    return bright;
  });
  readonly ranks = computed(() => {
    this.version.value;
    const ranks = new Map<string, number>();
    for (const [index, path] of (this.search.value?.order ?? []).entries())
      if (this.#tree.get(path)?.data.status === 'unexpanded') ranks.set(path, index + 1);
    return ranks;
  });
  /** The nodes in the drawing that are in progress, or hide one that is. */
  readonly running = computed(() => {
    const { byPath } = this.layout.value;
    const shown = new Set<string>();
    for (const { node } of this.search.value?.slots ?? []) {
      let path = node;
      while (path !== '' && !byPath.has(path)) path = parentPath(path);
      shown.add(path);
    }
    return shown;
  });
  /** What happened, and the moment that is shown. */
  readonly past: Past;
  readonly calls: CallsInTime;
  readonly selected = computed(() => {
    this.version.value;
    const path = this.selectedPath.value;
    return path === null ? undefined : this.#tree.get(path);
  });

  constructor(host: PageHost) {
    this.#host = host;
    this.#view = new KeptView(host);
    this.view = this.#view.state;
    this.past = new Past({
      isOffered: host.hasPast,
      post: host.post,
      search: this.search,
      view: () => this.#openBranches(),
      say: (text) => this.say(text),
      keep: (hasTimeline) => this.set({ hasTimeline }),
    });
    this.calls = new CallsInTime(this);
    host.listen((message) => this.take(message));
    this.#ask();
  }

  /** Repeats that it shows nothing: messages sent while a page is created can be lost. */
  #ask(): void {
    const view = this.search.value === undefined ? this.#openBranches() : undefined;
    this.#host.post({ type: 'ready', ...(view && { view }) });
    this.#asking = setTimeout(() => this.#ask(), ASK_MS);
  }

  /** What follows from the tree is not known here: the host begins with what a first look can need. */
  #openBranches(): OpenBranches | undefined {
    const { folder, levels, opened, isAutomatic } = this.#view.state.value;
    return folder === '' || isAutomatic ? undefined : { levels, opened: opened.slice(0, MOST_OPENED) };
  }

  get tree(): TreeModel {
    return this.#tree;
  }

  take(message: HostMessage): void {
    switch (message.type) {
      case 'snapshot':
        this.#begin(message);
        break;
      case 'change':
        this.#change(message);
        break;
      case 'details':
        if (message.details.path === this.view.value.selected) this.#takeDetails(message.details);
        break;
      case 'actions':
        if (message.path === this.view.value.selected) this.#actions.value = message.actions;
        break;
      case 'exchange':
        this.#takeTranscript(message.exchange);
        break;
      case 'reveal':
        this.reveal(message.path);
        break;
      case 'timeline':
        this.past.take(message.timeline);
        break;
      case 'calls':
        this.calls.take(message.isAnew, message.calls);
        break;
      case 'sought':
        this.past.sought(message.to);
        break;
      case 'paint':
        void paintPicture(message).then(this.#host.post);
        break;
      case 'lost':
        clearTimeout(this.#asking);
        this.lost.value = message.message;
        break;
    }
  }

  #begin(snapshot: SnapshotMessage): void {
    clearTimeout(this.#asking);
    batch(() => {
      this.lost.value = '';
      this.#seq = snapshot.seq;
      this.#tree.reset(snapshot);
      this.search.value = snapshot.search;
      this.version.value++;
      const isOther = this.view.value.folder !== snapshot.folder;
      const { inspectorWidth } = this.view.value;
      if (isOther) this.set({ ...readViewState(undefined), inspectorWidth, folder: snapshot.folder });
      const { selected } = this.view.value;
      if (selected !== null) this.#host.post({ type: 'select', path: selected });
      // It was there before the page was loaded again.
      if (snapshot.search.past || this.view.value.hasTimeline) this.past.open();
      if (this.calls.isOpen.value) this.calls.ask();
    });
  }

  /** Returns what is shown until somebody touches it: as much as can be read, and the best path. */
  #firstLevels(height: number): Unfolding {
    this.#shape.value;
    const descriptors = this.descriptors.value;
    const hasHeads = this.#tree.root?.children.some((node) => roundOf(node) !== undefined);
    const rows = readableRows(height, hasHeads);
    return descriptors ? firstLayers(this.#tree, descriptors, rows) : firstLevels(this.#tree, this.best.value, rows);
  }

  #change(change: ChangeMessage): void {
    if (change.seq <= this.#seq) return;
    if (change.seq !== this.#seq + 1) {
      this.#host.post({ type: 'resync' });
      return;
    }
    this.#seq = change.seq;
    batch(() => {
      if (this.search.value) this.search.value = { ...this.search.value, ...change.search };
      if (change.search.past !== undefined) {
        this.past.shown(change.search.past);
        this.#askAgain();
      }
      // It goes on: what stops it next is news, whatever it is.
      const { state, past, reading } = this.search.value ?? {};
      if (change.search.reason === '' && !past && state !== 'finished' && this.view.value.closedReason !== '')
        this.set({ closedReason: '' });
      const isRead = change.search.reading === null;
      if (change.upserts.length === 0 && change.removals.length === 0 && !isRead) return;
      this.#tree.apply(change);
      this.version.value++;
      if (reading) return; // what is selected may be among the rest
      this.#keepSelection();
    });
  }

  /** Selects what is above a node that is gone, until it is there again, or a person selects something else. */
  #keepSelection(): void {
    const { selected } = this.view.value;
    if (selected === null) return;
    const strayed = this.#strayed;
    const isBack = strayed?.at === selected && this.#tree.get(strayed.from) !== undefined;
    if (!isBack && this.#tree.get(selected)) return;
    const from = isBack || strayed?.at !== selected ? selected : strayed.from;
    const at = isBack ? strayed.from : this.nearest(selected);
    this.select(at);
    this.#strayed = isBack ? undefined : { from, at };
  }

  /** Returns the nearest existing node of a path. */
  nearest(path: string): string {
    let at = path;
    while (at !== '' && !this.#tree.get(at)) at = parentPath(at);
    return at;
  }

  /** Changes the person's view settings and stores them. */
  set(changes: Partial<ViewState>): void {
    this.#view.set(changes);
  }

  /** Where the drawing was left; null until a person moved it. */
  get camera(): ViewState['camera'] {
    return this.#view.camera;
  }

  set camera(camera: ViewState['camera']) {
    this.#view.camera = camera;
  }

  filter(changes: Partial<Filter>): void {
    this.set({ filter: { ...this.view.value.filter, ...changes } });
  }

  get isFiltering(): boolean {
    return isFiltering(this.view.value.filter);
  }

  select(path: string | null): void {
    if (path === this.view.value.selected) return;
    this.#strayed = undefined;
    batch(() => {
      if (path !== null) this.branches.settle();
      this.details.value = undefined;
      this.#actions.value = undefined;
      this.#transcripts.value = new Map();
      this.set({ selected: path, inspectorScroll: 0 });
    });
    this.#host.post({ type: 'select', path });
  }

  /** Draws one branch only; all of the tree again for an empty path. */
  focusOn(path: string): void {
    const node = this.#tree.get(path);
    batch(() => {
      this.branches.settle();
      if (node) this.branches.setOpen(node, true);
      this.set({ focus: path });
    });
  }

  /** Selects a node and brings it into view, opening everything above it. */
  reveal(path: string): void {
    const node = this.#tree.get(path);
    if (!node) return;
    batch(() => {
      const { focus } = this.view.value;
      if (focus !== '' && path !== focus && !path.startsWith(`${focus}/`)) this.set({ focus: '' });
      for (const each of above(node)) this.branches.setOpen(each, true);
      this.select(path);
      this.show(path);
    });
  }

  /** Brings a node of the drawing into view. */
  show(path: string): void {
    this.wanted.value = { path, times: (this.wanted.value?.times ?? 0) + 1 };
  }

  /** Returns why an action cannot be carried out for now; undefined if it can. */
  offFor(action: string): string | undefined {
    return LOOKS.has(action) ? undefined : this.past.off;
  }

  /** Carries out an action on a node, or on the search as a whole if the path is empty. */
  act(action: string, path = ''): void {
    const off = this.offFor(action);
    if (off !== undefined) this.say(off);
    else this.#host.post({ type: 'act', action, path });
  }

  /** Takes back what a person did last, or does again what was taken back last. */
  undo(forward: boolean): void {
    const { off } = this.past;
    if (off !== undefined) this.say(off);
    else this.#host.post({ type: 'act', action: 'undo', path: '', ...(forward && { forward }) });
  }

  /** Requests calls again that had no answer when they were shown. */
  #takeDetails(details: GraphDetails): void {
    this.details.value = details;
    for (const { path, call, answer } of this.#transcripts.value.values())
      if (answer === undefined) this.post({ type: 'exchange', path, call });
  }

  /** The words of calls may be others at another moment: a call that was under way had no answer. */
  #askAgain(): void {
    for (const { path, call } of this.#transcripts.value.values()) this.post({ type: 'exchange', path, call });
  }

  askFor(path: string, call: number): void {
    if (!this.transcriptOf(path, call)) this.post({ type: 'exchange', path, call });
  }

  /** Returns the words of a call; undefined until the host has read them. */
  transcriptOf(path: string, call: number): GraphTranscript | undefined {
    return this.#transcripts.value.get(`${call} ${path}`);
  }

  #takeTranscript(exchange: GraphTranscript): void {
    const { path, call } = exchange;
    if (path !== this.view.value.selected && path !== this.calls.chosen.value?.node) return;
    this.#transcripts.value = new Map([...this.#transcripts.value, [`${call} ${path}`, exchange]]);
  }

  openLink(path: string, href: string): void {
    this.#host.post({ type: 'open-link', path, href });
  }

  savePicture(svg: string): void {
    this.#host.post({ type: 'save-picture', svg });
  }

  fail(message: string): void {
    this.#host.post({ type: 'failed', message: message.slice(0, 20_000) });
  }

  post(message: ViewMessage): void {
    this.#host.post(message);
  }

  reload(): void {
    this.#host.post({ type: 'reload' });
  }

  say(text: string): void {
    this.said.value = text;
  }
}
