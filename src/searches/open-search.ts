import { posix } from 'node:path';
import type { Message } from '../core/messages/message.ts';
import type { AllowsExperiment } from '../core/ports/experiments.ts';
import type { Model } from '../core/ports/model.ts';
import type { Store } from '../core/ports/store.ts';
import type { JournalEvent } from '../core/search/events.ts';
import type { Read } from '../core/search/reading.ts';
import type { SearchFile } from '../core/search/search-file.ts';
import { checkModel } from '../engine/kind/check-model.ts';
import { type Kinds, loadKind } from '../engine/kind/kinds.ts';
import { Search } from '../engine/search.ts';
import type { SearchParts } from '../engine/search-parts.ts';
import { createSearch, openForWriting, readSearchId } from '../store/open-store.ts';
import { systemClock, systemRandom } from '../store/system-ports.ts';
import { lazyWorkspaceText } from './lazy-workspace-text.ts';
import { limitsHeldBack, nothingHoldsPrograms } from './messages.ts';
import { folderInWorkspace, type Place } from './place.ts';
import { checkReading, isBlindRun, rejectReaders, type Sent, sentOf } from './reading.ts';
import { ownKey } from './trust/own-key.ts';
import { type OwnSettings, ownSearch } from './trust/own-search.ts';
import type { WorkRequest } from './work/consent.ts';
import { openExperimentsOf } from './work/open-experiments.ts';
import { assertWorkable, type OpenWork, openWork } from './work/open-work.ts';

/** The choices and callbacks for opening a search for work. */
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
  /** The parts of the workspace that its models may see; by default as search.json says and this person allowed. */
  readonly read?: Read | undefined;
  /** False if prompts are to contain nothing of the workspace, whatever `read` says. */
  readonly context?: boolean | undefined;
  /** Its model may use tools to read the workspace, as far as `read` allows. */
  readonly tools?: boolean | undefined;
  /** The language of its reports; English by default. */
  readonly translation?: SearchParts['translation'] | undefined;
  /** Files that models may be shown as they are, by this person's own word and nobody else's. */
  readonly allowedFiles?: readonly string[] | undefined;
  /** This person's settings, for where neither this run nor what they did before says anything. */
  readonly settings?: OwnSettings | undefined;
  /** This person agreed to the model, by naming it or when asked; an action at rest calls none. */
  readonly isAgreed?: boolean | undefined;
  /** The address of the model's server, if this person gave one: remembered with the model. */
  readonly address?: string | undefined;
  readonly place: Place;
  readonly openModel: () => Promise<Model>;
  /** Opens the model that picks and evaluates, if different. */
  readonly openJudge?: (() => Promise<Model>) | undefined;
  /** Checks what was opened before anything is written; throws to cancel. */
  readonly approve?: ((model: Model, judge: Model | undefined) => Promise<void>) | undefined;
  /**
   * Asks a person whether models may see files of a folder where that goes without saying of no other: their home folder, a
   * disk, somebody else's. Without it, they may not.
   */
  readonly mayRead?: ((why: Message) => Promise<boolean>) | undefined;
  /** The search to create first; undefined if it exists. */
  readonly create?: SearchFile | undefined;
  /** The plan that it begins with, as its kind checked it; one that is there already stays. */
  readonly plan?: string | undefined;
  /** Asks whether a small program of a model may run, where its kind may try things; without it, none can. */
  readonly allowsExperiment?: AllowsExperiment | undefined;
  /** For kinds that change files and run commands; without it, they cannot. */
  readonly work?: WorkRequest | undefined;
}

/** A search that this process holds, ready to run. */
export interface OpenedSearch {
  readonly search: Search;
  readonly model: Model;
  readonly judge: Model | undefined;
  readonly store: Store;
  /** The events of the opening itself: limits changed, nodes reopened. */
  readonly early: readonly JournalEvent[];
  /** The parts of the workspace that go to whom, in a sentence; undefined for models in this process. */
  readonly sent: Sent | undefined;
  /** The options that its search.json asks for and does not get. */
  readonly heldBack: readonly Message[];
}

/** Opens model, files and search, in that order: a missing repository or model must not leave a search behind. */
export async function openSearch(request: OpenRequest): Promise<OpenedSearch> {
  const { kinds, place, openModel, openJudge, approve, create } = request;
  const { limits, timeoutMs, findHooks, translation, allowedFiles, settings, slots, isAgreed = true } = request;
  const given = withoutMissing({ limits, timeoutMs, findHooks, translation, slots });
  if (create && request.work && (await loadKind(kinds, create)).face.takesWork) await assertWorkable(place.workspace);
  const model = await openModel();
  let judge: Model | undefined;
  let store: Store | undefined;
  let work: OpenWork | undefined;
  try {
    judge = await openJudge?.();
    await approve?.(model, judge);
    if (create) checkModel((await loadKind(kinds, create)).face, model, judge);
    if (create) {
      await checkReading(request, model, create);
      await createSearch(place.folder, create);
    }
    const ports = { clock: systemClock, random: systemRandom };
    const held = await openForWriting(place.folder, { ...ports, sealKey: ownKey() });
    store = held;
    if (request.plan !== undefined && (await held.readPlan()) === undefined) await held.writePlan(request.plan);
    const opening = { kinds, folder: place.folder, created: create, isAgreed, settings, given: request };
    const file = create ?? (await held.readSearch());
    if (!create) await checkReading(request, model, file);
    const formerId = await readSearchId(place.folder);
    const { own, run, heldBack, remember, id } = await ownSearch(held, opening);
    const early: JournalEvent[] = [];
    const listener = (event: JournalEvent): void => void early.push(event);
    const folder = folderInWorkspace(place);
    const models = { model, ...(judge && { judge }) };
    const searches = posix.dirname(folder);
    const { face } = await loadKind(kinds, file);
    const isBlind = isBlindRun(run, [request.read, settings?.read, file.options.read]);
    if (isBlind) rejectReaders(face, [model, judge]);
    const workspaceText = lazyWorkspaceText(place.workspace, allowedFiles, searches);
    if (request.work && face.takesWork)
      work = await openWork({ place, id, formerId, asked: request.work, allowedFiles });
    const { tools } = run.tools || face.takesWork ? await import('./tools/tools.ts') : {};
    const allows = face.mayTry && run.tools ? request.allowsExperiment : undefined;
    const files = async (): Promise<readonly string[]> =>
      (await tools?.filesForCopy(place.workspace, allowedFiles, searches)) ?? [];
    const experiments = allows && (await openExperimentsOf({ place, id, formerId, allows, allowedFiles, files }));
    const toolbox = run.tools && tools?.openToolbox(place.workspace, allowedFiles, searches, experiments);
    const workshop = {
      ...(work && { workshop: work.workshop }),
      ...(face.takesWork && tools && { toolsIn: tools.toolsIn(allowedFiles) }),
    };
    // A workspace that nobody may see is not even opened; a model in this process sends nothing.
    const seen = isBlind && model.prose !== false ? {} : { workspaceText, ...(toolbox && { toolbox }) };
    const reading = { ...seen, ...workshop };
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
      sent: sentOf(run, face, place.workspace, [model, judge]),
      heldBack: [
        ...heldBack,
        ...(areLowered ? [limitsHeldBack()] : []),
        ...(allows && !experiments ? [nothingHoldsPrograms()] : []),
      ],
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

/** Drops fields that are undefined, for options that must be missing rather than undefined. */
function withoutMissing<T extends object>(options: T): Present<T> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Present<T>;
}
