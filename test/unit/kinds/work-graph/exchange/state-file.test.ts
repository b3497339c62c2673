import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isThoughtTreeError } from '../../../../../src/core/search/errors.ts';
import { pathOf, type Tree, type TreeNode, walk } from '../../../../../src/core/tree/tree.ts';
import { hookNotes, hookReads, treeOfPlan } from '../../../../../src/kinds/work-graph/exchange/formats.ts';
import { readState } from '../../../../../src/kinds/work-graph/exchange/read-state.ts';
import { writeState } from '../../../../../src/kinds/work-graph/exchange/write-state.ts';
import { checkPlan, readPlan } from '../../../../../src/kinds/work-graph/plan/plan-file.ts';
import { ownOf } from '../../../../../src/kinds/work-graph/run/read-graph.ts';
import { effort } from '../../../../support/effort.ts';
import '../../../../support/property-seed.ts';
import { searchFrom, stateFile, stateFiles, written } from '../../../../support/work-graph/state-files.ts';

/** The lines that differ, as pairs; both texts have the same number of lines. */
function differences(text: string, other: string): [string, string][] {
  const [lines, others] = [text.split('\n'), other.split('\n')];
  assert.equal(lines.length, others.length, other);
  return lines.flatMap((line, i) => (line === others[i] ? [] : [[line, others[i] ?? '']]));
}

function nodeOf(tree: Tree, name: string): TreeNode {
  const found = [...walk(tree.root)].find((node) => {
    const own = ownOf(node);
    return own && own.type !== 'goal' && own.name === name;
  });
  assert.ok(found, name);
  return found;
}

/** The names of what an atom waits for; an alternative counts as its group. */
function waitsOf(tree: Tree, node: TreeNode): string[] {
  return tree.links.from(node).map(({ to, id }) => {
    const above = to?.parent && ownOf(to.parent)?.type === 'group' ? to.parent : to;
    return above?.title ?? id;
  });
}

