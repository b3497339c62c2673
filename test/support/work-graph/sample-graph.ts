import type { NodeData, NodeStatus } from '../../../src/core/tree/node-file.ts';
import { Tree, type TreeNode, walk } from '../../../src/core/tree/tree.ts';
import { workGraphDescriptor } from '../../../src/kinds/work-graph/descriptor.ts';
import type { OwnFields } from '../../../src/kinds/work-graph/run/own-fields.ts';
import type { GraphNode } from '../../../src/protocol/graph-node.ts';
import { graphNodeOf } from '../../../src/searches/search-graph.ts';

const [BASE, WORK, JOINED] = ['a1b2c3d4e5f60718', 'b2c3d4e5f6071829', 'c3d4e5f60718293a'];
const HASH = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

type Links = readonly (readonly [type: string, name: string])[];

/** Adds an atom, a group or the goal; its id is its name. */
function add(
  tree: Tree,
  parent: TreeNode,
  title: string,
  own: OwnFields,
  how: { status?: NodeStatus; links?: Links } = {},
) {
  const { status = 'unexpanded', links = [] } = how;
  const name = own.type === 'goal' ? 'goal' : String(own['name']);
  const file = {
    id: name,
    title,
    status,
    own,
    links: links.map(([type, to]) => ({ type, to })),
    ...(status === 'failed'
      ? {
          failure: {
            reason: 'check',
            message: 'Its check failed twice.',
            say: { key: 'foreign', args: { text: 'Its check failed twice.' } },
          },
        }
      : {}),
  } as unknown as NodeData;
  return tree.add(parent, name.toLowerCase(), { file });
}

const on = (...names: string[]): Links => names.map((name) => ['depends-on', name] as const);
const atom = (name: string, more: Partial<OwnFields> = {}): OwnFields => ({ type: 'atom', name, ...more }) as OwnFields;

/**
 * Returns a goal on its way: resolved, running, ready, waiting; a group whose first alternative failed; a decomposed
 * atom.
 */
