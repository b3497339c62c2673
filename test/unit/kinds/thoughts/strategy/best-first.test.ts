import assert from 'node:assert/strict';
import type { Move } from '../../../../../src/core/kind/strategy.ts';
import { pathOf, Tree, type TreeNode } from '../../../../../src/core/tree/tree.ts';
import { BestFirst } from '../../../../../src/kinds/thoughts/strategy/best-first.ts';
import { endRound, roundsOf, triesOf } from '../../../../../src/kinds/thoughts/thought-node.ts';

const RULES = {
  size: 'all',
  beam: 3,
  judge: 'layer',
  beamFollowsScores: false,
  tries: 3,
  samples: 2,
  hasGoalTest: true,
} as const;

describe('best-first search', () => {
  let tree: Tree;
  let strategy: BestFirst;
  beforeEach(() => {
    tree = new Tree('Problem');
    strategy = new BestFirst(RULES);
    strategy.open(tree);
  });

  const said = (moves: readonly Move[]): string[] =>
    moves.map(
      ({ kind, nodes }) => `${kind} ${nodes.map((id) => pathOf(tree.get(id) as TreeNode) || 'root').join(' ')}`,
    );
  const ask = (room = 4): { moves: Move[]; said: string[] } => {
    const moves = strategy.ask(room);
    return { moves, said: said(moves) };
  };
  /** Thoughts of one more try at a node. */
  const grow = (node: TreeNode, ...slugs: string[]): TreeNode[] => {
    const added = slugs.map((slug) => tree.add(node, slug, { title: slug }));
    const tries = (roundsOf(node).tries ?? 0) + 1;
    tree.update(node, { ...(node.parent ? { status: 'expanded' } : {}), listed: true });
    endRound(tree, node, tries);
    return added;
  };
  const judge = (node: TreeNode, ...votes: number[]): void =>
    tree.update(node, { evaluation: { score: votes.reduce((a, b) => a + b, 0) / votes.length, votes } });
  const tell = (moves: readonly Move[]): void => {
    for (const move of moves) strategy.tell(move, { outcome: 'done' });
  };
  /** Has first thoughts made and judged once. */
  const begin = (...scores: number[]): TreeNode[] => {
    const first = ask();
    assert.deepEqual(first.said, ['list-root root']);
    const nodes = grow(tree.root, ...scores.map((_, i) => `node_${i + 1}`));
    tell(first.moves);
    const judging = ask();
    assert.deepEqual(judging.said, [`evaluate ${nodes.map(pathOf).join(' ')}`]);
    for (const [i, node] of nodes.entries()) judge(node, scores[i] as number);
    tell(judging.moves);
    return nodes;
  };

  it('continues from an outstanding thought alone, however much room there is', () => {
    begin(6, 9, 9, 6);
    assert.deepEqual(ask(4).said, ['expand node_2']);
    assert.deepEqual(ask(4).said, []);
  });

  it('asks for other first thoughts before it continues from middling ones, each time for less', () => {
    begin(6, 6, 6, 6);
    const kinds: string[] = [];
    for (let i = 0; i < 3; i++) {
      const { moves, said: texts } = ask();
      kinds.push(...texts);
      if (texts[0] === 'try-again root') grow(tree.root);
      tell(texts[0] === 'try-again root' ? moves : []);
    }
    assert.deepEqual(kinds, ['try-again root', 'try-again root', 'expand node_1', 'expand node_2', 'expand node_3']);
  });

  it('has one judgement of a round, which takes along what was judged less often than it may be', () => {
    const [poor, good] = begin(6, 9) as [TreeNode, TreeNode];
    const { moves } = ask();
    grow(good, 'node_2_1', 'node_2_2');
    tell(moves);
    const judging = ask();
    assert.deepEqual(judging.said, ['evaluate node_2/node_2_1 node_2/node_2_2 node_1']);
    for (const child of good.children) judge(child, 1.5);
    judge(poor, 6, 6);
    tell(judging.moves);
    // The good one is asked again, for other thoughts, before a poor one is continued.
    const again = ask();
    assert.deepEqual(again.said, ['try-again node_2']);
    grow(good, 'node_2_3');
    tell(again.moves);
    // Twice judged is enough; its poor siblings were judged once.
    assert.deepEqual(ask().said, ['evaluate node_2/node_2_3 node_2/node_2_1 node_2/node_2_2']);
  });

  it('asks for no judgement where nothing new came', () => {
    const [good] = begin(9) as [TreeNode];
    const { moves } = ask();
    grow(good);
    tell(moves);
    assert.deepEqual(ask().said, ['try-again node_1']);
  });

  it('takes a high score nearer to the end before an equal one, and a middling one after it', () => {
    const [a, b] = begin(9, 9, 6) as [TreeNode, TreeNode];
    const { moves } = ask();
    grow(a, 'node_1_1', 'node_1_2');
    tell(moves);
    const judging = ask();
    judge(a.children[0] as TreeNode, 9);
    judge(a.children[1] as TreeNode, 6);
    judge(b, 9, 9);
    tell(judging.moves);
    assert.deepEqual(ask().said, ['expand node_1/node_1_1']);
  });

  it('ends where every node was asked as often as it may be', () => {
    const [only] = begin(2) as [TreeNode];
    for (let i = 0; i < 20 && strategy.end === undefined; i++) {
      const { moves } = ask();
      for (const { nodes } of moves) for (const id of nodes) grow(tree.get(id) as TreeNode);
      tell(moves);
    }
    assert.equal(strategy.end, 'complete');
    assert.deepEqual([tree.root, only].map(triesOf), [3, 3]);
  });
});
