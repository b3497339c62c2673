import { realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { parse, posix, relative, sep } from 'node:path';
import type { KindDescriptor } from '../core/kind/kind-descriptor.ts';
import type { Message } from '../core/messages/message.ts';
import { memberText } from '../core/money/several-models.ts';
import type { Model } from '../core/ports/model.ts';
import type { Store } from '../core/ports/store.ts';
import type { AllowsExperiment } from '../core/ports/workshop.ts';
import type { WorkspaceText } from '../core/ports/workspace-text.ts';
import { ThoughtTreeError } from '../core/search/errors.ts';
import type { JournalEvent } from '../core/search/events.ts';
import { FORMER_READ, type Read, type Reading, readingOf, readNamed } from '../core/search/reading.ts';
import { type SearchFile, withoutMissing } from '../core/search/search-file.ts';
import { checkModel, type Kinds, loadKind } from '../engine/kind.ts';
import type { Search } from '../engine/search.ts';
import { openHeldSearch, type SearchParts } from '../engine-parts/opening/open-held-search.ts';
import { createSearch, openForReading, openForWriting, readSearchId } from '../store/open-store.ts';
import { systemClock, systemRandom } from '../store/system-ports.ts';
import * as say from './messages.ts';
import { folderOfAnother, homeFolder, limitsHeldBack, nothingHoldsPrograms, wholeDisk } from './messages.ts';
import { isFreeModel, sharedBy } from './models/choose-model.ts';
import { oldPrices, priceOf } from './models/own-prices.ts';
import { assertWorkable, type OpenWork, openExperimentsOf, openWork, type WorkRequest } from './open-work.ts';
import { folderInWorkspace, type Place } from './place.ts';
import type { OwnPurse } from './purse/purse.ts';
import { type OwnSettings, ownSearch } from './trust/own-search.ts';
import { realPath, recallUse } from './trust/search-use.ts';
import { ownKey } from './trust/state-folder.ts';

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
  /** Opens one of several models that share the work, by its name; without it, the model does all. */
  readonly openMember?: ((name: string) => Promise<Model>) | undefined;
  /** Checks what was opened before anything is written; throws to cancel. */
  readonly approve?: ((model: Model, judge: Model | undefined, several: readonly Model[]) => Promise<void>) | undefined;
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
  /** Those that share the work, if they are several. */
  readonly several: readonly Model[];
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
  if (create && request.work && (await loadKind(kinds, create)).descriptor.work) await assertWorkable(place.workspace);
  const model = await openModel();
  let judge: Model | undefined;
  let members: Members = [];
  let store: Store | undefined;
  let work: OpenWork | undefined;
  let purse: OwnPurse | undefined;
  try {
    judge = await openJudge?.();
    members = await openMembers(request, model);
    const several = members.map((each) => each.model);
    await approve?.(model, judge, several);
    if (create) {
      const { descriptor } = await loadKind(kinds, create);
      for (const each of [model, ...several]) checkModel(descriptor, each, judge);
    }
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
    const { own, run, heldBack, remember, keepAdoption, id } = await ownSearch(held, opening);
    const early: JournalEvent[] = [];
    const listener = (event: JournalEvent): void => void early.push(event);
    const folder = folderInWorkspace(place);
    const models = { model, members, ...(judge && { judge }) };
    const searches = posix.dirname(folder);
    const { descriptor } = await loadKind(kinds, file);
    const isBlind = isBlindRun(run, [request.read, settings?.read, file.options.read]);
    if (isBlind) rejectReaders(descriptor, [model, judge, ...several]);
    const workspaceText = lazyWorkspaceText(place.workspace, allowedFiles, searches);
    if (request.work && descriptor.work)
      work = await openWork({ place, id, formerId, asked: request.work, allowedFiles });
    const { tools } = run.tools || descriptor.work ? await import('./tools/tools.ts') : {};
    const allows = descriptor.traits.mayTry && run.tools ? request.allowsExperiment : undefined;
    const files = async (): Promise<readonly string[]> =>
      (await tools?.filesForCopy(place.workspace, allowedFiles, searches)) ?? [];
    const experiments = allows && (await openExperimentsOf({ place, id, formerId, allows, allowedFiles, files }));
    const toolbox = run.tools && tools?.openToolbox(place.workspace, allowedFiles, searches, experiments);
    const workshop = {
      ...(work && { workshop: work.workshop }),
      ...(descriptor.work && tools && { toolsIn: tools.toolsIn(allowedFiles) }),
    };
    // A workspace that nobody may see is not even opened; a model in this process sends nothing.
    const seen = isBlind && model.prose !== false ? {} : { workspaceText, ...(toolbox && { toolbox }) };
    const reading = { ...seen, ...workshop };
    const all = [...new Set([model, ...several, judge])];
    const paid = all.filter((each) => each && !each.free && each.prose !== false && !each.isSilent);
    purse = paid.length > 0 ? await purseOf(place, folder) : undefined;
    const parts = {
      ...given,
      ...run,
      own,
      kinds,
      ...ports,
      ...models,
      ...reading,
      listener,
      store: held,
      folder,
      purse,
    };
    const search = await openHeldSearch(parts);
    if (work) search.listen(work.hear);
    const areLowered = !own.isKnown && early.some(({ type }) => type === 'budget-changed');
    const names = members.map((each) => memberText({ name: each.model.name, ...withoutMissing({ most: each.most }) }));
    search.listen(remember(search, { model: model.name, judge: judge?.name, models: names, address: request.address }));
    if (keepAdoption) await keepAdoption();
    return {
      search,
      model,
      judge,
      store: held,
      early,
      several,
      sent: sentOf(run, descriptor, place.workspace, [model, judge, ...several]),
      heldBack: [
        ...heldBack,
        ...(areLowered ? [limitsHeldBack()] : []),
        ...(allows && !experiments ? [nothingHoldsPrograms()] : []),
        ...(paid.length > 0 ? [...(await notHeldByPurse(purse, paid)), ...oldPriceOf(paid)] : []),
      ],
    };
  } catch (error) {
    await work?.workshop.close();
    await purse?.close();
    await store?.close();
    for (const each of new Set([model, judge, ...members.map((member) => member.model)])) await each?.close?.();
    throw error;
  }
}

