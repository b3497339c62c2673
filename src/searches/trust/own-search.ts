import type { OptionDescriptor } from '../../core/kind/kind-descriptor.ts';
import type { Message } from '../../core/messages/message.ts';
import type { SpendFloor } from '../../core/money/ledger.ts';
import { WORTH_OPTION } from '../../core/money/several-models.ts';
import type { JournalEvent, Results } from '../../core/search/events.ts';
import type { SpendLimits } from '../../core/search/limits.ts';
import {
  FORMER_READ,
  READS,
  type Read,
  type Reading,
  readingOf,
  readNamed,
  type SaidReading,
  saysReading,
} from '../../core/search/reading.ts';
import { findingsIn } from '../../core/search/record/search-state.ts';
import { type SearchFile, withoutMissing } from '../../core/search/search-file.ts';
import { type Kinds, loadKind } from '../../engine/kind.ts';
import type { OwnUse } from '../../engine/limits.ts';
import type { Search } from '../../engine/search.ts';
import { secretsIn } from '../../models/keys.ts';
import { readSearchId } from '../../store/open-store.ts';
import type { Instant } from '../../store/past/moment.ts';
import type { SearchStore } from '../../store/search-store.ts';
import { systemRandom, textHash } from '../../store/system-ports.ts';
import { optionHeldBack } from '../messages.ts';
import { allUsed } from '../models/choose-model.ts';
import {
  type Allowed,
  isUnadopted,
  MOST_USED,
  NOTHING,
  type Recalled,
  realPath,
  recallUse,
  type SearchUse,
  writeUse,
} from './search-use.ts';

/** This person's settings, for where neither they nor their memory say anything about a search. */
export interface OwnSettings extends SaidReading, Partial<Pick<Allowed, 'concurrency'>> {
  readonly guards?: SpendLimits | undefined;
}

/** The names of the models that a search was opened with. */
interface UsedModels {
  readonly model: string;
  readonly judge?: string | undefined;
  /** Several that share the work, as an option names them: with their limits. */
  readonly models: readonly string[];
  /** Of the model's server, as this person gave it. */
  readonly address?: string | undefined;
}

/** The circumstances in which a search is opened. */
export interface Opening {
  readonly kinds: Kinds;
  readonly folder: string;
  /** The search that was just created; undefined if it existed. */
  readonly created: SearchFile | undefined;
  /** This person agreed to its model, by naming it or when asked: then it is remembered as theirs. */
  readonly isAgreed: boolean;
  readonly settings?: OwnSettings | undefined;
  readonly given: GivenOptions;
}

/**
 * The choices that decide over a search in place of its folder: this person's flags and settings, and what they did
 * with it before. The rest of the folder says what is asked for, within that.
 */
export interface OwnSearch {
  /** The search's id, known to this user alone. */
  readonly id: string;
  /** For the engine. */
  readonly own: OwnUse;
  readonly run: RunOptions;
  /** The options that search.json asks for and does not get, for people. */
  readonly heldBack: readonly Message[];
  /** Remembers from here on what happens to the search. */
  remember(search: Search, models: UsedModels): (event: JournalEvent) => void;
  /** Remembers that it was adopted, once that is in its journal; undefined if it was not. */
  readonly keepAdoption: (() => Promise<void>) | undefined;
}

/** Decides it for a search that this process holds, and gives the search an id of its own where this user had none for it. */
export async function ownSearch(store: SearchStore, opening: Opening): Promise<OwnSearch> {
  const { kinds, folder, created, isAgreed, settings, given } = opening;
  const file = created ?? (await store.readSearch());
  const { descriptor } = await loadKind(kinds, file);
  const recalled = await recallOwn(store, folder);
  const known = recalled.here ?? (isAgreed ? recalled.elsewhere : withoutModels(recalled.elsewhere));
  const allowed =
    known?.allowed ??
    (created ? allowedByStart(descriptor.options, created) : allowedByDefault(descriptor.options, settings));
  const before = created ? textAt(created, WORTH_OPTION) : known?.before;
  const run = withWorth(withinAllowed(withSettings(allowed, settings), file, given), file, before);
  const path = await realPath(folder);
  const id = await ownId(store, recalled, path, withoutModels(known));
  let remembering: Remembering | undefined;
  return {
    id,
    own: ownUseOf(known, settings?.guards, recalled.bounds),
    run,
    heldBack: [...heldBack(file, run), ...readHeldBack(file, run, given)],
    keepAdoption: known || created ? undefined : async () => remembering?.seal(await adoptedSeal(store)),
    remember(search, { model, judge, models, address }) {
      const at = address !== undefined && secretsIn(address).length === 0 ? { address } : {};
      const several = models.length > 0 ? { models: allUsed(known?.models ?? [], models).slice(-MOST_USED) } : {};
      const told = known ?? recalled.bounds;
      const used = isAgreed ? { model, judge, ...told, ...several, ...at, allowed: widened(allowed, run) } : told;
      const use: SearchUse = {
        ...used,
        ...withoutMissing({ before }),
        ...(created && { isBegun: true }),
        version: 1,
        path,
        ...(known ? opened(known) : { sealed: { ...NOTHING, isOpen: created !== undefined } }),
      };
      const own = new Remembering(id, use, () => search.record.ledger.spent, file.kind);
      remembering = own;
      store.onSealed = (seal) => own.seal(seal ? { ...seal, isOpen: false } : (known ?? use).sealed);
      own.write();
      return (event) => own.apply(event);
    },
  };
}

