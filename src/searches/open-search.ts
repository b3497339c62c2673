import { posix } from 'node:path';
import type { Message } from '../core/messages/message.ts';
import type { Model } from '../core/ports/model.ts';
import type { Store } from '../core/ports/store.ts';
import type { JournalEvent } from '../core/search/events.ts';
import type { SearchFile } from '../core/search/search-file.ts';
import { checkModel } from '../engine/kind/check-model.ts';
import { type Kinds, loadKind } from '../engine/kind/kinds.ts';
import { Search } from '../engine/search.ts';
import type { SearchParts } from '../engine/search-parts.ts';
import { createSearch, openForWriting, readSearchId } from '../store/open-store.ts';
import { systemClock, systemRandom } from '../store/system-ports.ts';
import { lazyWorkspaceText } from './lazy-workspace-text.ts';
import { limitsHeldBack } from './messages.ts';
import { folderInWorkspace, type Place } from './place.ts';
import { openToolbox } from './tools/open-toolbox.ts';
import { toolsIn } from './tools/writing/tools-in.ts';
import { ownKey } from './trust/own-key.ts';
import { type OwnSettings, ownSearch } from './trust/own-search.ts';
import type { WorkRequest } from './work/consent.ts';
import { type OpenWork, openWork } from './work/open-work.ts';

/** What is needed to open a search for work. */
export interface OpenRequest {
  /** The kinds that this program knows. */
  readonly kinds: Kinds;
  readonly limits?: SearchParts['limits'] | undefined;
  readonly concurrency?: number | undefined;
  /** Room for calls that may change while the search runs. */
  readonly slots?: SearchParts['slots'] | undefined;
  /** The options of its kind that this run sets; they take precedence over search.json. */
  readonly options?: object | undefined;
  readonly timeoutMs?: number | undefined;
  /** Finds a person's own hooks; by default those that come with the kind. */
  readonly findHooks?: SearchParts['findHooks'] | undefined;
  /** False if prompts are to contain no quotations of the workspace. */
  readonly context?: boolean | undefined;
  /** Whether its model may use tools to read the workspace; by default as search.json says and this person allowed. */
  readonly tools?: boolean | undefined;
  /** The language of its reports; English by default. */
  readonly translation?: SearchParts['translation'] | undefined;
  /** Files that models may be shown as they are, by this person's own word and nobody else's. */
  readonly allowedFiles?: readonly string[] | undefined;
  /** What this person's settings allow where neither this run nor what they did before says anything. */
  readonly settings?: OwnSettings | undefined;
  /** Whether this person agreed to the model, by naming it or when asked; an action at rest calls none. */
  readonly isAgreed?: boolean | undefined;
  /** The address of the model's server, if this person gave one: remembered with the model. */
  readonly address?: string | undefined;
  readonly place: Place;
  readonly openModel: () => Promise<Model>;
  /** Opens the model that picks and evaluates, if different. */
  readonly openJudge?: (() => Promise<Model>) | undefined;
  /** Checks what was opened before anything is written; throws to cancel. */
  readonly approve?: ((model: Model, judge: Model | undefined) => Promise<void>) | undefined;
  /** The search to create first; undefined if it exists. */
  readonly create?: SearchFile | undefined;
  /** The plan that it begins with, as its kind checked it; one that is there already stays. */
  readonly plan?: string | undefined;
  /** For kinds that change files and run commands; without it, they cannot. */
  readonly work?: WorkRequest | undefined;
}

/** A search that this process holds, ready to run. */
export interface OpenedSearch {
  readonly search: Search;
  readonly model: Model;
  readonly judge: Model | undefined;
  readonly store: Store;
  /** What the opening itself did: limits changed, nodes reopened. */
  readonly early: readonly JournalEvent[];
  /** What its search.json asks for and does not get. */
  readonly heldBack: readonly Message[];
}

/** Opens model, files and search, in that order: an unavailable model must not leave a search behind. */
export async function openSearch(request: OpenRequest): Promise<OpenedSearch> {
  const { kinds, place, openModel, openJudge, approve, create } = request;
  const { limits, timeoutMs, findHooks, translation, allowedFiles, settings, slots, isAgreed = true } = request;
  const given = withoutMissing({ limits, timeoutMs, findHooks, translation, slots });
  const model = await openModel();
  let judge: Model | undefined;
  let store: Store | undefined;
  let work: OpenWork | undefined;
  try {
    judge = await openJudge?.();
    await approve?.(model, judge);
    if (create) checkModel((await loadKind(kinds, create)).face, model, judge);
    if (create) await createSearch(place.folder, create);
    const ports = { clock: systemClock, random: systemRandom };
    const held = await openForWriting(place.folder, { ...ports, sealKey: ownKey() });
    store = held;
    if (request.plan !== undefined && (await held.readPlan()) === undefined) await held.writePlan(request.plan);
    const opening = { kinds, folder: place.folder, created: create, isAgreed, settings, given: request };
    const formerId = await readSearchId(place.folder);
    const { own, run, heldBack, remember, id } = await ownSearch(held, opening);
    const early: JournalEvent[] = [];
    const listener = (event: JournalEvent): void => void early.push(event);
    const folder = folderInWorkspace(place);
    const models = { model, ...(judge && { judge }) };
    const searches = posix.dirname(folder);
    const workspaceText = lazyWorkspaceText(place.workspace, allowedFiles, searches);
    const toolbox = openToolbox(place.workspace, allowedFiles, searches);
    const { face } = await loadKind(kinds, create ?? (await held.readSearch()));
    if (request.work && face.takesWork)
      work = await openWork({ place, id, formerId, asked: request.work, allowedFiles });
    const workshop = work && { workshop: work.workshop };
    const reading = { workspaceText, toolbox, toolsIn: toolsIn(allowedFiles), ...workshop };
    const parts = { ...given, ...run, own, kinds, ...ports, ...models, ...reading, listener, store: held, folder };
    const search = await Search.open(parts);
    if (work) search.listen(work.hear);
    const areLowered = !own.isKnown && early.some(({ type }) => type === 'budget-changed');
    search.listen(remember(search, { model: model.name, judge: judge?.name, address: request.address }));
    return {
      search,
      model,
      judge,
      store: held,
      early,
      heldBack: areLowered ? [...heldBack, limitsHeldBack()] : heldBack,
    };
  } catch (error) {
    await work?.workshop.close();
    await store?.close();
    await judge?.close?.();
    await model.close?.();
    throw error;
  }
}

type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** The same without the fields that are undefined, for options that must be missing rather than undefined. */
function withoutMissing<T extends object>(options: T): Present<T> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Present<T>;
}