type Members = NonNullable<SearchParts['members']>;

/**
 * Opens the models that share the work of a search, as its search.json names them and a person agreed.
 * @throws ThoughtTreeError `bad-input` if one has a limit in dollars that nobody could hold
 */
async function openMembers(request: OpenRequest, model: Model): Promise<Members> {
  const { kinds, place, create, openMember, options, isAgreed = true } = request;
  if (!isAgreed || !(openMember || create)) return [];
  const file = create ?? (await (await openForReading(place.folder)).readSearch());
  const { descriptor } = await loadKind(kinds, file);
  const members: Members[number][] = [];
  try {
    for (const { name, most } of sharedBy(descriptor, { options: { ...file.options, ...options } })) {
      if (!openMember) throw new ThoughtTreeError('bad-input', say.oneModelHere());
      const opened = name === model.name ? model : await openMember(name);
      members.push({ model: opened, most });
      const isBounded = opened.free || opened.price !== undefined || opened.most?.usd !== undefined;
      if (most !== undefined && !isBounded)
        throw new ThoughtTreeError('bad-input', say.limitNeedsPrice({ model: name }));
    }
    return members;
  } catch (error) {
    for (const each of members) if (each.model !== model) await each.model.close?.();
    throw error;
  }
}

async function purseOf({ workspace }: Place, search: string): Promise<OwnPurse | undefined> {
  const { openPurse } = await import('./purse/purse.ts');
  return openPurse({ folder: await realPath(workspace), search });
}

/** Says what no limit over everything holds: calls whose price nobody knows, or all where this person can have no such limits. */
async function notHeldByPurse(
  purse: OwnPurse | undefined,
  models: readonly (Model | undefined)[],
): Promise<readonly Message[]> {
  if (!purse) return [say.noPurse()];
  if ((await purse.pockets()).every(({ limit }) => limit === undefined)) return [];
  const unpriced = models.filter((each) => each && !each.price && each.most?.usd === undefined);
  return unpriced.map((each) => say.purseUnpriced({ model: each?.name ?? '' }));
}

/** Says that prices are old, where one of a model is from the table. */
function oldPriceOf(models: readonly (Model | undefined)[]): readonly Message[] {
  const isInTable = models.some((each) => each?.price && priceOf(each.name));
  const old = isInTable ? oldPrices() : undefined;
  return old ? [old] : [];
}

// The choice of what models may see of the workspace, as far as a person is asked and told.

/**
 * Asks whether models may see files of a folder for which that does not go without saying, before anything is read or written.
 * @throws ThoughtTreeError `declined`
 */
