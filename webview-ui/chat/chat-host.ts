import type { GraphNode, GraphSearch } from '../../src/protocol/graph-node.ts';
import { type HostMessage, readHostMessage } from '../../src/protocol/host-message.ts';
import type { ViewMessage } from '../../src/protocol/view-message.ts';
import type { PageHost } from '../state/host.ts';
import { l10n } from '../state/l10n.ts';
import { applyTheme } from './chat-theme.ts';
import { ChatRpc, isRecord } from './rpc.ts';

/** How often it asks what has changed, in milliseconds: while somebody works on the search, and otherwise. */
const BUSY_MS = 1500;
const REST_MS = 3000;
/** The version of the protocol between pages and chats. */
const PROTOCOL = '2026-01-26';

type Json = Readonly<Record<string, unknown>>;

/**
 * The chat as the host of the panel: it is asked to call the server's tools, as nothing else can be reached. Calls back
 * what the panel would hear from the editor.
 */
export class ChatHost implements PageHost {
  readonly hasPast = false;
  readonly #rpc: ChatRpc;
  #hear: (message: HostMessage) => void = () => undefined;
  /** What is shown, as the chat names it, and as the server does. */
  #given = '';
  #search = '';
  #version = '';
  #seq = 0;
  #selected: string | undefined;
  /** The nodes that the panel has, as text, so that it gets only changes. */
  #told = new Map<string, string>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asking: Promise<void> | undefined;
  #wantsMore = false;
  #isBusy = true;
  #capabilities: Json = {};

  constructor(chat: Window) {
    this.#rpc = new ChatRpc(chat, this.#hearOf.bind(this), this.#asked.bind(this));
    document.addEventListener('visibilitychange', () => {
      if (!document.hidden) this.#askSoon(0);
    });
  }

