import assert from 'node:assert/strict';
import type { Offer } from '../../../src/core/offers/offer.ts';
import type { JournalEvent } from '../../../src/core/search/events.ts';
import type { Outcome } from '../../../src/engine/loop.ts';
import { createMemoryStore, MemoryFiles } from '../memory-store.ts';
import { answer } from './errands-acts.ts';
import { type ErrandsSimulation, MOVE_HOUSE, simulateErrands } from './simulated-errands.ts';

/** The first level of errands. */
export const FIRST = { errands: ['Rent a van', 'Pack boxes', 'Drive'] };

export function typesOf(events: readonly JournalEvent[]): string[] {
  return events.map(({ type }) => type);
}

/** Returns the offers that a run ended with. */
export function offersOf(outcome: Outcome): readonly Offer[] {
  assert.equal(outcome.state, 'waiting');
  return outcome.state === 'waiting' ? outcome.offers : [];
}

interface OfferedErrands<F extends MemoryFiles> extends ErrandsSimulation {
  readonly files: F;
  readonly offers: readonly Offer[];
  readonly ids: readonly string[];
}

/** A search whose first level is answered and whose errands are offered. */
export async function withErrands(): Promise<OfferedErrands<MemoryFiles>>;
export async function withErrands<F extends MemoryFiles>(files: F): Promise<OfferedErrands<F>>;
export async function withErrands(files = new MemoryFiles()): Promise<OfferedErrands<MemoryFiles>> {
  const simulation = await simulateErrands(createMemoryStore(MOVE_HOUSE, files));
  const [first] = offersOf(await simulation.run());
  await answer(simulation.search, [{ offer: first?.id ?? '', result: FIRST }], 'client');
  const offers = offersOf(await simulation.run());
  return { ...simulation, files, offers, ids: offers.map(({ id }) => id) };
}
