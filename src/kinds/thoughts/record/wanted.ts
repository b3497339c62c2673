import * as z from 'zod';
import type { JournalEvent } from '../../../core/search/events.ts';
import type { KeptFold } from '../../../core/search/record/fold.ts';
import { pathOf, type TreeNode } from '../../../core/tree/tree.ts';

/** Settings that a person changed while the search was there; the last word counts. */
const Changed = z.object({
  threshold: z.number().min(0).max(10).optional().catch(undefined),
  candidates: z.number().int().min(1).max(50).optional().catch(undefined),
});
type Changed = z.infer<typeof Changed>;

const WantedState = z.object({
  expanded: z.array(z.string()),
  added: z.array(z.string()),
  changed: Changed.optional(),
  ends: z.number().optional(),
});

const Value = z.object({ path: z.string().optional().catch(undefined), ends: z.number().optional().catch(undefined) });

/**
 * The wishes of people: of thoughts, by slug path, that they be continued, or included again; of the search, other
 * settings, and more ends than one.
 */
export class Wanted implements KeptFold {
  static readonly part = 'wanted';
  readonly name = Wanted.part;
  readonly #expanded = new Set<string>();
  readonly #added = new Set<string>();
  #changed: Changed = {};
  #ends = 1;

  apply(event: JournalEvent): void {
    if (event.type !== 'steered') return;
    const { action, node, args } = event;
    const { path, ends } = Value.safeParse(event.value).data ?? {};
    if (action === 'expand' && node !== undefined) this.#expanded.add(node);
    if ((action === 'add' || action === 'combine') && path !== undefined) this.#added.add(path);
    if (action === 'reconsider') {
      const { threshold, candidates } = Changed.safeParse(args).data ?? {};
      this.#changed = { ...this.#changed, ...(threshold !== undefined && { threshold }) };
      if (candidates !== undefined) this.#changed = { ...this.#changed, candidates };
    }
    if (action === 'another-solution' && ends !== undefined) this.#ends = ends;
  }

  get state(): z.infer<typeof WantedState> {
    return { expanded: [...this.#expanded], added: [...this.#added], changed: this.#changed, ends: this.#ends };
  }

  restore(state: unknown): void {
    const { expanded, added, changed = {}, ends = 1 } = WantedState.parse(state);
    for (const path of expanded) this.#expanded.add(path);
    for (const path of added) this.#added.add(path);
    this.#changed = changed;
    this.#ends = ends;
  }

  /** The settings that a person changed. */
  get changed(): Changed {
    return this.#changed;
  }

  /** The number of ends of paths that are wanted before the search has its answer. */
  get ends(): number {
    return this.#ends;
  }

  /** Tells whether somebody wants to know a thought's worth, though the search may have its solution. */
  has(node: TreeNode): boolean {
    if (this.#added.size > 0 && this.#added.has(pathOf(node))) return true;
    const { parent } = node;
    return this.#expanded.size > 0 && parent?.parent !== undefined && this.#expanded.has(pathOf(parent));
  }
}
