import { readFile, stat } from 'node:fs/promises';
import * as z from 'zod';
import type { Message } from '../../core/messages/message.ts';
import { KnownPrice } from '../../core/money/known-price.ts';
import type { Price, Rates } from '../../core/ports/model.ts';
import { isThoughtTreeError, ThoughtTreeError, toThoughtTreeError } from '../../core/search/errors.ts';
import { send } from '../../models/http/send.ts';
import { PRICES_AS_OF, type PriceTable, priceIn } from '../../models/prices.ts';
import { readPublicPrices } from '../../models/public-prices.ts';
import * as say from '../messages.ts';
import { StateFolder } from '../trust/state-folder.ts';

/** In this user's state folder. */
const NAME = 'prices.json';
/** The largest table that is read, in bytes: those of today have two million. */
const LARGEST = 32 * 1024 * 1024;
const LONGEST_MS = 60_000;
/** A change by this factor is more likely a mistake of the table than a new price. */
const UNLIKELY = 10;
/** The days after which a table is called old. */
const OLD_DAYS = 182;
const DAY_MS = 86_400_000;

const OwnTable = z.object({
  version: z.literal(1),
  /** When it was taken over, as a date. */
  asOf: z.iso.date(),
  prices: z.record(z.string(), z.record(z.string(), KnownPrice)),
});
type OwnTable = z.infer<typeof OwnTable>;

/** The file as it was read last, so that a list of models does not read it for each of them. */
let last: { readonly text: string | undefined; readonly table: OwnTable | undefined } | undefined;

/** Returns the table that this user took over; undefined if there is none, or ours is newer. */
function ownTable(): OwnTable | undefined {
  const text = StateFolder.open()?.read(NAME);
  if (!last || last.text !== text) last = { text, table: parsed(text) };
  return last.table && last.table.asOf >= PRICES_AS_OF ? last.table : undefined;
}

function parsed(text: string | undefined): OwnTable | undefined {
  try {
    return OwnTable.safeParse(JSON.parse(text ?? 'null')).data;
  } catch {
    return undefined;
  }
}

/** Returns the price of a model, by its `provider/model` name: as this user's table has it, else as ours. */
export function priceOf(name: string): Price | undefined {
  const table = ownTable();
  return (table && priceIn(name, table.prices as PriceTable)) ?? priceIn(name);
}

/** Returns when prices were last looked up, as a date. */
export function pricesAsOf(): string {
  return ownTable()?.asOf ?? PRICES_AS_OF;
}

/** Says, once for each table, that it is older than half a year. */
export function oldPrices(now = Date.now()): Message | undefined {
  const asOf = pricesAsOf();
  if (now - Date.parse(asOf) < OLD_DAYS * DAY_MS) return undefined;
  const state = StateFolder.open();
  const told = `prices-told-${asOf}`;
  if (state?.read(told) !== undefined) return undefined;
  state?.create(told, '');
  return say.pricesAreOld({ date: asOf });
}

/** A price that is so different from the known one that a person has to say that it is right. */
export interface UnlikelyPrice {
  readonly name: string;
  readonly known: Price;
  readonly found: Price;
}

/** What an update did, in numbers of models. */
export interface UpdatedPrices {
  readonly asOf: string;
  readonly taken: number;
  readonly changed: number;
  /** Their names, in the table: with rates that no price can have, and those that the person did not agree to. */
  readonly refused: readonly string[];
  readonly left: readonly string[];
}

/**
 * Takes prices over from a public table, for this user.
 * @param from a file, or an address
 * @param agrees asks a person about prices that are unlikely
 * @throws ThoughtTreeError `bad-input`, `unreachable`, `not-writable`
 */
