import * as z from 'zod';
import { SerialQueue } from '../../../core/concurrency.ts';
import { type Message, messageOf, noted } from '../../../core/messages/message.ts';
import type { Workshop } from '../../../core/ports/workshop.ts';
import type { JournalEvent, KeptFold } from '../../../core/search/events.ts';
import { walk } from '../../../core/tree/tree.ts';
import type { SearchContext } from '../../../engine/context.ts';
import type { Plan } from '../../../engine/kind.ts';
import type { WorkGraphOptions } from '../descriptor.ts';
import { listed } from '../evidence/check-work.ts';
import * as say from '../messages.ts';
import { commandsIn, commandsOf, type PlanFile } from '../plan/plan.ts';
import { planLines } from '../plan/plan-file.ts';
import { graphFrom } from './read-graph.ts';
import { atomFieldsOf, ensurePlan, planOf, shopOf, type WorkSearch } from './work-search.ts';

/**
 * Returns a plan with the command that prepares each checkout, as whoever began the search said; by default as the plan
 * says.
 */
function withSetUp(plan: PlanFile, options: SearchContext['options']): PlanFile {
  const { setUp } = options as WorkGraphOptions;
  return setUp === undefined ? plan : { ...plan, set_up: setUp };
}

/** Sees to it that the workshop has begun, and that a person agreed to every command line of plan and atoms. */
export class Readiness {
  readonly #ctx: SearchContext;
  #agreed = new Set<string>();
  readonly #queue = new SerialQueue();

  constructor(ctx: SearchContext) {
    this.#ctx = ctx;
  }

  /**
   * @returns the workshop, in which work may begin
   * @throws ThoughtTreeError `declined` if the person does not agree, or nobody can be asked
   */
  ready(signal: AbortSignal): Promise<Workshop> {
    return this.#queue.run(() => this.#ready(signal));
  }

  async #ready(signal: AbortSignal): Promise<Workshop> {
    const { store, options } = this.#ctx;
    const shop = shopOf(this.#ctx);
    const plan = withSetUp(await planOf(store), options);
    const lines = [...new Set([...commandsOf(plan), ...this.#added()])];
    if (this.#agreed.size === 0 || lines.some((line) => !this.#agreed.has(line))) {
      if (lines.length > 0) await shop.consent(lines, signal);
      this.#agreed = new Set(lines);
    }
    const withUncommitted = (options as WorkGraphOptions).uncommitted === true;
    if ((await shop.start()) === undefined) {
      await tellWithout(this.#ctx, shop);
      await shop.begin({ withUncommitted, ...(plan.set_up !== undefined && { setUp: plan.set_up }) }, signal);
    }
    return shop;
  }

  /** Returns the lines of atoms that are not in the plan: a redirection, or a person by hand, added them. */
  #added(): string[] {
    return [...walk(this.#ctx.tree.root)].flatMap((node) => {
      const { run, checks = [] } = atomFieldsOf(node) ?? {};
      return [...(run === undefined ? [] : [run]), ...commandsIn(checks)];
    });
  }
}

/**
 * Makes the plan, if there is none, has it reviewed together with the commands that it runs, and begins the line of accepted
 * work. Nothing is shown again once the plan is laid out.
 * @throws ThoughtTreeError `bad-input` if there is no plan and no model to make one; `declined` if the person does not agree
 */
export async function prepare(
  search: WorkSearch,
  show: (plan: Plan) => Promise<void>,
  making?: () => void,
): Promise<void> {
  const { store, tree } = search;
  const signal = new AbortController().signal;
  await ensurePlan(search, signal, making);
  const plan = withSetUp(await planOf(store), search.options);
  if (!graphFrom(tree).goal) {
    const check = async (): Promise<void> => void (await planOf(store));
    await show({ lines: await linesFor(search, plan), file: 'plan.yaml', check, commands: commandsOf(plan) });
    await check();
  }
  if (search.workshop) await search.ready(signal);
}

/**
 * Returns the plan with all that a person agrees to: its commands, what holds them, and what the work begins without.
 */
async function linesFor(search: WorkSearch, plan: PlanFile): Promise<Message[]> {
  const lines = planLines(plan);
  if (!search.workshop) return lines;
  const { sandbox } = shopOf(search).isolation;
  lines.push(sandbox ? say.heldBy({ sandbox }) : say.notHeld());
  lines.push(...(await beginsWithout(search.workshop, search.options)));
  return lines;
}

/** Tells what checkouts do not have of the workspace, or have although it is not committed. */
async function beginsWithout(shop: Workshop, options: SearchContext['options']): Promise<Message[]> {
  const [open, modules] = [await shop.uncommitted(), await shop.leftOut()];
  const told = { count: open.length, paths: listed(open) };
  const isTaken = (options as WorkGraphOptions).uncommitted === true;
  return [
    ...(open.length > 0 ? [isTaken ? say.uncommittedTaken(told) : say.uncommitted(told)] : []),
    ...(modules.length > 0 ? [say.withoutSubmodules({ count: modules.length, paths: listed(modules) })] : []),
  ];
}

/** Says so whoever reads along, when the work begins: also where nobody was shown a plan. */
async function tellWithout({ history, options }: SearchContext, shop: Workshop): Promise<void> {
  for (const line of await beginsWithout(shop, options)) history.note({ type: 'progress', ...noted(line) });
}

const KEYS: ReadonlySet<string> = new Set([say.uncommitted.key, say.uncommittedTaken.key, say.withoutSubmodules.key]);
const State = z.array(z.object({ key: z.string(), text: z.string().max(5000), say: z.unknown() })).max(3);

/** The notes of `beginsWithout` from when the work began, by the journal. */
export class BeganWithout implements KeptFold {
  static readonly part = 'work-began-without';
  readonly name = BeganWithout.part;
  state: z.infer<typeof State> = [];

  apply(event: JournalEvent): void {
    if (event.type !== 'progress' || !event.say || !KEYS.has(event.say.key)) return;
    const { text, say: said } = event;
    this.state = [...this.state.filter(({ key }) => key !== said.key), { key: said.key, text, say: said }];
  }

  restore(state: unknown): void {
    this.state = State.parse(state);
  }

  get lines(): Message[] {
    return this.state.map(({ text, say: said }) => messageOf(text, said));
  }
}
