import type { Message } from '../../core/messages/message.ts';
import type { JournalEvent } from '../../core/search/events.ts';
import type { Guards } from '../../core/search/limits.ts';
import {
  FORMER_READ,
  READS,
  type Read,
  readingOf,
  readNamed,
  type SaidReading,
  saysReading,
} from '../../core/search/reading.ts';
import type { SearchFile } from '../../core/search/search-file.ts';
import type { Kinds } from '../../engine/kind/kinds.ts';
import { loadKind } from '../../engine/kind/kinds.ts';
import type { OwnUse } from '../../engine/own-use.ts';
import type { Search } from '../../engine/search.ts';
import { secretsIn } from '../../models/http/secrets-in.ts';
import type { SearchStore } from '../../store/search-store.ts';
import { systemRandom } from '../../store/system-ports.ts';
import { textHash } from '../../store/text-hash.ts';
import { optionHeldBack } from '../messages.ts';
import {
  allowedByDefault,
  allowedByStart,
  type GivenOptions,
  type RunOptions,
  widened,
  withinAllowed,
} from './allowed.ts';
import { Remembering } from './remembering.ts';
import { type Allowed, type Recalled, realPath, recallUse, type SearchUse } from './search-use.ts';

/** This person's settings, for where neither they nor their memory say anything about a search. */
export interface OwnSettings extends SaidReading, Partial<Pick<Allowed, 'concurrency'>> {
  readonly guards?: Guards | undefined;
}

/** The names of the models that a search was opened with. */
interface UsedModels {
  readonly model: string;
  readonly judge?: string | undefined;
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
}

/** Decides it for a search that this process holds, and gives the search an id of its own where this user had none for it. */
export async function ownSearch(store: SearchStore, opening: Opening): Promise<OwnSearch> {
  const { kinds, folder, created, isAgreed, settings, given } = opening;
  const file = created ?? (await store.readSearch());
  const { face } = await loadKind(kinds, file);
  const recalled = await recallUse(folder);
  const known = recalled.here ?? (isAgreed ? recalled.elsewhere : withoutModels(recalled.elsewhere));
  const allowed =
    known?.allowed ?? (created ? allowedByStart(face.options, created) : allowedByDefault(face.options, settings));
  const run = withinAllowed(withSettings(allowed, settings), file, given);
  const id = await ownId(store, recalled);
  const path = await realPath(folder);
  return {
    id,
    own: ownUseOf(known, settings?.guards),
    run,
    heldBack: [...heldBack(file, run), ...readHeldBack(file, run, given)],
    remember(search, { model, judge, address }) {
      const at = address !== undefined && secretsIn(address).length === 0 ? { address } : {};
      const used = isAgreed ? { model, judge, ...known, ...at, allowed: widened(allowed, run) } : known;
      const use: SearchUse = { ...used, version: 1, path };
      const remembering = new Remembering(id, use, () => search.record.ledger.spent);
      remembering.write();
      return (event) => remembering.apply(event);
    },
  };
}

/**
 * Returns what this user did with the search in a folder, for a forecast. `isHere` says whether they did it in this
 * folder: a copy has the same id, and may have been in other hands.
 */
export async function ownUse(folder: string, guards?: Guards): Promise<OwnUse & { readonly isHere: boolean }> {
  const { here, elsewhere } = await recallUse(folder);
  return { ...ownUseOf(here ?? elsewhere, guards), isHere: here !== undefined };
}

/** Returns what models may see if this user continues a search: what it asks for, as far as they allowed that. */
export async function ownReading(folder: string, { options }: SearchFile): Promise<Read> {
  const { here, elsewhere } = await recallUse(folder);
  const { context, tools } = readingOf(options, FORMER_READ);
  const allowed = (here ?? elsewhere)?.allowed ?? { context: true, tools: false };
  return readNamed({ context: context && allowed.context, tools: tools && allowed.tools });
}

function ownUseOf(use: SearchUse | undefined, guards: Guards | undefined): OwnUse {
  const isOwnSystemText = (text: string): boolean => use?.system === textHash(text);
  return { isKnown: use !== undefined, limits: use?.limits, spend: use?.spend, guards, isOwnSystemText };
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

/** Limits and spend hold wherever a search is; a model is asked for again, once one is needed. */
function withoutModels(use: SearchUse | undefined): SearchUse | undefined {
  if (!use) return undefined;
  const { model: _model, judge: _judge, ...rest } = use;
  return rest;
}

/** A copy gets an id of its own, and so does a search that came with one: whoever sent it must not know it. */
async function ownId(store: SearchStore, { id, here }: Recalled): Promise<string> {
  if (id !== undefined && here) return id;
  const fresh = systemRandom.id();
  await store.writeId(fresh);
  return fresh;
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
