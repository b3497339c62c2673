import type { TreeNode } from '../../src/core/tree/tree.ts';
import { factsOf, NEW_STRATEGY, type StrategyName } from '../../src/kinds/thoughts/strategy/strategies.ts';
import type { ThoughtRules } from '../../src/kinds/thoughts/strategy/thought-rules.ts';
import type { Figure, PartOptions } from '../harness/figure.ts';
import { drive, FAMILIES, type FamilyName, RefinementTree } from './refinement-trees.ts';

const FAMILY_NAMES = Object.keys(FAMILIES) as readonly FamilyName[];
/** Our own seeds, apart from those that the families were made known with. */
const FIRST_SEED = 3_000_017;
/** As many as tell .07 from .057, and as many as were asked for: the first of them. */
const SEEDS = 1200;
const FIRST_SEEDS = 400;
const BUDGETS = [16, 64, 128, 256] as const;
const SLOTS = [1, 16] as const;
/** How far the strategy for trees of any shape may be behind the best one of a family, by slots and answers. */
const TARGETS: Readonly<Record<string, number>> = {
  '1 64': 0.08,
  '1 128': 0.08,
  '1 256': 0.08,
  '16 64': 0.12,
  '16 128': 0.07,
};
/** Pairs of budgets of which the larger one must not be worse. */
const GROWTH = [
  [16, 64],
  [64, 256],
] as const;

interface Way {
  readonly name: string;
  readonly strategy?: StrategyName;
  /** Answers of one move, and the beam. */
  readonly candidates: number;
  readonly beam: number;
  /** What a plain form makes next, on one slot. */
  readonly next?: (world: RefinementTree, last: TreeNode | undefined) => TreeNode;
}

const best = ({ tree }: RefinementTree): TreeNode =>
  tree.root.children.length === 0 ? tree.root : bestBelow(tree.root);

/** The strategies as they are shipped, and plain forms to compare with: anew each time, the last one, the best one. */
const WAYS: readonly Way[] = [
  { name: 'breadth-first, 5 of 5', strategy: 'breadth-first', candidates: 5, beam: 5 },
  { name: 'depth-first', strategy: 'depth-first', candidates: 5, beam: 3 },
  { name: 'best-first', strategy: 'best-first', candidates: 5, beam: 3 },
  { name: 'adaptive', strategy: 'adaptive', candidates: 1, beam: 3 },
  { name: 'uct', strategy: 'uct', candidates: 1, beam: 3 },
  { name: 'plain: always anew', candidates: 1, beam: 1, next: ({ tree }) => tree.root },
  { name: 'plain: always the last', candidates: 1, beam: 1, next: ({ tree }, last) => last ?? tree.root },
  {
    name: 'plain: five, then the best',
    candidates: 1,
    beam: 1,
    next: (world) => (world.made < 5 ? world.tree.root : best(world)),
  },
];

function rulesOf({ beam, strategy = 'breadth-first' }: Way, seed: number): ThoughtRules {
  const plain = { judge: 'layer', beamFollowsScores: false, samples: 1, size: 'all', hasGoalTest: false } as const;
  // Those of rounds would end before the budget is spent if they asked once.
  return { ...plain, beam, seed, tries: Math.max(8, factsOf(strategy).tries) };
}

function run(way: Way, family: FamilyName, budget: number, slots: number, seed: number): number {
  const world = new RefinementTree(family, seed);
  const { strategy, candidates, next } = way;
  if (strategy) drive(world, NEW_STRATEGY[strategy](rulesOf(way, seed)), { slots, budget, candidates, seed });
  else if (next)
    for (let last: TreeNode | undefined; world.made < budget; ) {
      last = world.make(next(world, last));
      world.judge(last);
    }
  return world.result;
}

/** The results of a way of searching, by seed. */
type Results = Readonly<Record<FamilyName, readonly number[]>>;

