import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Message } from '../../core/messages/message.ts';
import { costOf } from '../../core/money/price.ts';
import { type Model, type Price, type Usage, wrappedModel } from '../../core/ports/model.ts';
import type { Purse, PurseCall, PurseRefusal } from '../../core/ports/purse.ts';
import { ThoughtTreeError, toThoughtTreeError } from '../../core/search/errors.ts';
import type { JournalEvent, SearchEvent, WorstCase } from '../../core/search/events.ts';
import { worstCase } from '../../engine/limits.ts';
import { thisProcess } from '../../store/lease/process-identity.ts';
import * as say from '../messages.ts';
import { realPath } from '../trust/search-use.ts';
import { folderScope, isLeft, nanoOf, type OpenCall, PurseFile, type Spent, scopesOf, usdOf } from './purse-file.ts';

/** Whose calls a purse is for. */
export interface PurseUser {
  /** The workspace, as one path however it was typed; empty for a worker, which has none. */
  readonly folder: string;
  /** The search, below the workspace. */
  readonly search: string;
}

/** One scope of a limit, as people see it. */
export interface Pocket {
  readonly scope: 'day' | 'month' | 'folder';
  /** The day, the month or the folder. */
  readonly of: string;
  /** In US dollars; the second is for calls under way, and for those that a killed process left. */
  readonly spent: number;
  readonly booked: number;
  readonly limit: number | undefined;
}

/** What was spent on calls that have something in common, in US dollars. */
export interface Sort {
  readonly of: string;
  readonly calls: number;
  readonly tokens: number;
  readonly usd: number;
  /** The part of it of which nobody told what was used. */
  readonly booked: number;
  /** Calls whose price nobody knows. */
  readonly unpriced: number;
}

type Sorts = Readonly<Record<'byModel' | 'byPurpose' | 'bySearch' | 'byDay', readonly Sort[]>>;

interface Used {
  readonly tokens: number;
  readonly usd: number;
}

/** Books a call that came through a queue, unless the search that it is for did so here; undefined if a limit is in the way. */
interface WorkerBooking {
  book(
    call: { readonly id: string; readonly model: string; readonly request: { readonly purpose: string } },
    worst: Used,
  ): Promise<((used?: Used | 'unmade') => void) | undefined>;
}

