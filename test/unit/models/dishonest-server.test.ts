import assert from 'node:assert/strict';
import type { JournalEvent } from '../../../src/core/search/events.ts';
import type { SpendLimit, SpendLimits } from '../../../src/core/search/limits.ts';
import type { Outcome } from '../../../src/engine/loop.ts';
import { openHeldSearch } from '../../../src/engine-parts/opening/open-held-search.ts';
import { KINDS } from '../../../src/kinds/kinds.ts';
import { openModel } from '../../../src/models/open-model.ts';
import { prepareModel } from '../../../src/searches/models/prepare-model.ts';
import { systemClock } from '../../../src/store/system-ports.ts';
import { someOf } from '../../support/effort.ts';
import { createMemoryStore } from '../../support/memory-store.ts';
import { QUESTION } from '../../support/searches/simulated-search.ts';
import { HABITS, type Habit, type RealUse, startDishonestServer } from '../../support/servers/dishonest-server.ts';
import { seededRandom } from '../../support/virtual-clock.ts';

const PRICE = { prompt: 15, cached: 1.5, completion: 75 };
const UNBOUND = { calls: 300, tokens: 1e9, usd: 1e6 };
const CAPS: readonly [Exclude<SpendLimit, 'minutes'>, number][] = [
  ['usd', 3],
  ['tokens', 120_000],
  ['calls', 40],
];

interface Run {
  readonly outcome: Outcome;
  readonly events: readonly JournalEvent[];
  readonly used: readonly RealUse[];
}

async function run(habit: Habit, guards: SpendLimits, concurrency: number): Promise<Run> {
  const server = await startDishonestServer(habit, PRICE);
  try {
    const opened = await openModel('openai-compatible/m', { workspace: '.', baseUrl: server.baseUrl });
    const model = prepareModel(opened, { price: PRICE });
    const ports = { clock: systemClock, random: seededRandom(1), folder: 'thought-trees/build', kinds: KINDS };
    const limits = { size: 'all', guards } as const;
    const store = createMemoryStore(QUESTION);
    const search = await openHeldSearch({ ...ports, model, store, limits, concurrency, retryMs: 1, context: false });
    const events: JournalEvent[] = [];
    search.listen((event) => events.push(event));
    return { outcome: await search.run(), events, used: server.used };
  } finally {
    await server.close();
  }
}

const REAL: Record<Exclude<SpendLimit, 'minutes'>, (use: RealUse) => number> = {
  calls: () => 1,
  tokens: ({ prompt, completion }) => prompt + completion,
  usd: ({ usd }) => usd,
};

/** What counts against a limit. */
function booked({ results }: Outcome, guard: Exclude<SpendLimit, 'minutes'>): number {
  const { prompt, completion, worstCase } = results.tokens;
  return { calls: results.calls, usd: results.usd, tokens: prompt + completion + worstCase }[guard];
}

/** The most that one call used beyond what was booked for it. */
function largestExcess({ events, used }: Run, guard: 'tokens' | 'usd'): number {
  const left = new Map<string, RealUse[]>();
  for (const use of used) left.set(nameOf(use), [...(left.get(nameOf(use)) ?? []), use]);
  const over = events.map((event) => {
    const use = event.type === 'call-started' ? left.get(nameOf(event))?.shift() : undefined;
    return use && event.type === 'call-started' ? REAL[guard](use) - (event.worst[guard] ?? 0) : 0;
  });
  return Math.max(0, ...over);
}

const nameOf = ({ purpose, node }: { purpose: string; node: string }): string => `${purpose} ${node}`;

/** Each habit, with one slot and with many, against each limit. */
const CASES = (Object.keys(HABITS) as Habit[]).flatMap((habit) =>
  [1, 16].flatMap((slots) => CAPS.map(([guard, cap]) => ({ habit, slots, guard, cap }))),
);

describe('a server that', () => {
  for (const { habit, slots, guard, cap } of someOf(CASES, 30))
    it(`${habit} passes no limit of ${guard}, with ${slots === 1 ? 'one slot' : `${slots} slots`}`, async () => {
      const one = await run(habit, { ...UNBOUND, [guard]: cap }, slots);
      const sum = one.used.reduce((total, use) => total + REAL[guard](use), 0);
      const excess = guard === 'calls' ? 0 : largestExcess(one, guard);
      const said = `${guard}: ${sum} of ${cap}, one call ${excess} too many, booked ${booked(one.outcome, guard)}`;
      assert.ok(sum <= 1.02 * cap + excess, said);
      for (const each of ['calls', 'tokens', 'usd'] as const) {
        const real = one.used.reduce((total, use) => total + REAL[each](use), 0);
        assert.ok(booked(one.outcome, each) >= real * (1 - 1e-9), `${each}: ${real} used, ${said}`);
      }
      const doubts = one.events.flatMap((event) => (event.type === 'usage-doubted' ? [event.doubt] : []));
      assert.deepEqual(doubts, [...new Set(doubts)], 'said once each');
    });
});