export async function updatePrices(
  from: string,
  agrees: (unlikely: readonly UnlikelyPrice[]) => Promise<boolean>,
  now = new Date(),
): Promise<UpdatedPrices> {
  const found = readPublicPrices(jsonIn(await textAt(from), from));
  if (!found) throw new ThoughtTreeError('bad-input', say.noPriceTable({ from }));
  const prices = new Map<string, Price>();
  const refused = new Set<string>();
  for (const { name, price, saysCached } of found)
    if (price) prices.set(name, dearer(completed(price, priceOf(name), saysCached), prices.get(name)));
    else refused.add(name);
  const unlikely = [...prices].flatMap(([name, price]): UnlikelyPrice[] => {
    const known = priceOf(name);
    return known && isUnlikely(known, price) ? [{ name, known, found: price }] : [];
  });
  const areRight = unlikely.length === 0 || (await agrees(unlikely));
  if (!areRight) for (const { name, known } of unlikely) prices.set(name, known);
  const changed = [...prices].filter(([name, price]) => !isSame(price, priceOf(name))).length;
  const table: Record<string, Record<string, Price>> = {};
  for (const [name, price] of prices) {
    const slash = name.indexOf('/');
    const provider = name.slice(0, slash);
    table[provider] = { ...table[provider], [name.slice(slash + 1)]: price };
  }
  const asOf = now.toISOString().slice(0, 10);
  const text = JSON.stringify({ version: 1, asOf, prices: table } satisfies OwnTable);
  if (!StateFolder.open()?.write(NAME, text)) throw new ThoughtTreeError('not-writable', say.pricesNotKept());
  const left = areRight ? [] : unlikely.map(({ name }) => name);
  return { asOf, taken: prices.size - left.length, changed, refused: [...refused], left };
}

function jsonIn(text: string, from: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ThoughtTreeError('bad-input', say.noPriceTable({ from }));
  }
}

async function textAt(from: string): Promise<string> {
  try {
    if (!/^https?:\/\//i.test(from)) {
      const { size } = await stat(from);
      if (size > LARGEST) throw new ThoughtTreeError('bad-input', say.priceTableTooLarge({ from }));
      return await readFile(from, 'utf8');
    }
    const response = await send(from, { signal: AbortSignal.timeout(LONGEST_MS) });
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    return await bounded(response, from);
  } catch (error) {
    if (isThoughtTreeError(error)) throw error;
    throw new ThoughtTreeError('bad-input', say.priceTableUnread({ from, why: toThoughtTreeError(error).say }));
  }
}

async function bounded(response: Response, from: string): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const piece of response.body ?? []) {
    bytes += piece.length;
    if (bytes > LARGEST) throw new ThoughtTreeError('bad-input', say.priceTableTooLarge({ from }));
    text += decoder.decode(piece, { stream: true });
  }
  return text + decoder.decode();
}

/**
 * What the table does not say of a model stays as known: without it, a call could cost more than its worst
 * case.
 */
function completed(found: Price, known: Price | undefined, saysCached: boolean): Price {
  const { cacheWrite, long } = { ...known, ...found };
  const cached = saysCached ? found.cached : Math.min(found.cached, known?.cached ?? found.cached);
  return { ...found, cached, ...(cacheWrite !== undefined && { cacheWrite }), ...(long && { long }) };
}

/** Of two entries for one model, the higher rates count. */
function dearer(one: Price, other: Price | undefined): Price {
  if (!other) return one;
  const rates = { ...other, ...one };
  for (const name of RATES) {
    const most = Math.max(one[name] ?? 0, other[name] ?? 0);
    if (one[name] !== undefined || other[name] !== undefined) Object.assign(rates, { [name]: most });
  }
  return rates;
}

const RATES = ['prompt', 'cached', 'completion', 'cacheWrite'] as const satisfies readonly (keyof Rates)[];

function isUnlikely(known: Price, found: Price): boolean {
  return RATES.some((name) => {
    const [before, now] = [known[name], found[name]];
    if (before === undefined || now === undefined) return false;
    return before !== now && Math.max(before, now) >= UNLIKELY * Math.min(before, now);
  });
}

function isSame(one: Price, other: Price | undefined): boolean {
  return other !== undefined && RATES.every((name) => one[name] === other[name]);
}