interface Step {
  readonly run: () => PurseRefusal | undefined;
  /** The call that it books. */
  readonly books: string | undefined;
  readonly resolve: (result: PurseRefusal | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The limits of a person over a day, a month and a folder, for all that they run on this computer. What processes book at the
 * same time goes through the file one after the other, and what one process books at the same time as one group.
 */
export class OwnPurse implements Purse {
  readonly #file: PurseFile;
  readonly #user: PurseUser;
  readonly #owner = JSON.stringify(thisProcess());
  /** As they are in the group of bookings that is at work. */
  #limits: ReadonlyMap<string, number> = new Map();
  #waiting: Step[] = [];
  #working: Promise<void> | undefined;
  /** What brings the bookings of calls to the disk itself. */
  readonly #keeping = new Map<string, Promise<void>>();

  constructor(file: PurseFile, user: PurseUser) {
    this.#file = file;
    this.#user = user;
  }

  async book(call: PurseCall, worst: WorstCase): Promise<PurseRefusal | undefined> {
    return await this.#step(() => this.#book(call, worst), call.call);
  }

  async kept(call: string): Promise<void> {
    const keeping = this.#keeping.get(call);
    this.#keeping.delete(call);
    await keeping;
  }

  async hear(event: SearchEvent | JournalEvent): Promise<void> {
    if (event.type === 'call-ended') await this.#tell(() => this.#settle(event)).catch(() => undefined);
    else if (event.type === 'spend-remembered' && event.taken !== undefined)
      await this.#tell(() => this.#addUnasked(event)).catch(() => undefined);
  }

  /** Says as which job of a queue a call goes out, so that a worker of the same person does not book it once more. */
  async nameJob(call: string, job: string): Promise<void> {
    await this.#tell(() => this.#file.nameJob(call, job));
  }

  /** Tells whether a search of this person on this computer has booked a job of a queue. */
  async hasJob(job: string): Promise<boolean> {
    return await this.#file.alone(() => this.#file.hasJob(job));
  }

  /** Tells what was spent today, this month and in the folder, of which limits. */
  async pockets(): Promise<Pocket[]> {
    return await this.#file.alone(() => {
      const limits = this.#file.limits();
      const open = this.#file.openCalls();
      const { folder } = this.#user;
      const day = this.#file.today();
      return scopesOf({ day, folder }).map((key, n): Pocket => {
        const scope = SCOPES[n] as Pocket['scope'];
        const booked = sumOf(open.filter((call) => scopesOf(call)[n] === key));
        const limit = limits.get(scope === 'folder' ? key : scope);
        return {
          ...{ scope, of: { day, month: day.slice(0, 7), folder }[scope] },
          ...{ spent: usdOf(this.#file.total(key) - booked), booked: usdOf(booked) },
          limit: limit === undefined ? undefined : usdOf(limit),
        };
      });
    });
  }

  /** Sets a limit in US dollars, or takes it away. */
  async setLimit(scope: Pocket['scope'], usd: number | undefined): Promise<void> {
    const key = scope === 'folder' ? folderScope(this.#user.folder) : scope;
    await this.#file.alone(() => this.#file.setLimit(key, usd === undefined ? undefined : nanoOf(usd)));
    await this.#file.flush();
  }

  /** Tells what was spent on what, the dearest first. @param from the first day */
  async sorts(from: string): Promise<Sorts> {
    const spent = await this.#file.alone(() => this.#file.spent(from));
    return {
      byModel: sortsOf(spent, ({ model }) => model),
      byPurpose: sortsOf(spent, ({ purpose }) => purpose),
      bySearch: sortsOf(spent, ({ folder, search }) => join(folder, search)),
      byDay: sortsOf(spent, ({ day }) => day).sort((a, b) => (a.of < b.of ? 1 : -1)),
    };
  }

  /** Resolves when what was told is in the file. */
  async close(): Promise<void> {
    while (this.#working) await this.#working;
    await this.#file.idle();
    this.#file.close();
  }

  async #tell(what: () => void): Promise<void> {
    const run = (): undefined => void what();
    await this.#step(run);
  }

  #step(run: Step['run'], books?: string): Promise<PurseRefusal | undefined> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ run, books, resolve, reject });
      this.#working ??= this.#work();
    });
  }

