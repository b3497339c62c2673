import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isThoughtTreeError } from '../../../../../src/core/search/errors.ts';
import { hookNotes, hookReads } from '../../../../../src/kinds/work-graph/exchange/formats.ts';
import { readState } from '../../../../../src/kinds/work-graph/exchange/read-state.ts';
import { effort } from '../../../../support/effort.ts';
import { growsLinearly } from '../../../../support/grows-linearly.ts';
import '../../../../support/property-seed.ts';
import { searchFrom, stateFile, stateFiles, written } from '../../../../support/work-graph/state-files.ts';

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
    it(`with ${name} is refused`, () => {
      assert.throws(
        () => readState(text, 'state.md'),
        (error: unknown) => isThoughtTreeError(error, 'damaged'),
      );
    });

  it('with names of what every object has is harmless', () => {
    const text = file(
      '  - {id: constructor, status: resolved}\n  - {id: toString, depends_on: [constructor], or_group: hasOwnProperty}\n  - {id: valueOf, depends_on: hasOwnProperty}',
    );
    const search = searchFrom(text);
    assert.equal(search.tree.root.children[0]?.status, 'leaf');
    assert.equal(written(search, text), text.replace('running', 'stopped'));
  });

  it('of as many atoms as there may be is read and written in a time in proportion to them', async () => {
    const made = (size: number) => {
      const atom = (_: unknown, i: number) =>
        `  - {id: A${i}, status: resolved, depends_on: [${i > 0 ? `A${i - 1}` : ''}]}`;
      return file(Array.from({ length: size }, atom).join('\n'));
    };
    await growsLinearly('a row', effort(2000, 1000), made, (text) =>
      assert.equal(written(searchFrom(text), text), text.replace('running', 'stopped')),
    );
  });

  it('is refused with a line, or comes back with everything but its statuses, whatever is done to it', () => {
    const bits = [
      '',
      '  ',
      '\n',
      ':',
      ' - ',
      '#',
      '"',
      "'",
      '[',
      ']',
      '{',
      '}',
      ', ',
      '&a ',
      '*a',
      '|',
      '---\n',
      '...\n',
      'null',
      '1',
      '\t',
      '\r',
      'A1',
    ];
    const edits = fc.array(
      fc.record({ at: fc.nat(4000), length: fc.nat(12), bit: fc.constantFrom(...bits), isLine: fc.boolean() }),
      { minLength: 1, maxLength: 3 },
    );
    fc.assert(
      fc.property(fc.constantFrom(...stateFiles('good')), edits, (name, all) => {
        const text = all.reduce(edited, stateFile('good', name));
        const search = readOrRefused(text);
        if (!search) return;
        const out = written(search, text);
        assert.ok(hookReads(out).status === 'stopped' || hookNotes(out).length === 1);
        let at = 0;
        for (const line of text.split('\n').filter((each) => !/status|control/.test(each))) {
          const place = out.indexOf(line, at);
          assert.ok(place >= at, `lost: ${line}`);
          at = place + line.length;
        }
        assert.equal(written(searchFrom(out), out), out);
      }),
      { numRuns: effort(150) },
    );
  });
});

interface Edit {
  readonly at: number;
  readonly length: number;
  readonly bit: string;
  readonly isLine: boolean;
}

/** A text without one of its lines, or with something else in the place of some characters. */
function edited(text: string, { at, length, bit, isLine }: Edit): string {
  const lines = text.split('\n');
  if (isLine) return lines.toSpliced(at % lines.length, 1).join('\n');
  const place = at % text.length;
  return text.slice(0, place) + bit + text.slice(place + length);
}

/** The search of a text; undefined if it is refused, naming one of its lines. */
function readOrRefused(text: string): ReturnType<typeof searchFrom> | undefined {
  try {
    return searchFrom(text);
  } catch (error) {
    assert.ok(isThoughtTreeError(error, 'damaged'), String(error));
    const { line = 0 } = error.details;
    assert.ok(line > 0 && line <= text.split('\n').length, error.message);
    return undefined;
  }
}
