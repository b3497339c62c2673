import * as vscode from 'vscode';
import type { Message } from '../../core/messages/message.ts';
import type { Model } from '../../core/ports/model.ts';
import { isThoughtTreeError, ThoughtTreeError, toThoughtTreeError } from '../../core/search/errors.ts';
import type { JournalEvent } from '../../core/search/events.ts';
import { oneLine } from '../../core/text/text.ts';
import type { Slots } from '../../engine/context.ts';
import { readQueueAddress } from '../../fleet/address.ts';
import { AgentPlace } from '../../fleet/agents.ts';
import type { FleetLeader, OpenedLeader } from '../../fleet/leader/fleet-leader.ts';
import type { FleetModelOptions } from '../../fleet/leader/fleet-model.ts';
import { originOf, searchKey } from '../../fleet/names.ts';
import { isAgent } from '../../models/agents/agent.ts';
import { isFreeModel } from '../../searches/models/choose-model.ts';
import type { Place } from '../../searches/place.ts';
import { realPath } from '../../searches/trust/search-use.ts';
import { ownKey } from '../../searches/trust/state-folder.ts';
import { ownHost } from '../../store/lease/process-identity.ts';
import { ownEpoch, readSearchId } from '../../store/open-store.ts';
import { loadSearches } from '../load-searches.ts';
import { messageText, withoutLinks } from '../message-text.ts';
import { fleetNeedsState, notBegun, passwordInSetting, queueNotUsed } from '../messages.ts';
import { EDITOR_PROVIDER, isConcurrencyGiven, isOwnServer, OWN_SERVER, settingsFor } from '../settings.ts';

/** The time that a search waits at its beginning for a worker to show itself, in milliseconds. */
const MEETING_MS = 3000;

export interface FleetRequest {
  readonly place: Place;
  readonly title: string;
  readonly model: string;
  readonly judge?: string | undefined;
  /** Those that share its work, if they are several. */
  readonly several?: readonly string[];
  readonly concurrency?: number | undefined;
}

/** A run's part in a fleet. */
export interface WindowFleet {
  /** Returns the model of this name, if its calls go to the fleet. */
  model(name: string): Model | undefined;
  /** Room for calls, if the writing model is one of the fleet's. */
  readonly slots: Slots | undefined;
  /** The number of slots to plan with. */
  readonly concurrency: number | undefined;
  /** Texts that must not be printed. */
  readonly secrets: readonly string[];
  /** Hears what happens to the search. */
  hear(event: JournalEvent): void;
  close(): Promise<void>;
}

/** Opens the fleet for a run, where the settings name one. */
export type OpenFleet = (request: FleetRequest) => Promise<WindowFleet | undefined>;

export interface OpenFleetParts {
  /** The queue's, without a password. */
  readonly address: string;
  readonly password: QueuePassword;
  readonly log: Pick<vscode.LogOutputChannel, 'warn'>;
}

/**
 * Opens the fleet for a run; undefined if none of its models' calls go there.
 * @throws ThoughtTreeError `bad-input`, `unreachable`, `declined`: then nothing may begin
 */
export async function openFleet(request: FleetRequest, parts: OpenFleetParts): Promise<WindowFleet | undefined> {
  const { place, title, model, judge = model, several = [] } = request;
  const names = [...new Set([model, judge, ...several])].filter((name) => !staysHere(name));
  if (names.length === 0) return undefined;
  const notice = (what: Message): void => {
    const text = `"${oneLine(title, 100)}": ${messageText(what)}`;
    parts.log.warn(text);
    void vscode.window.showWarningMessage(withoutLinks(text));
  };
  const key = ownKey();
  if (key === undefined) throw new ThoughtTreeError('bad-input', fleetNeedsState());
  const search = async (): Promise<string> =>
    searchKey((await readSearchId(place.folder)) ?? '', await realPath(place.folder));
  const lease = (): Promise<number | undefined> => ownEpoch(place.folder);
  const folder = place.workspace;
  const agents = names.some(isAgent) ? await AgentPlace.open({ key, host: ownHost(), folder }) : undefined;
  const onJob = await (await loadSearches()).jobNames();
  const { leader, secrets } = await connected(parts, { title, search, lease, key, notice, onJob });
  const models = new Map<string, Model>();
  for (const name of names) models.set(name, await fleetModel(leader, name, place.workspace, agents));
  await leader.meet(MEETING_MS);
  const areAllTaken = !isConcurrencyGiven(vscode.Uri.file(place.workspace));
  const slots: Slots = {
    get count() {
      return leader.slots;
    },
    areAllTaken,
    onChange: (listener) => leader.onSlots(listener),
    takeBack: () => leader.takeBack(),
  };
  const hasModel = models.has(model);
  return {
    model: (name) => models.get(name),
    slots: hasModel ? slots : undefined,
    concurrency: hasModel && areAllTaken ? leader.planned : request.concurrency,
    secrets,
    hear: (event) => leader.hear(event),
    close: async () => {
      for (const each of models.values()) await each.close?.();
    },
  };
}