  /** Introduces the page to the chat. */
  async begin(): Promise<void> {
    const appInfo = { name: 'thought-tree', title: 'Thought Tree', version: '1' };
    const { hostContext, hostCapabilities } = await this.#rpc.ask('ui/initialize', {
      appInfo,
      appCapabilities: {},
      protocolVersion: PROTOCOL,
    });
    if (isRecord(hostCapabilities)) this.#capabilities = hostCapabilities;
    applyTheme(hostContext);
    this.#rpc.tell('ui/notifications/initialized', {});
  }

  /** Tells the chat how high the page wants to be, in pixels. */
  resize(width: number, height: number): void {
    this.#rpc.tell('ui/notifications/size-changed', { width, height });
  }

  listen(onMessage: (message: HostMessage) => void): void {
    this.#hear = onMessage;
  }

  // A page in the chat begins anew when it is loaded again.
  keep(): void {}

  kept(): unknown {
    return undefined;
  }

  post(message: ViewMessage): void {
    const { type } = message;
    if (type === 'ready' || type === 'resync') this.#begin();
    else if (type === 'select') this.#select(message.path);
    else if (type === 'act') void this.#act(message.action, message.path);
    else if (type === 'exchange') void this.#exchange(message.path, message.call);
    else if (type === 'open-link') void this.#openLink(message.href);
    else if (type === 'save-picture') void this.#savePicture(message.svg);
    else if (type === 'reload') location.reload();
    else if (type === 'failed') this.#rpc.tell('notifications/message', { level: 'error', data: message.message });
  }

  /** The panel shows nothing, or has lost count. */
  #begin(): void {
    this.#version = '';
    this.#askSoon(0);
  }

  #select(path: string | null): void {
    this.#selected = path ?? undefined;
    if (path !== null) this.#askSoon(0);
  }

  #hearOf(method: string, params: Json): void {
    if (method === 'ui/notifications/host-context-changed') applyTheme(params);
    const given = method === 'ui/notifications/tool-input' ? params['arguments'] : params['structuredContent'];
    if (!/^ui\/notifications\/tool-(?:input|result)$/.test(method) || !isRecord(given)) return;
    const name = given['search'] ?? given['sessionId'];
    if (typeof name === 'string' && name !== this.#search && name !== this.#given) {
      this.#given = name;
      this.#search = name;
      this.#version = '';
    }
    this.#askSoon(0);
  }

  #asked(method: string): Json {
    if (method === 'ui/resource-teardown') clearTimeout(this.#timer);
    return {};
  }

  #askSoon(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#ask(), ms);
  }

  /** Asks what has changed; once at a time, and once more if something was wanted meanwhile. */
  async #ask(): Promise<void> {
    if (this.#search === '' || document.hidden) return;
    if (this.#asking) {
      this.#wantsMore = true;
      return;
    }
    this.#asking = this.#askOnce();
    await this.#asking;
    this.#asking = undefined;
    this.#askSoon(this.#wantsMore ? 0 : this.#isBusy ? BUSY_MS : REST_MS);
    this.#wantsMore = false;
  }

  async #askOnce(): Promise<void> {
    const [search, node, since] = [this.#search, this.#selected, this.#version];
    const asked = { search, ...(since !== '' && { since }), ...(node !== undefined && { node }) };
    try {
      const { version, name, search: whole, nodes, details, actions } = await this.#call('panel_changes', asked);
      if (search !== this.#search) return;
      this.#search = String(name);
      if (Array.isArray(nodes) && isRecord(whole)) {
        this.#draw(search, whole as unknown as GraphSearch, nodes as GraphNode[]);
        this.#version = String(version);
      }
      if (node === undefined || node !== this.#selected) return;
      this.#say({ type: 'details', details });
      this.#say({ type: 'actions', path: node, actions });
    } catch (error) {
      if (this.#version === '') this.#say({ type: 'lost', message: messageOf(error) });
      this.#isBusy = false;
    }
  }

  /** The first time all of it, then what is different. */
  #draw(folder: string, search: GraphSearch, nodes: readonly GraphNode[]): void {
    this.#isBusy = search.state === 'running' || search.state === 'waiting';
    const now = new Map(nodes.map((node) => [node.path, JSON.stringify(node)]));
    const upserts = nodes.filter(({ path }) => this.#told.get(path) !== now.get(path));
    const removals = [...this.#told.keys()].filter((path) => !now.has(path));
    const isFirst = this.#version === '';
    this.#told = now;
    this.#seq = isFirst ? 0 : this.#seq + 1;
    const seq = this.#seq;
    this.#say(
      isFirst ? { type: 'snapshot', seq, folder, search, nodes } : { type: 'change', seq, search, upserts, removals },
    );
  }

  async #act(action: string, node: string): Promise<void> {
    try {
      await this.#call('tree_act', { search: this.#search, action, ...(node !== '' && { node }) });
    } catch (error) {
      this.onRefusal(messageOf(error));
    }
    this.#askSoon(0);
  }

  /** Called with what a person should read: an action was not possible, or not allowed. */
  onRefusal: (text: string) => void = () => undefined;

  async #exchange(path: string, call: number): Promise<void> {
    const { exchange } = await this.#call('panel_changes', {
      search: this.#search,
      since: this.#version,
      node: path,
      call,
    }).catch((error: unknown) => ({ exchange: { path, call, unknown: messageOf(error) } }));
    this.#say({ type: 'exchange', exchange });
  }

  async #openLink(href: string): Promise<void> {
    if (/^https?:\/\//i.test(href) && 'openLinks' in this.#capabilities)
      await this.#rpc.ask('ui/open-link', { url: href }).catch(() => undefined);
    else this.onRefusal(l10n.t('This link leads to a file: the editor opens it.'));
  }

  async #savePicture(svg: string): Promise<void> {
    const resource = { uri: 'file:///thought-tree.svg', mimeType: 'image/svg+xml', text: svg };
    const contents = [{ type: 'resource', resource }];
    await this.#rpc.ask('ui/download-file', { contents }).catch((error: unknown) => this.onRefusal(messageOf(error)));
  }

  /** @throws Error with what the tool says is wrong */
  async #call(name: string, args: Json): Promise<Json> {
    const { isError, content, structuredContent } = await this.#rpc.ask('tools/call', { name, arguments: args });
    if (isError === true) throw new Error(firstText(content));
    return isRecord(structuredContent) ? structuredContent : {};
  }

  #say(value: unknown): void {
    const message = readHostMessage(value);
    if (message) this.#hear(message);
  }
}

function firstText(content: unknown): string {
  const [first] = Array.isArray(content) ? (content as unknown[]) : [];
  return isRecord(first) ? String(first['text'] ?? '') : '';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
