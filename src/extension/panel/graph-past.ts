import * as vscode from 'vscode';
import { oneLine } from '../../core/text/text.ts';
import { descriptorOf, type Kinds } from '../../engine/kind.ts';
import type { HostMessage } from '../../protocol/host-message.ts';
import type { OpenBranches, Where } from '../../protocol/view-message.ts';
import { forkOfWork } from '../../searches/history/messages.ts';
import { type Moment, Timeline } from '../../searches/history/timeline.ts';
import type { FollowedSearch } from '../library/followed-search.ts';
import type { SearchLibrary } from '../library/search-library.ts';
import { loadSearches } from '../load-searches.ts';
import { messageText, withoutLinks } from '../message-text.ts';
import { settingsFor } from '../settings.ts';
import type { GraphFeed } from './graph-feed.ts';

/** A page is told of what happens at most this often, in milliseconds. */
const GROW_MS = 1000;

interface PastPorts {
  readonly search: FollowedSearch;
  readonly kinds: Kinds;
  readonly library: Pick<SearchLibrary, 'scan'>;
  readonly feed: Pick<GraphFeed, 'show'>;
  readonly post: (message: HostMessage) => void;
  /** Another moment is shown: what is known of the selected node is another. */
  readonly onShown: () => void;
  readonly onError: (error: unknown) => void;
}

/** The moment that a page has asked for last. */
interface Wanted {
  readonly to: Where | null;
  readonly view: OpenBranches | undefined;
}

/** The past of one search in its panel: the timeline, while the page shows it, and the moment that is drawn. */
export class GraphPast {
  readonly #ports: PastPorts;
  #timeline: Promise<Timeline> | undefined;
  #moment: Moment | undefined;
  #wanted: Wanted | undefined;
  #seeking: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** The events of which forks are being made. */
  readonly #forking = new Set<number>();

  constructor(ports: PastPorts) {
    this.#ports = ports;
  }

  /** The moment that is shown; undefined if that is now. */
  get moment(): Moment | undefined {
    return this.#moment;
  }

  /** The page shows the timeline: tells what happened, and from now on what happens. */
  async open(): Promise<void> {
    this.#tell((await this.#opened()).graph);
  }

  /** The page does not show the timeline any more, and the search as it is now. */
  async close(): Promise<void> {
    this.dispose();
    if (this.#moment || this.#seeking) await this.seek(null);
  }

  /** The journal may have grown. */
  touch(): void {
    if (!this.#timeline) return;
    this.#timer ??= setTimeout(() => {
      this.#grow().catch(this.#ports.onError);
    }, GROW_MS);
  }

  /**
   * Shows the search as it was, or as it is now for null. Of several moments that are wanted while one is looked up, only the
   * last is shown.
   * @param view what the page shows of the tree, if that is known
   */
  async seek(to: Where | null, view?: OpenBranches): Promise<void> {
    this.#wanted = { to, view };
    this.#seeking ??= this.#seekAll().finally(() => {
      this.#seeking = undefined;
    });
    await this.#seeking;
  }

  /** Makes a search of its own of the search as it was after an event, and opens its drawing: one for a double click. */
  async fork(seq: number): Promise<void> {
    if (this.#forking.has(seq)) return;
    this.#forking.add(seq);
    await this.#fork(seq).finally(() => this.#forking.delete(seq));
  }

  async #fork(seq: number): Promise<void> {
    const { search, kinds, library } = this.#ports;
    const { folder, workspace } = search;
    const { fork } = await loadSearches();
    const searches = settingsFor(vscode.Uri.file(workspace)).folder;
    const { place } = await fork({ folder: `${folder}@${seq}`, workspace }, { kinds, searches, by: 'vscode' });
    await library.scan();
    await vscode.commands.executeCommand('thoughtTree.openGraph', { folder: place.folder, path: '' });
    const title = withoutLinks(oneLine(search.title, 100));
    void vscode.window.showInformationMessage(
      vscode.l10n.t('This is a fork of "{0}" as it was after event {1}. Resume it to go on from there.', title, seq),
    );
  }

  /** Nobody looks at the timeline any more. */
  dispose(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#timeline = undefined;
  }

  /** Returns the timeline; one that could not be read is read again. */
  #opened(): Promise<Timeline> {
    if (this.#timeline) return this.#timeline;
    const { folder, workspace, title, kind } = this.#ports.search;
    const opening = Timeline.open({ folder, workspace, title, kind }, (graph) => {
      if (this.#timeline === opening) this.#tell(graph);
    });
    this.#timeline = opening;
    opening.catch(() => {
      if (this.#timeline === opening) this.#timeline = undefined;
    });
    return opening;
  }

  async #grow(): Promise<void> {
    const opened = this.#timeline;
    const grown = await opened
      ?.then((timeline) => timeline.grow())
      .catch((error: unknown) => {
        // It may have taken some events, and would take them twice.
        if (this.#timeline === opened) this.#timeline = undefined;
        throw error;
      })
      .finally(() => {
        this.#timer = undefined;
      });
    if (this.#timeline !== opened || !grown) return;
    if (grown === 'replaced') this.#timeline = undefined;
    await this.open();
    // The drawing is of a journal that is no longer there.
    const seq = this.#moment?.seq;
    if (grown === 'replaced' && seq !== undefined && !this.#seeking) await this.seek({ seq }, undefined);
  }

  #tell(graph: Timeline['graph']): void {
    const { search, kinds, post } = this.#ports;
    const isWork = search.file && descriptorOf(kinds, search.file.kind)?.work !== undefined;
    const noFork = isWork && { noFork: messageText(forkOfWork()) };
    post({ type: 'timeline', timeline: { ...graph, ...noFork } });
  }

  async #seekAll(): Promise<void> {
    for (let wanted = this.#wanted; wanted; wanted = this.#wanted) {
      this.#wanted = undefined;
      const { to } = wanted;
      try {
        await this.#seekOne(wanted);
      } catch (error) {
        // Nobody waits for it any more.
        if (this.#wanted) continue;
        this.#ports.post({ type: 'sought', to });
        throw error;
      }
    }
  }

  async #seekOne({ to, view }: Wanted): Promise<void> {
    const { feed, post, onShown } = this.#ports;
    const moment = to ? await (await this.#opened()).at(to) : undefined;
    if (this.#wanted) return;
    this.#moment = moment;
    // The next moment does not wait until all of this one is sent.
    void feed.show(moment, view).then(() => post({ type: 'sought', to }));
    onShown();
  }
}
