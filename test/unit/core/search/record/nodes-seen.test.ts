import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { JournalEvent } from '../../../../../src/core/search/events.ts';
import { NodesSeen } from '../../../../../src/core/search/record/nodes-seen.ts';
import type { NodeStatus } from '../../../../../src/core/tree/node-file.ts';

const STATUSES: NodeStatus[] = ['unexpanded', 'in-progress', 'expanded', 'leaf', 'pruned', 'failed'];
const PATHS = ['a', 'b', 'a/c', 'a/d', 'a/c/e', 'a/c/f', 'b/g'];
const base = { seq: 1, time: '' };
const status = (node: string, to: NodeStatus): JournalEvent => ({ ...base, type: 'node-status', node, status: to });

function grown(): NodesSeen {
  const nodes = new NodesSeen();
  for (const path of PATHS) {
    const slug = path.split('/').at(-1) as string;
    const node = path.slice(0, Math.max(0, path.lastIndexOf('/')));
    nodes.apply({ ...base, type: 'node-added', node, children: [{ slug, title: slug }] });
  }
  return nodes;
}

describe('the nodes in a journal', () => {
  it('are counted by status, however they got it', () => {
    const step = fc.tuple(fc.constantFrom(...PATHS), fc.constantFrom<NodeStatus | 'gone'>(...STATUSES, 'gone'));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const nodes = grown();
        const plain = new Map<string, NodeStatus>(PATHS.map((path) => [path, 'unexpanded']));
        for (const [path, to] of steps) {
          if (to === 'gone') {
            nodes.deleteBranch(path);
            for (const each of [...plain.keys()]) if (each === path || each.startsWith(`${path}/`)) plain.delete(each);
          } else if (plain.has(path)) {
            nodes.apply(status(path, to));
            plain.set(path, to);
          }
        }
        const isCutOff = (path: string): boolean =>
          [...plain].some(([above, each]) => each === 'pruned' && path.startsWith(`${above}/`));
        for (const each of STATUSES) {
          const counted = [...plain].filter(([path, is]) => {
            const isOpen = is === 'unexpanded' || is === 'in-progress';
            return each === (isOpen && isCutOff(path) ? 'pruned' : is);
          });
          assert.equal(nodes.count(each), counted.length, each);
        }
        assert.deepEqual([nodes.size, new Set(nodes.paths())], [plain.size, new Set(plain.keys())]);
      }),
    );
  });

  it('are no longer open if a branch is pruned, and open again if it is restored', () => {
    const nodes = grown();
    nodes.apply(status('a', 'pruned'));
    assert.deepEqual([nodes.count('unexpanded', 'in-progress'), nodes.count('pruned')], [2, 5]);
    nodes.apply(status('a', 'expanded'));
    assert.deepEqual([nodes.count('unexpanded', 'in-progress'), nodes.count('pruned')], [6, 0]);
  });

  it('cost what their calls cost', () => {
    const nodes = grown();
    const usage = { prompt: 10, cached: 2, completion: 5, usd: 0.5 };
    const ended = { ...base, type: 'call-ended', call: 'c', node: 'a', purpose: 'document', outcome: 'ok' } as const;
    nodes.apply({ ...ended, ms: 7, charged: true, usage });
    nodes.apply({ ...ended, ms: 3, charged: false });
    assert.deepEqual(nodes.spentOn('a'), { calls: 2, tokens: 15, usd: 0.5, ms: 10 });
    assert.equal(nodes.spentOn('b'), undefined);
  });
});