export function sampleGraph(): Tree {
  const tree = new Tree('All tests pass on Node 26');
  const { root } = tree;
  const done = { status: 'leaf' as const };
  add(
    tree,
    root,
    'Read what the tests need',
    atom('A1', {
      does: 'List every test that fails, and why.',
      run: 'npm test -- --list',
      checks: [{ item: 'There is a list', check: { file: 'notes/failing.md' } }],
      tries: [{ iteration: 1, ended: 'resolved', by: 'command' }],
      work: {
        base: BASE,
        commit: WORK,
        by: 'command',
        summary: 'Seven tests fail: all by the crypto change.',
        artifacts: ['notes/failing.md'],
      },
      joined: JOINED,
      evidence: [{ item: '0', word: 'verified', commit: JOINED, time: '2026-11-20T10:00:00Z' }],
    } as Partial<OwnFields>),
    done,
  );
  add(
    tree,
    root,
    'Bring the lock file up to date',
    atom('A2', {
      touches: ['package-lock.json'],
      tries: [{ iteration: 1, ended: 'resolved', by: 'claude/opus' }],
      evidence: [
        { item: '0', word: 'verified', exitCode: 0, commit: JOINED, outputHash: HASH, time: '2026-11-20T10:04:00Z' },
      ],
    } as Partial<OwnFields>),
    { ...done, links: on('A1') },
  );
  const crypto = add(
    tree,
    root,
    'Replace the crypto calls',
    {
      type: 'group',
      name: 'G1',
      selected: 'A4',
      choices: ['A3', 'A4', 'A5'],
      trail: [{ selected: 'A4', reason: 'A3: the check ended with exit code 1', time: '2026-11-20T10:12:00Z' }],
    } as OwnFields,
    { status: 'expanded', links: on('A1') },
  );
  add(
    tree,
    crypto,
    'With the Web Crypto API',
    atom('A3', {
      tries: [{ iteration: 1, ended: 'failed', by: 'claude/opus', seen: 'ReferenceError: crypto is not defined' }],
      evidence: [{ item: '0', word: 'contradicted', exitCode: 1, commit: WORK, outputHash: HASH, seen: '7 failing' }],
    } as Partial<OwnFields>),
    { status: 'failed' },
  );
  add(
    tree,
    crypto,
    'With node:crypto behind one module',
    atom('A4', {
      does: 'One module that wraps node:crypto; nobody else imports it.',
      touches: ['src/crypto/**'],
      checks: [
        { item: 'The tests of the module pass', check: { command: 'npm test -- crypto' } },
        {
          item: 'Nothing else imports node:crypto',
          check: { not_command: 'grep -rn "node:crypto" src --include=*.ts' },
        },
        { item: 'The names say what they do', check: { assertion: 'The names say what they do' } },
      ],
      tries: [
        { iteration: 1, ended: 'conflict', by: 'claude/opus', seen: 'src/crypto/hash.ts was changed by A2, too' },
        { iteration: 2, by: 'claude/opus' },
      ],
      work: {
        base: BASE,
        commit: WORK,
        by: 'claude/opus',
        summary: 'A module that wraps node:crypto.',
        artifacts: ['src/crypto/hash.ts'],
      },
      evidence: [
        {
          item: '0',
          word: 'checked',
          exitCode: 0,
          commit: WORK,
          outputHash: HASH,
          time: '2026-11-20T10:15:00Z',
          seen: '41 passing',
        },
        {
          item: '1',
          word: 'contradicted',
          exitCode: 0,
          commit: WORK,
          outputHash: HASH,
          time: '2026-11-20T10:15:09Z',
          seen: 'src/token.ts:3: import { createHash } from "node:crypto"',
        },
        { item: '2', word: 'uncheckable' },
      ],
    } as Partial<OwnFields>),
    { status: 'in-progress' },
  );
  add(tree, crypto, 'With a library', atom('A5', { uses: ['network'] } as Partial<OwnFields>), {});
  const fix = add(tree, root, 'Repair the failing tests', atom('A6'), { links: on('G1', 'A2') });
  add(tree, fix, 'Those of the session', atom('A7'), { links: on('G1') });
  add(tree, fix, 'Those of the upload', atom('A8'), { links: on('A7') });
  add(tree, fix, 'Those of the cache', atom('A9', { by: 'person' } as Partial<OwnFields>), {});
  add(tree, root, 'Say it in the changelog', atom('A10'), { links: on('A6') });
  add(tree, root, 'Keep the old runtime in a second job', atom('A11'), { links: [['if-failed', 'A6']] });
  add(tree, root, 'A flaky timer in the upload', atom('A12', { isProposed: true } as Partial<OwnFields>), {
    links: [['discovered-from', 'A8']],
  });
  add(
    tree,
    root,
    'All tests pass on Node 26',
    { type: 'goal', evidence: [{ item: '0', word: 'contradicted', exitCode: 1, seen: '7 failing' }] } as OwnFields,
    {},
  );
  return tree;
}

/** Returns a graph of so many atoms in boxes of ten, each waiting for a few before it. */
export function largeGraph(atoms: number, isBoxed = true): Tree {
  const tree = new Tree('A large goal');
  let [parent, first] = [tree.root, 0];
  for (let i = 0; i < atoms; i++) {
    if (isBoxed && i % 10 === 0) {
      parent = add(tree, tree.root, `Part ${i / 10}`, atom(`P${i / 10}`), {
        links: i >= 30 ? on(`P${Math.floor(i / 10) - 3}`) : [],
      });
      first = i;
    }
    const before = [i - 1 - (i % 3), i - 4 - (i % 7)].filter((at) => at >= first);
    add(tree, parent, `Atom number ${i}`, atom(`A${i}`), {
      status: i < atoms / 3 ? 'leaf' : i % 50 === 0 ? 'in-progress' : 'unexpanded',
      links: on(...new Set(before.map((at) => `A${at}`))),
    });
  }
  add(tree, tree.root, 'A large goal', { type: 'goal' } as OwnFields, {});
  return tree;
}

/** Returns the nodes of a tree as the panel gets them. */
export function graphNodes(tree: Tree): GraphNode[] {
  return [...walk(tree.root)].map((node) =>
    graphNodeOf(node, workGraphDescriptor, ({ text }) => text, { links: tree.links }),
  );
}