/** Trees in which an answer can be made anew or refined: the true quality of the answer chosen, by budget. */
export function refinement({ quick, say }: PartOptions): Promise<Figure[]> {
  const seeds = Array.from({ length: quick ? 40 : SEEDS }, (_, i) => FIRST_SEED + 7919 * i);
  const figures: Figure[] = [];
  const table = new Map<string, Results>();
  for (const slots of SLOTS) {
    for (const way of WAYS)
      for (const budget of BUDGETS) {
        // Plain forms know one slot, whatever there is.
        if (!way.strategy && table.has(`${way.name} ${budget}`)) continue;
        const of = (family: FamilyName): number[] => seeds.map((seed) => run(way, family, budget, slots, seed));
        const results = { wide: of('wide'), deep: of('deep'), mixed: of('mixed'), noisy: of('noisy') };
        table.set(`${way.name} ${budget}`, results);
      }
    say(`refinement trees, ${slots} slots, ${seeds.length} seeds`);
    for (const budget of BUDGETS) figures.push(...gapFigures(table, budget, slots));
    figures.push(...growthFigures(table, slots));
  }
  return Promise.resolve(figures);
}

function gapFigures(table: ReadonlyMap<string, Results>, budget: number, slots: number): Figure[] {
  const rows = WAYS.map((way) => ({ way, results: table.get(`${way.name} ${budget}`) as Results }));
  return rows
    .filter(({ way }) => way.strategy || slots === 1)
    .map(({ way, results }) => {
      const whole = worstGap(rows, results);
      const first = worstGap(rows, results, FIRST_SEEDS);
      const means = FAMILY_NAMES.map((family) => `${family} ${mean(results[family]).toFixed(3)}`).join(', ');
      const [of, ofFirst] = [whole, first].map(({ gap, error }) => `${gap.toFixed(4)} ± ${error.toFixed(4)}`);
      const note = `${means}; ${whole.family} ${of}, first ${FIRST_SEEDS} seeds: ${first.family} ${ofFirst}`;
      const what = `${way.name}: worst gap, ${budget} answers, ${slots} ${slots === 1 ? 'slot' : 'slots'}`;
      const most = way.strategy === 'adaptive' ? TARGETS[`${slots} ${budget}`] : undefined;
      const target = most === undefined ? {} : { target: { atMost: most } };
      return { part: 'strategies', what, value: whole.gap, unit: '', ...target, note };
    });
}

interface Row {
  readonly results: Results;
}

/** Returns how far a way is behind the best one of a family, where that is farthest, with its standard error by seed. */
function worstGap(rows: readonly Row[], results: Results, seeds?: number) {
  const gaps = FAMILY_NAMES.map((family) => {
    const all = rows.map((row) => row.results[family].slice(0, seeds));
    const top = all.reduce((a, b) => (mean(b) > mean(a) ? b : a));
    const behind = results[family].slice(0, seeds).map((value, i) => (top[i] as number) - value);
    return { family, gap: mean(behind), error: standardError(behind) };
  });
  return gaps.reduce((a, b) => (b.gap > a.gap ? b : a));
}

function standardError(values: readonly number[]): number {
  const middle = mean(values);
  return Math.sqrt(mean(values.map((each) => (each - middle) ** 2)) / (values.length - 1));
}

/** Returns how many standard errors the mean result falls from a budget to four times that; no fall counts as 0. */
function growthFigures(table: ReadonlyMap<string, Results>, slots: number): Figure[] {
  return WAYS.filter(({ strategy }) => strategy).map((way) => {
    const falls = GROWTH.flatMap(([small, large]) =>
      FAMILY_NAMES.map((family) => {
        const before = (table.get(`${way.name} ${small}`) as Results)[family];
        const after = (table.get(`${way.name} ${large}`) as Results)[family];
        const by = before.map((value, i) => value - (after[i] as number));
        const error = standardError(by);
        return { family, small, large, fall: mean(by) <= 0 ? 0 : mean(by) / Math.max(error, 1e-9) };
      }),
    );
    const worst = falls.reduce((a, b) => (b.fall > a.fall ? b : a));
    const what = `${way.name}: standard errors lost from B to 4 B, ${slots} ${slots === 1 ? 'slot' : 'slots'}`;
    const note = worst.fall > 0 ? `worst in ${worst.family}, ${worst.small} to ${worst.large}` : 'nowhere worse';
    return { part: 'strategies', what, value: worst.fall, unit: '', target: { atMost: 3 }, note };
  });
}

function bestBelow(root: TreeNode): TreeNode {
  let found = root.children[0] as TreeNode;
  const open = [...root.children];
  for (let node = open.pop(); node; node = open.pop()) {
    if ((node.evaluation?.score ?? 0) > (found.evaluation?.score ?? 0)) found = node;
    open.push(...node.children);
  }
  return found;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