/** The models of this window and those that answer from files. */
function staysHere(name: string): boolean {
  return isFreeModel(name) || name.startsWith(`${EDITOR_PROVIDER}/`);
}

type LeaderOptions = Parameters<typeof import('../../fleet/leader/fleet-leader.ts')['openLeader']>[1];

/** Asks for the password where the database does, and keeps the one that it takes. */
async function connected({ address, password }: OpenFleetParts, options: LeaderOptions): Promise<OpenedLeader> {
  const { openLeader } = await import('../../fleet/leader/fleet-leader.ts');
  const connecting = { location: vscode.ProgressLocation.Window, title: vscode.l10n.t('Connecting to the queue') };
  let given = await password.get(address);
  let isNew = false;
  for (;;) {
    try {
      const { shown, password: written } = readQueueAddress(address);
      if (written !== undefined) throw new ThoughtTreeError('bad-input', passwordInSetting({ address: shown }));
      const open = (): Promise<OpenedLeader> => openLeader(withPassword(address, given), options);
      const opened = await vscode.window.withProgress(connecting, open);
      if (isNew && given !== undefined) await password.set(address, given);
      return opened;
    } catch (error) {
      if (!isThoughtTreeError(error, 'key-refused')) throw notUsed(error);
      given = await askPassword(address, given !== undefined);
      isNew = true;
    }
  }
}

function notUsed(error: unknown): ThoughtTreeError {
  const { reason, say, details } = toThoughtTreeError(error);
  return new ThoughtTreeError(reason, queueNotUsed({ why: say }), details);
}

/** @throws ThoughtTreeError `declined` */
async function askPassword(address: string, isAgain: boolean): Promise<string> {
  const { shown } = readQueueAddress(address);
  const kept = vscode.l10n.t('Kept in the secret storage, sent to this database only.');
  const typed = await vscode.window.showInputBox({
    title: vscode.l10n.t('Password of the queue {0}', shown),
    prompt: isAgain ? `${vscode.l10n.t('The database refused the password.')} ${kept}` : kept,
    password: true,
    ignoreFocusOut: true,
  });
  if (!typed) throw new ThoughtTreeError('declined', notBegun());
  return typed;
}

/** A model of a server of the person's own is known to workers by its protocol and the server's origin. */
async function fleetModel(
  leader: FleetLeader,
  name: string,
  workspace: string,
  agents: AgentPlace | undefined,
): Promise<Model> {
  const searches = await loadSearches();
  const { servers, timeoutMs, prices } = settingsFor(vscode.Uri.file(workspace));
  const seconds = timeoutMs / 1000;
  if (agents && isAgent(name))
    return leader.model({ name, origin: agents.origin(name), price: undefined, seconds, agents });
  const [provider = '', ...rest] = name.split('/');
  const isOwn = isOwnServer(provider, servers, searches);
  const options: FleetModelOptions = {
    name: isOwn ? `${OWN_SERVER}/${rest.join('/')}` : name,
    origin: originOf(servers[provider]),
    price: prices[name] ?? searches.priceOf(name),
    seconds,
  };
  const model = leader.model(options);
  return isOwn ? searches.renamed(model, name) : model;
}

const KEY = 'thoughtTree.queuePassword';

/** The password of the queue, in the editor's own secret storage; it belongs to the address that it was entered for. */
export class QueuePassword {
  readonly #secrets: vscode.SecretStorage;

  constructor(secrets: vscode.SecretStorage) {
    this.#secrets = secrets;
  }

  /** @param address the whole setting: whatever of it changes, it may lead elsewhere, or there in a weaker way */
  async get(address: string): Promise<string | undefined> {
    const kept = await this.#secrets.get(KEY);
    if (kept === undefined) return undefined;
    try {
      const { of, password } = JSON.parse(kept) as { of?: unknown; password?: unknown };
      return of === address && typeof password === 'string' ? password : undefined;
    } catch {
      return undefined;
    }
  }

  async set(address: string, password: string): Promise<void> {
    await this.#secrets.store(KEY, JSON.stringify({ of: address, password }));
  }

  /** @returns whether there was one */
  async remove(): Promise<boolean> {
    const kept = await this.#secrets.get(KEY);
    await this.#secrets.delete(KEY);
    return kept !== undefined;
  }
}

/** Returns the address with a password, for the connection alone. */
export function withPassword(address: string, password: string | undefined): string {
  const url = URL.parse(address);
  if (!url || password === undefined) return address;
  url.password = encodeURIComponent(password);
  return url.href;
}