  async #work(): Promise<void> {
    await Promise.resolve(); // what is asked in the same turn goes together
    while (this.#waiting.length > 0) {
      const group = this.#waiting;
      this.#waiting = [];
      try {
        const results = await this.#file.alone(() => {
          if (group.some(({ books }) => books)) this.#limits = this.#file.limits();
          return group.map(({ run }) => run());
        });
        const calls = group.flatMap(({ books }, n) => (results[n] ? [] : (books ?? [])));
        // Nobody waits for the disk where nothing is limited.
        const keeping = calls.length > 0 && this.#limits.size > 0 ? this.#file.flush() : undefined;
        keeping?.catch(() => undefined); // who makes the call hears of it
        if (keeping) for (const call of calls) this.#keeping.set(call, keeping);
        for (const [n, { resolve }] of group.entries()) resolve(results[n]);
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    this.#working = undefined;
  }

  #book({ call, model, purpose }: PurseCall, { tokens, usd }: WorstCase): PurseRefusal | undefined {
    const known = this.#file.openCall(call);
    const about = known ?? { ...this.#user, day: this.#file.today(), model, purpose };
    const nano = Math.max(known?.nano ?? 0, nanoOf(usd ?? 0));
    const more = nano - (known?.nano ?? 0);
    const refusal = this.#refusalOf(call, about, more);
    if (refusal) return refusal;
    const isPriced = usd === undefined ? 0 : 1;
    this.#file.putOpen({ ...about, call, tokens, nano, isPriced, owner: this.#owner });
    this.#file.add(scopesOf(about), more);
    return undefined;
  }

  #refusalOf(id: string, about: Pick<OpenCall, 'day' | 'folder'>, more: number): PurseRefusal | undefined {
    const inTheWay = scopesOf(about).flatMap((key, n) => {
      const scope = SCOPES[n] as Pocket['scope'];
      const limit = this.#limits.get(scope === 'folder' ? key : scope) ?? Number.POSITIVE_INFINITY;
      return this.#file.total(key) + more > limit ? [{ key, n, scope, limit }] : [];
    });
    const [first] = inTheWay;
    if (!first) return undefined;
    const ending = this.#file.openCalls().filter((each) => each.call !== id && !isLeft(each));
    const mayPass = inTheWay.every(({ key, n, limit }) => {
      const passing = sumOf(ending.filter((call) => scopesOf(call)[n] === key));
      return this.#file.total(key) - passing + more <= limit;
    });
    return { mayPass, why: whyNot(first.scope, this.#file.total(first.key), first.limit, more) };
  }

  /** As the search itself counts it; a call that was settled before, or booked by nobody, is not counted again. */
  #settle({ call, usage, charged, booked }: Extract<SearchEvent, { type: 'call-ended' }>): void {
    this.#keeping.delete(call);
    const open = this.#file.openCall(call);
    if (!open) return;
    this.#file.dropOpen(call);
    const isMade = usage !== undefined || charged;
    const told = usage && (usage.usd === undefined ? undefined : nanoOf(usage.usd));
    const worst = Math.max(open.nano, nanoOf(booked?.usd ?? 0));
    const nano = isMade ? (told ?? (usage ? open.nano : worst)) : 0;
    this.#file.add(scopesOf(open), nano - open.nano);
    if (!isMade) return;
    const tokens = usage ? usage.prompt + usage.completion : Math.max(open.tokens, booked?.tokens ?? 0);
    const isUnpriced = told === undefined && open.isPriced === 0 && booked?.usd === undefined;
    const { day, folder, search, model, purpose } = open;
    this.#file.addSpent({
      ...{ day, folder, search, model, purpose, calls: 1, tokens, nano },
      ...{ booked: told === undefined ? nano : 0, unpriced: isUnpriced ? 1 : 0 },
    });
  }

  #addUnasked({ calls, tokens, usd }: Extract<SearchEvent, { type: 'spend-remembered' }>): void {
    const about = { ...this.#user, day: this.#file.today(), model: '', purpose: '' };
    const nano = nanoOf(usd);
    this.#file.add(scopesOf(about), nano);
    this.#file.addSpent({ ...about, calls, tokens, nano, booked: 0, unpriced: 0 });
  }
}

const SCOPES = ['day', 'month', 'folder'] as const;

function sumOf(calls: readonly OpenCall[]): number {
  return calls.reduce((sum, { nano }) => sum + nano, 0);
}

function sortsOf(spent: readonly Spent[], nameOf: (each: Spent) => string): Sort[] {
  const sums = new Map<string, Spent>();
  for (const each of spent) {
    const known = sums.get(nameOf(each));
    const add = (name: 'calls' | 'tokens' | 'nano' | 'booked' | 'unpriced'): number =>
      each[name] + (known?.[name] ?? 0);
    const sum = { calls: add('calls'), tokens: add('tokens'), nano: add('nano') };
    sums.set(nameOf(each), { ...each, ...sum, booked: add('booked'), unpriced: add('unpriced') });
  }
  return Array.from(sums, ([of, { calls, tokens, nano, booked, unpriced }]) => {
    return { of, calls, tokens, usd: usdOf(nano), booked: usdOf(booked), unpriced };
  }).sort((a, b) => b.usd - a.usd);
}

const WHY = { day: say.purseOfDay, month: say.purseOfMonth, folder: say.purseOfFolder };