async function checkReading(request: OpenRequest, model: Model, file: SearchFile): Promise<void> {
  const { place, read, context, tools, isAgreed = true, mayRead } = request;
  const { context: isQuoted, tools: isLookedUp } = readingOf(
    { ...file.options, ...given({ read, context, tools }) },
    FORMER_READ,
  );
  // A model in this process sends nothing; where nobody agreed to one, none is called.
  if ((!isQuoted && !isLookedUp) || model.prose === false || isFreeModel(model.name) || !isAgreed) return;
  const why = await whyAskToRead(place.workspace);
  // A person who used the search here before agreed to this then.
  if (!why || (await recallUse(place.folder)).here?.allowed) return;
  if (!(await mayRead?.(why))) throw new ThoughtTreeError('declined', say.notRead({ why }));
}

function given(said: { readonly [K in 'read' | 'context' | 'tools']: OpenRequest[K] }): Partial<SearchFile['options']> {
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
}

/** Tells whether a person says that models see nothing, and nothing else holds: then no named files are looked up. */
function isBlindRun({ context, tools }: Reading, said: readonly (Read | undefined)[]): boolean {
  return !context && !tools && said.includes('nothing');
}

/**
 * Rejects what reads the folder whatever it is told.
 * @throws ThoughtTreeError `bad-input`
 */
function rejectReaders(descriptor: KindDescriptor, models: readonly (Model | undefined)[]): void {
  if (descriptor.work) throw new ThoughtTreeError('bad-input', say.worksInFolder());
  const reader = models.find((model) => model?.most || model?.worksByItself);
  if (reader) throw new ThoughtTreeError('bad-input', say.readsByItself({ model: reader.name }));
}

/** The parts of the workspace that go to whom. */
export interface Sent {
  readonly read: Read;
  /** In a sentence. */
  readonly text: Message;
}

/** Says what of the workspace goes to whom; undefined where all models are in this process. */
function sentOf(
  reading: Reading,
  { traits: { quotesOnly } }: KindDescriptor,
  folder: string,
  [model, ...others]: readonly [Model, ...(Model | undefined)[]],
): Sent | undefined {
  const sent = [model, ...others].filter((each) => each && each.prose !== false && !isFreeModel(each.name));
  if (sent.length === 0) return undefined;
  const tools = reading.tools && model.tools === true && !quotesOnly;
  const read = readNamed({ ...reading, tools });
  const models = [...new Set(sent.map((each) => each?.label))].join(', ');
  return { read, text: sentText(read, models, folder) };
}

/** @param models their names */
export function sentText(read: Read, models: string, folder: string): Message {
  return SENT[read]({ models, folder });
}

const SENT = { nothing: say.sentNothing, quotes: say.sentQuotes, tools: say.sentTools } as const;

/**
 * Why a person is asked before models see files of a folder: it is their home folder or one above it, which hold far more than
 * what a search is about, or it belongs to somebody else. Undefined for any other.
 * @param folder an absolute path
 * @param home this person's home folder
 */
export async function whyAskToRead(folder: string, home = homedir()): Promise<Message | undefined> {
  const place = await realpath(folder).catch(() => folder);
  const own = await realpath(home).catch(() => home);
  const below = relative(place, own);
  if (place === parse(place).root) return wholeDisk({ folder });
  if (below === '' || !(below === '..' || below.startsWith(`..${sep}`) || below === own)) return homeFolder({ folder });
  const user = process.getuid?.();
  const owner = (await stat(place).catch(() => undefined))?.uid;
  // The superuser works in everybody's folders.
  return user && owner !== undefined && owner !== user ? folderOfAnother({ folder }) : undefined;
}

/**
 * The text of a folder, whose code is loaded on first use: most searches about other things never need it.
 * @param searches as for `listFiles`
 */
export function lazyWorkspaceText(
  workspace: string,
  allowedFiles?: readonly string[],
  searches?: string,
): WorkspaceText {
  let loading: Promise<WorkspaceText> | undefined;
  const load = (): Promise<WorkspaceText> => {
    loading ??= import('../models/quotes/open-workspace-text.ts').then((all) =>
      all.openWorkspaceText({ workspace, allowedFiles, searches }),
    );
    return loading;
  };
  return {
    find: async (request, signal) => (await load()).find(request, signal),
    overview: async (request, signal) => (await load()).overview(request, signal),
    read: async (path) => (await load()).read(path),
    named: async (name) => (await load()).named(name),
    asSearched: async (path) => (await load()).asSearched(path),
    close: async () => (await loading?.catch(() => undefined))?.close(),
  };
}
