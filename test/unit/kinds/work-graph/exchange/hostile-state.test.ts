import assert from 'node:assert/strict';
import { isThoughtTreeError } from '../../../../../src/core/search/errors.ts';
import { readState } from '../../../../../src/kinds/work-graph/exchange/state-file/read-state.ts';
import { searchFrom, written } from '../../../../support/work-graph/state-files.ts';

describe('a hostile state file', () => {
  const file = (atoms: string) =>
    `---\nobjective: {goal: g, base_case: {type: command, value: x}}\ncontrol: {status: running}\natoms:\n${atoms}\n---\n`;
  const refused: [name: string, text: string][] = [
    ['10,000 atoms', file(Array.from({ length: 10_000 }, (_, i) => `  - {id: A${i}}`).join('\n'))],
    ['brackets', file(`  - ${'['.repeat(50_000)}`)],
    ['__proto__', file('  - {id: A, __proto__: {isResolved: true}}')],
    ['a name that is a path', file('  - {id: ../../etc}')],
    ['a command with an escape', file('  - {id: A}').replace('value: x', 'value: "x\\e[2J"')],
  ];
  for (const [name, text] of refused)
    it(`with ${name} is refused in time`, () => {
      const begun = performance.now();
      assert.throws(
        () => readState(text, 'state.md'),
        (error: unknown) => isThoughtTreeError(error, 'damaged'),
      );
      assert.ok(performance.now() - begun < 5000);
    });

  it('with names of what every object has is harmless', () => {
    const text = file(
      '  - {id: constructor, status: resolved}\n  - {id: toString, depends_on: [constructor], or_group: hasOwnProperty}\n  - {id: valueOf, depends_on: hasOwnProperty}',
    );
    const search = searchFrom(text);
    assert.equal(search.tree.root.children[0]?.status, 'leaf');
    assert.equal(written(search, text), text.replace('running', 'stopped'));
  });

  it('of as many atoms as there may be is read and written in time', () => {
    const text = file(
      Array.from(
        { length: 2000 },
        (_, i) => `  - {id: A${i}, status: resolved, depends_on: [${i > 0 ? `A${i - 1}` : ''}]}`,
      ).join('\n'),
    );
    const begun = performance.now();
    const search = searchFrom(text);
    assert.equal(written(search, text), text.replace('running', 'stopped'));
    assert.ok(performance.now() - begun < 20_000, String(performance.now() - begun));
  });
});
