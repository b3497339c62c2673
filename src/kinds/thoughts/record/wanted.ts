import * as z from 'zod';
import type { JournalEvent } from '../../../core/search/events.ts';
import type { KeptFold } from '../../../core/search/record/fold.ts';
import { pathOf, type TreeNode } from '../../../core/tree/tree.ts';

const WantedState = z.object({ expanded: z.array(z.string()), added: z.array(z.string()) });

/** What people wanted for thoughts, by slug path: that they be continued, or included again. */
export class Wanted implements KeptFold {
  readonly name = 'wanted';
  readonly #expanded = new Set<string>();
  readonly #added = new Set<string>();

  apply(event: JournalEvent): void {
    if (event.type !== 'steered') return;
    const { action, node, value } = event;
    if (action === 'expand' && node !== undefined) this.#expanded.add(node);
    const path = action === 'add' ? (value as { path?: unknown } | undefined)?.path : undefined;
    if (typeof path === 'string') this.#added.add(path);
  }

  get state(): z.infer<typeof WantedState> {
    return { expanded: [...this.#expanded], added: [...this.#added] };
  }

  restore(state: unknown): void {
    const { expanded, added } = WantedState.parse(state);
    for (const path of expanded) this.#expanded.add(path);
    for (const path of added) this.#added.add(path);
  }

  /** Whether somebody wants to know a thought's worth, though the search may have its solution. */
  has(node: TreeNode): boolean {
    if (this.#added.size > 0 && this.#added.has(pathOf(node))) return true;
    const { parent } = node;
    return this.#expanded.size > 0 && parent?.parent !== undefined && this.#expanded.has(pathOf(parent));
  }
}