function whyNot(scope: Pocket['scope'], total: number, limit: number, more: number): Message {
  return WHY[scope]({ limit: usdOf(limit), used: usdOf(total), next: usdOf(more) });
}

/**
 * Opens the purse of this user; undefined where there can be none.
 * @throws ThoughtTreeError `not-writable` if there is one that cannot be used
 */
export function openPurse(user: PurseUser): OwnPurse | undefined {
  const file = PurseFile.open();
  return file && new OwnPurse(file, user);
}

/**
 * Makes calls that belong to no search go through the purse: each is booked at its worst case, or refused.
 * @param workspace the folder that they are about
 */
export function throughPurse(model: Model, workspace: string): Model {
  const generate: Model['generate'] = async (request, how) => {
    const purse = model.free ? undefined : openPurse({ folder: await realPath(workspace), search: '' });
    if (!purse) return await model.generate(request, how);
    const { purpose, node } = request;
    const call = randomUUID();
    const ended = { type: 'call-ended' as const, call, node, purpose, outcome: 'ok', ms: 0 };
    try {
      const refusal = await purse.book({ call, model: model.name, purpose }, worstCase(request, model));
      if (refusal) throw new ThoughtTreeError('budget', refusal.why, { charged: false });
      const make = (): ReturnType<Model['generate']> => model.generate(request, how);
      const answer = await purse
        .kept(call)
        .then(make)
        .catch(async (error: unknown) => {
          await purse.hear({ ...ended, charged: toThoughtTreeError(error).details.charged !== false });
          throw error;
        });
      const usage = answer.usage && pricedUsage(answer.usage, model.price);
      await purse.hear({ ...ended, charged: true, ...(usage && { usage }) });
      return answer;
    } finally {
      await purse.close();
    }
  };
  return wrappedModel(model, { generate });
}

function pricedUsage(usage: Usage, price: Price | undefined): Usage {
  return price ? { ...usage, usd: Math.max(usage.usd ?? 0, costOf(usage, price)) } : usage;
}

/** Returns what says as which job of a queue a call goes out: a worker of the same person does not book it once more. */
export function jobNames(): (call: string, job: string) => Promise<void> {
  const purse = openPurse({ folder: '', search: '' });
  return async (call, job) => await purse?.nameJob(call, job).catch(() => undefined);
}

/** Returns what books the calls of a worker; undefined where this user can have no limits over everything. */
export function workerPurse(): WorkerBooking | undefined {
  const purse = openPurse({ folder: '', search: '' });
  if (!purse) return undefined;
  const book: WorkerBooking['book'] = async ({ id, model, request: { purpose } }, worst) => {
    if (await purse.hasJob(id)) return () => undefined;
    const call = randomUUID();
    if (await purse.book({ call, model, purpose }, worst)) return undefined;
    const settle = (used?: Used | 'unmade'): void => {
      const isMade = used !== 'unmade';
      const usage = isMade && used && { usage: { prompt: used.tokens, cached: 0, completion: 0, usd: used.usd } };
      const ended = { call, node: '', purpose, outcome: 'ok', ms: 0, charged: isMade };
      void purse.hear({ type: 'call-ended', ...ended, ...usage });
    };
    await purse.kept(call).catch((error: unknown) => {
      settle('unmade');
      throw error;
    });
    return settle;
  };
  return { book };
}

/** Tells what was spent, of which limits. @param folder a workspace, as one path however it was typed */
export async function pocketsOf(folder: string): Promise<readonly Pocket[]> {
  const purse = openPurse({ folder, search: '' });
  const pockets = (await purse?.pockets()) ?? [];
  await purse?.close();
  return pockets;
}

/**
 * Returns the most that a person's limits leave for a search of a folder, in US dollars; undefined where they set none.
 */
export async function purseLeft(workspace: string): Promise<number | undefined> {
  const pockets = await pocketsOf(await realPath(workspace));
  const left = pockets.flatMap(({ limit, spent, booked }) => (limit === undefined ? [] : [limit - spent - booked]));
  return left.length === 0 ? undefined : Math.max(0, Math.min(...left));
}
