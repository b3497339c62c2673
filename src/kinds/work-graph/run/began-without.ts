import * as z from 'zod';
import { messageOf, noted } from '../../../core/messages/kept.ts';
import type { Message } from '../../../core/messages/message.ts';
import type { Workshop } from '../../../core/ports/workshop.ts';
import type { JournalEvent } from '../../../core/search/events.ts';
import type { KeptFold } from '../../../core/search/record/fold.ts';
import type { SearchContext } from '../../../engine/search-context.ts';
import { listed } from '../evidence/look-at-check.ts';
import type { WorkGraphOptions } from '../face.ts';
import * as say from './messages.ts';

/** Tells what checkouts do not have of the workspace, or have although it is not committed. */
export async function beginsWithout(shop: Workshop, options: SearchContext['options']): Promise<Message[]> {
  const [open, modules] = [await shop.uncommitted(), await shop.leftOut()];
  const told = { count: open.length, paths: listed(open) };
  const isTaken = (options as WorkGraphOptions).uncommitted === true;
  return [
    ...(open.length > 0 ? [isTaken ? say.uncommittedTaken(told) : say.uncommitted(told)] : []),
    ...(modules.length > 0 ? [say.withoutSubmodules({ count: modules.length, paths: listed(modules) })] : []),
  ];
}

/** Says so whoever reads along, when the work begins: also where nobody was shown a plan. */
export async function tellWithout({ history, options }: SearchContext, shop: Workshop): Promise<void> {
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