/** As much as holds of a search even where what is in its folder is not this user's. */
type Bounds = Pick<SearchUse, 'limits' | 'spend'>;

/** Their memory, as far as it holds for the journal that is there. */
interface Held extends Recalled {
  /** Where the journal is not as they left it: then nothing else holds. */
  readonly bounds?: Bounds;
  /** The search was moved from where it was open: nothing is there any more. */
  readonly isMoved?: boolean;
}

/**
 * Returns what this user did with a search that this process holds, if its journal is as they left it: an id alone is known to
 * whoever was given a copy. More than has a seal may be in it only where it is, or where it was moved to.
 */
async function recallOwn(store: SearchStore, folder: string): Promise<Held> {
  const recalled = await recallUse(folder);
  const { here, elsewhere } = recalled;
  const use = here ?? elsewhere;
  if (!use?.sealed) return recalled;
  const { sealed, limits, spend, path } = use;
  const isMoved = elsewhere !== undefined && sealed.isOpen && (await readSearchId(path)) !== recalled.id;
  if (await store.hasSeal(sealed, sealed.isOpen && (here !== undefined || isMoved))) return { ...recalled, isMoved };
  const id = isUnadopted(use) && path === (await realPath(folder)) ? recalled.id : undefined;
  return { id, here: undefined, elsewhere: undefined, bounds: withoutMissing({ limits, spend }) };
}

/** From here on, until it is closed again, more may be in the journal than has a seal. */
function opened({ sealed }: SearchUse): Pick<SearchUse, 'sealed'> {
  return sealed ? { sealed: { ...sealed, isOpen: true } } : {};
}

/** Without a seal, it is adopted again: nobody could tell what was added. */
async function adoptedSeal(store: SearchStore): Promise<SearchUse['sealed']> {
  const seal = await store.sealNow().catch(() => undefined);
  return seal ? { ...seal, isOpen: true } : { ...NOTHING, isOpen: false };
}

/**
 * Makes ready to forget texts in a search that this process holds. That changes its journal, which stays what it was: this
 * user's own, or not.
 */
export async function holdToForget(store: SearchStore, folder: string): Promise<void> {
  const held = await recallOwn(store, folder);
  const known = held.here ?? withoutModels(held.elsewhere);
  if (!known) return store.sealNothing();
  const path = await realPath(folder);
  const id = await ownId(store, held, path, known);
  // Killed midway, it is no journal that anybody ever sealed.
  writeUse(id, { ...known, path, sealed: { ...NOTHING, isOpen: true } }, true);
  store.onSealed = (seal) => seal && writeUse(id, { ...known, path, sealed: { ...seal, isOpen: false } });
}

/**
 * Returns what this user did with the search in a folder, for a forecast. `isHere` says whether they did it in this
 * folder: a copy has the same id, and may have been in other hands. So may have what was before they adopted it.
 * @param at the moment that is meant, if that is not now
 */
export async function ownUse(
  folder: string,
  guards?: SpendLimits,
  at?: Instant,
): Promise<OwnUse & { readonly isHere: boolean }> {
  const { here, elsewhere } = await recallUse(folder);
  const isHere = here !== undefined && !at?.isAdoptedLater;
  return { ...ownUseOf(here ?? elsewhere, guards), isHere };
}

/** Returns what models may see if this user continues a search: what it asks for, as far as they allowed that. */
export async function ownReading(folder: string, { options }: SearchFile): Promise<Read> {
  const { here, elsewhere } = await recallUse(folder);
  const { context, tools } = readingOf(options, FORMER_READ);
  const allowed = (here ?? elsewhere)?.allowed ?? { context: true, tools: false };
  return readNamed({ context: context && allowed.context, tools: tools && allowed.tools });
}

function ownUseOf(use: SearchUse | undefined, guards: SpendLimits | undefined, bounds: Bounds = {}): OwnUse {
  const isOwnSystemText = (text: string): boolean => use?.system === textHash(text);
  const { limits, spend } = use ?? bounds;
  return { isKnown: use !== undefined, limits, spend, guards, isOwnSystemText };
}