function isStatus(line: string): boolean {
  return /^ *(control: \{)?status:|^control: /.test(line);
}

describe('a state file of the original system', () => {
  for (const name of stateFiles('good')) {
    it(`${name} comes back as it was, but for the status`, () => {
      for (const text of [
        stateFile('good', name),
        `\ufeff${stateFile('good', name)}`,
        stateFile('good', name).replaceAll('\n', '\r\n'),
      ]) {
        const search = searchFrom(text);
        checkPlan(search.plan);
        const differing = differences(text, written(search, text));
        for (const [before, after] of differing) assert.ok(isStatus(before) && isStatus(after), `${before} | ${after}`);
        assert.ok(differing.some(([, after]) => after.includes('stopped')));
      }
    });

    it(`${name} says the same when it is written anew`, () => {
      const search = searchFrom(stateFile('good', name));
      const anew = written(search);
      assert.equal(hookReads(anew).status, 'stopped');
      assert.deepEqual(hookNotes(anew), []);
      assert.equal(written(searchFrom(anew)), anew);
      const [before, after] = [search, searchFrom(anew)].map(({ tree }) =>
        [...walk(tree.root)].map((node) => ({ title: node.title, status: node.status, waits: waitsOf(tree, node) })),
      );
      assert.deepEqual(after, before);
    });
  }

  for (const name of stateFiles('damaged'))
    it(`${name} is refused with its line`, () => {
      const line = Number(/\.(\d+)\.md$/.exec(name)?.[1]);
      assert.throws(
        () => readState(stateFile('damaged', name), name),
        (error: unknown) => {
          assert.ok(isThoughtTreeError(error, 'damaged'));
          assert.equal(error.details.line, line, error.message);
          assert.ok(error.message.startsWith(`${name}, line ${line}: `), error.message);
          return true;
        },
      );
    });

  it('is read as it is meant, where the original read something else', () => {
    const { state } = readState(stateFile('good', 'block-lists.md'), 'x');
    assert.deepEqual(
      state.atoms.map(({ id, dependsOn, isResolved, description }) => ({ id, dependsOn, isResolved, description })),
      [
        { id: 'A1', dependsOn: [], isResolved: true, description: 'First: look' },
        { id: 'A2', dependsOn: ['A1'], isResolved: false, description: 'Change the versions' },
        { id: 'A3', dependsOn: ['A2', 'A1'], isResolved: false, description: 'Write it down' },
      ],
    );
    const short = readState(stateFile('good', 'short.md'), 'x').state;
    assert.deepEqual(
      short.atoms.map(({ id, dependsOn, group }) => [id, dependsOn, group]),
      [
        ['1', [], undefined],
        ['2', ['1'], 'ways'],
        ['3', ['1'], 'ways'],
      ],
    );
    assert.deepEqual(short.groups, [{ name: 'ways', choices: ['2', '3'], selected: undefined, failed: [] }]);
  });

  it('becomes nodes with their states, alternatives, parts and what came about', () => {
    const { tree, documents, plan } = searchFrom(stateFile('good', 'template.md'));
    assert.equal(nodeOf(tree, 'A1').status, 'leaf');
    assert.equal(nodeOf(tree, 'A2').status, 'unexpanded', 'what was under way is pending');
    assert.equal(nodeOf(tree, 'A4_jwt').parent, nodeOf(tree, 'auth_method'));
    assert.match(
      documents.get(pathOf(nodeOf(tree, 'A1'))) ?? '',
      /^---\n[\s\S]*summary: Read; it is "express"\n[\s\S]*- notes\.md\n/,
    );
    assert.equal(plan.clarifications[0]?.answer, 'The one that is there');
    assert.deepEqual([plan.in_scope, plan.out_of_scope], [['API'], ['UI']]);
    const parts = searchFrom(stateFile('good', 'unknown.md')).tree;
    assert.equal(nodeOf(parts, 'P1').parent, nodeOf(parts, 'P'));
    assert.equal(nodeOf(searchFrom(stateFile('good', 'switched.md')).tree, 'A2_cache').status, 'failed');
  });

  it('keeps what cannot be looked at from here as a question to a person', () => {
    const { plan } = searchFrom(stateFile('good', 'unknown.md'));
    assert.deepEqual(
      plan.base_case.map(({ check }) => check),
      [
        { assertion: 'Somebody looked at it' },
        { assertion: 'file: ../other/file' },
        { assertion: 'not_file: /etc/passwd' },
        { assertion: 'http: https://example.com' },
      ],
    );
  });
});

describe('writing a state file that a search came from', () => {
  it('changes only what the search changed', () => {
    const text = stateFile('good', 'template.md');
    const search = searchFrom(text);
    const node = nodeOf(search.tree, 'A2');
    search.tree.update(node, { file: { ...node.file, status: 'leaf' } as never, status: 'leaf' });
    const documents = new Map(search.documents).set(
      pathOf(node),
      '---\nsummary: "Said \\"SQLite\\""\nartifacts: [db.ts]\n---\n\nx\n',
    );
    const out = written({ ...search, documents }, text);
    assert.equal(
      out,
      text
        .replace('status: running   # pending | running | stopped | completed', 'status: stopped')
        .replace('status: in_progress', 'status: resolved')
        .replace(
          'artifacts: ["notes.md"]\n',
          'artifacts: ["notes.md"]\n  A2:\n    summary: Said "SQLite"\n    artifacts: [db.ts]\n',
        ),
    );
  });

  it('writes a switch with its reason into the group and the trail', () => {
    const text = stateFile('good', 'template.md').replaceAll('\n', '\r\n');
    const { tree, ...search } = searchFrom(text);
    const [group, failed] = [nodeOf(tree, 'auth_method'), nodeOf(tree, 'A4_jwt')];
    const own = ownOf(group);
    assert.equal(own?.type, 'group');
    const trail = [
      ...(own.trail ?? []),
      { selected: 'A4_session', reason: 'tokens: "refused"', time: '2026-02-01T00:00:00.000Z' },
    ];
    tree.update(group, { file: { ...group.file, own: { ...own, selected: 'A4_session', trail } } as never });
    tree.update(failed, { file: { ...failed.file, status: 'failed' } as never, status: 'failed' });
    const out = written({ tree, ...search }, text);
    const expected = text
      .replace('status: running   # pending | running | stopped | completed', 'status: stopped')
      .replace('status: in_progress', 'status: pending')
      .replace('depends_on: [A4_jwt]', 'depends_on: [A4_session]')
      .replace('selected: A4_jwt\r\n    failed: []', 'selected: A4_session\r\n    failed: [A4_jwt]')
      .replace(
        'timestamp: "2026-01-15T10:00:00Z"\r\n',
        'timestamp: "2026-01-15T10:00:00Z"\r\n  - or_group: auth_method\r\n    selected: A4_session\r\n    reason: "tokens: \\"refused\\""\r\n    timestamp: "2026-02-01T00:00:00.000Z"\r\n',
      );
    assert.equal(out, expected);
  });

  it('keeps every byte not meant to change, whatever changes', () => {
    const goods = stateFiles('good').map((name) => stateFile('good', name));
    const changes = fc.array(
      fc.record({
        atom: fc.nat(20),
        status: fc.constantFrom('leaf', 'unexpanded', 'failed'),
        summary: fc.string({ maxLength: 40 }),
      }),
      { maxLength: 6 },
    );
    fc.assert(
      fc.property(fc.constantFrom(...goods), fc.boolean(), changes, (good, isCrlf, all) => {
        const text = isCrlf ? good.replaceAll('\n', '\r\n') : good;
        const { plan, tree, documents } = searchFrom(text);
        const nodes = [...walk(tree.root)].filter((node) => ownOf(node)?.type === 'atom' && node.children.length === 0);
        const changed = new Map(documents);
        for (const { atom, status, summary } of all) {
          const node = nodes[atom % nodes.length] as TreeNode;
          tree.update(node, { file: { ...node.file, status } as never, status: status as TreeNode['status'] });
          if (status === 'leaf')
            changed.set(pathOf(node), `---\nsummary: ${JSON.stringify(summary)}\nartifacts: []\n---\n\nx\n`);
        }
        const out = written({ plan, tree, documents: changed }, text);
        // What is no status, binding, list of failed ones, dependency on the alternative that counts, or new line for one, is still there, in its order.
        const kept = text
          .split('\n')
          .filter(
            (line) =>
              !/status|summary|artifacts|failed|Looked|depends_on|^ +atoms:|bindings|^ +(- .*|'?A\d\w*'?:.*|control.*)\r?$|control/.test(
                line,
              ),
          );
        let at = 0;
        for (const line of kept) {
          const place = out.indexOf(line, at);
          assert.ok(place >= at, `lost: ${line}`);
          at = place + line.length;
        }
        // Read again, it is the same search.
        const again = searchFrom(out);
        const states = (each: Tree) =>
          [...walk(each.root)].map((node) => [
            node.title,
            node.status === 'failed' && ownOf(node.parent as TreeNode)?.type !== 'group' ? 'unexpanded' : node.status,
          ]);
        assert.deepEqual(states(again.tree), states(tree));
        assert.equal(written(again, out), out, 'written twice, it stays');
      }),
      { numRuns: effort(150) },
    );
  });
});

describe('writing the state file of a search that came from a plan', () => {
  it('lists the atoms of the plan before there are nodes', () => {
    const plan = readPlan(
      'goal: g\nbase_case: [{ item: i, check: { command: x } }]\natoms:\n  - { id: A1, title: first }\n  - { id: A2, title: second, group: g, depends_on: A1 }\n  - { id: A3, title: third, part_of: A1 }\n  - { id: A4, title: fourth, depends_on: [g, A3] }\n',
    );
    const text = writeState({ plan, tree: treeOfPlan(plan), bindings: new Map() }, undefined, { status: 'stopped' });
    const { state } = readState(text, 'x');
    assert.deepEqual(
      state.atoms.map(({ id, dependsOn, group, parent }) => ({ id, dependsOn, group, parent })),
      [
        { id: 'A1', dependsOn: [], group: undefined, parent: undefined },
        { id: 'A2', dependsOn: ['A1'], group: 'g', parent: undefined },
        { id: 'A3', dependsOn: [], group: undefined, parent: 'A1' },
        // The original knows no dependency on a group: the alternative that counts stands for it.
        { id: 'A4', dependsOn: ['A2', 'A3'], group: undefined, parent: undefined },
      ],
    );
    assert.deepEqual(hookNotes(text), []);
  });
});
