import { SerialQueue } from '../../../core/concurrency/serial-queue.ts';
import type { Workshop } from '../../../core/ports/workshop.ts';
import { walk } from '../../../core/tree/tree.ts';
import type { SearchContext } from '../../../engine/search-context.ts';
import type { WorkGraphOptions } from '../face.ts';
import { commandsIn, commandsOf } from '../plan/commands.ts';
import type { PlanFile } from '../plan/plan.ts';
import { tellWithout } from './began-without.ts';
import { planOf } from './plan-of.ts';
import { atomFieldsOf, shopOf } from './work-search.ts';

/** A plan with the command that prepares each checkout, as whoever began the search said; by default as the plan says. */
export function withSetUp(plan: PlanFile, options: SearchContext['options']): PlanFile {
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

  /** The lines of atoms that are not in the plan: a redirection, or a person by hand, added them. */
  #added(): string[] {
    return [...walk(this.#ctx.tree.root)].flatMap((node) => {
      const { run, checks = [] } = atomFieldsOf(node) ?? {};
      return [...(run === undefined ? [] : [run]), ...commandsIn(checks)];
    });
  }
}