/** Forbids what the person's settings forbid now, also where it was once allowed. */
function withSettings(allowed: Allowed, settings: OwnSettings | undefined): Allowed {
  if (!settings) return allowed;
  const most = settings.read === undefined ? settings : readingOf(settings, settings.read);
  return {
    ...allowed,
    context: allowed.context && most.context !== false,
    tools: allowed.tools && most.tools !== false,
  };
}

/** Says what models were worth before as this user's state has it: a folder that says more would steer where money goes. */
function withWorth(run: RunOptions, file: SearchFile, before: string | undefined): RunOptions {
  if (before === undefined && file.options[WORTH_OPTION] === undefined) return run;
  return { ...run, options: { ...run.options, [WORTH_OPTION]: before ?? '[]' } };
}

function textAt({ options }: SearchFile, name: string): string | undefined {
  const text: unknown = options[name];
  return typeof text === 'string' ? text : undefined;
}

/** Limits and spend hold wherever a search is; a model is asked for again, once one is needed. */
function withoutModels(use: SearchUse | undefined): SearchUse | undefined {
  if (!use) return undefined;
  const { model: _model, judge: _judge, ...rest } = use;
  return rest;
}

/**
 * Returns the id of a search. A copy gets one of its own, and so does a search that came with one: whoever sent it must not know
 * it. What holds of it is remembered first, on the disk itself: it may be killed at any time.
 * @param known what this user did with it
 */
async function ownId(
  store: SearchStore,
  { id, here, elsewhere, bounds, isMoved }: Held,
  path: string,
  known: SearchUse | undefined,
): Promise<string> {
  if (id !== undefined && bounds) return id;
  const own = id !== undefined && here ? id : systemRandom.id();
  const use = here ?? known;
  const isSame = here && (!here.sealed || here.sealed.isOpen);
  if (use && !isSame) writeUse(own, { ...use, path, ...opened(use) }, true);
  else if (bounds) writeUse(own, { ...bounds, version: 1, path, sealed: { ...NOTHING, isOpen: false } }, true);
  if (use)
    store.onSealed = (seal) => writeUse(own, { ...use, path, sealed: seal ? { ...seal, isOpen: false } : use.sealed });
  if (own === id) return own;
  await store.writeId(own);
  // All else with the old id is a copy.
  if (id !== undefined && elsewhere?.sealed && isMoved)
    writeUse(id, { ...elsewhere, sealed: { ...elsewhere.sealed, isOpen: false } });
  return own;
}

/** Less of the workspace than it asks for, unless this person says so now. */
function readHeldBack({ options }: SearchFile, run: RunOptions, given: GivenOptions): Message[] {
  const wanted = readNamed(readingOf(options, FORMER_READ));
  const used = readNamed(run);
  const isLess = READS.indexOf(used) < READS.indexOf(wanted);
  return isLess && !saysReading(given) ? [optionHeldBack({ name: 'read', wanted, used })] : [];
}

function heldBack({ options: asked }: SearchFile, run: RunOptions): Message[] {
  const now: Readonly<Record<string, unknown>> = { ...run.options, concurrency: run.concurrency };
  return Object.entries(now).flatMap(([name, used]) => {
    const wanted = (asked as Readonly<Record<string, unknown>>)[name];
    const isLess =
      typeof wanted === 'number' ? typeof used === 'number' && used < wanted : wanted === true && used === false;
    return isLess ? [optionHeldBack({ name, wanted: String(wanted), used: String(used) })] : [];
  });
}

/** The number of slots of a search that says nothing else. */
const USUAL_CONCURRENCY = 4;

/** This person's choices for this run; the rest follows from search.json, as far as they allow it. */
interface GivenOptions {
  readonly read?: Read | undefined;
  readonly tools?: boolean | undefined;
  readonly context?: boolean | undefined;
  readonly concurrency?: number | undefined;
  /** Options of its kind. */
  readonly options?: object | undefined;
}

/** The options that hold for a run. */
interface RunOptions {
  readonly tools: boolean;
  readonly context: boolean;
  readonly concurrency: number;
  readonly options: object;
}

/** Returns what a search may ask for that this user did not begin here. */
export function allowedByDefault(
  descriptors: readonly OptionDescriptor[],
  settings: SaidReading & Partial<Pick<Allowed, 'concurrency'>> = {},
): Allowed {
  return {
    ...readingOf(settings, FORMER_READ),
    concurrency: settings.concurrency ?? USUAL_CONCURRENCY,
    options: Object.fromEntries(
      descriptors.flatMap(({ name, bounded, default: usual }) => (bounded ? [[name, Number(usual)]] : [])),
    ),
  };
}

/** Returns what a search asks for that this user begins. */
export function allowedByStart(descriptors: readonly OptionDescriptor[], file: SearchFile): Allowed {
  const usual = allowedByDefault(descriptors);
  const { concurrency = usual.concurrency } = file.options;
  return {
    ...readingOf(file.options, FORMER_READ),
    concurrency,
    options: { ...usual.options, ...numbersAt(Object.keys(usual.options), file.options) },
  };
}

/** Returns the options of a run: this person's, else those of search.json, as far as they are allowed. */
export function withinAllowed(allowed: Allowed, { options: asked }: SearchFile, given: GivenOptions): RunOptions {
  const wanted = readingOf(asked, FORMER_READ);
  const own = { context: wanted.context && allowed.context, tools: wanted.tools && allowed.tools };
  const numbers = Object.entries(numbersAt(Object.keys(allowed.options), asked));
  const bounded = numbers.map(([name, value]) => [name, Math.min(value, allowed.options[name] ?? value)]);
  return {
    ...(given.read === undefined ? { ...own, ...onlyGiven(given, wanted) } : readingOf(given, given.read)),
    concurrency: given.concurrency ?? Math.min(asked.concurrency ?? USUAL_CONCURRENCY, allowed.concurrency),
    options: { ...Object.fromEntries(bounded), ...given.options },
  };
}

/** Returns what this person says now; no `context` means no `tools`, unless they chose just that before. */
function onlyGiven({ context, tools }: GivenOptions, wanted: Reading): Partial<Pick<RunOptions, 'context' | 'tools'>> {
  const looksUp = tools ?? (context === false && wanted.context ? false : undefined);
  return { ...(context !== undefined && { context }), ...(looksUp !== undefined && { tools: looksUp }) };
}

/** Returns what is allowed after a run with these options: what was allowed once stays so. */
export function widened(allowed: Allowed, run: RunOptions): Allowed {
  const names = Object.keys(allowed.options);
  const used = numbersAt(names, run.options as Readonly<Record<string, unknown>>);
  return {
    tools: allowed.tools || run.tools,
    context: allowed.context || run.context,
    concurrency: Math.max(allowed.concurrency, run.concurrency),
    options: Object.fromEntries(names.map((name) => [name, Math.max(allowed.options[name] ?? 0, used[name] ?? 0)])),
  };
}

function numbersAt(names: readonly string[], options: Readonly<Record<string, unknown>>): Record<string, number> {
  return Object.fromEntries(
    names.flatMap((name) => (typeof options[name] === 'number' ? [[name, options[name]] as const] : [])),
  );
}

/** Returns what each of several models was worth, as the results of a search tell. */
function worthIn(results: Results, kind: string): Pick<SearchUse, 'worth'> {
  const worth = findingsIn(results, kind)?.models?.map(({ best: _, ...each }) => each);
  return worth ? { worth } : {};
}

/** The most milliseconds by which the remembered spend may be late: after a kill, the journal has the rest. */
const SPEND_AGE_MS = 1000;

/** Remembers what this user does with an open search: in their own state folder, beyond the reach of the search's folder. */
class Remembering {
  readonly #id: string;
  readonly #spent: () => SpendFloor;
  readonly #kind: string;
  #use: SearchUse;
  #written = Number.NEGATIVE_INFINITY;

  /**
   * @param use what is known of it so far
   * @param spent what it spent, calls under way left out
   * @param kind the search's
   */
  constructor(id: string, use: SearchUse, spent: () => SpendFloor, kind: string) {
    this.#id = id;
    this.#kind = kind;
    this.#use = use;
    this.#spent = spent;
  }

  /** Takes one event of the search into account. */
  apply(event: JournalEvent): void {
    if (event.type === 'search-started' || event.type === 'search-resumed') {
      const { model, judge, limits } = event;
      this.#use = { ...this.#use, model, judge, limits };
    } else if (event.type === 'budget-changed') this.#use = { ...this.#use, limits: event.limits };
    else if (event.type === 'system-text') this.#use = { ...this.#use, system: textHash(event.text) };
    else if (event.type === 'call-ended') {
      if (performance.now() - this.#written < SPEND_AGE_MS) return;
    } else if (!event.type.startsWith('search-')) return;
    // A search that came with a folder tells nothing of models.
    if ('results' in event && this.#use.isBegun) this.#use = { ...this.#use, ...worthIn(event.results, this.#kind) };
    this.write();
  }

  /** Remembers which journal is believed. */
  seal(sealed: SearchUse['sealed']): void {
    this.#use = { ...this.#use, sealed };
    this.write();
  }

  write(): void {
    this.#written = performance.now();
    writeUse(this.#id, { ...this.#use, spend: this.#spent() });
  }
}
