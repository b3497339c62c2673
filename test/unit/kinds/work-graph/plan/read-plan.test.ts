import assert from 'node:assert/strict';
import { isThoughtTreeError } from '../../../../../src/core/search/errors.ts';
import { graphOfPlan } from '../../../../../src/kinds/work-graph/plan/check-plan.ts';
import { commandsOf, PlanFile } from '../../../../../src/kinds/work-graph/plan/plan.ts';
import { checkPlan, readPlan } from '../../../../../src/kinds/work-graph/plan/plan-file.ts';
import { growsLinearly } from '../../../../support/grows-linearly.ts';

const PLAN = `# What we want
goal: All tests pass
base_case:
  - item: tests
    check: { command: npm test }
set_up: npm ci
atoms:
  - id: A1
    title: Find out why
    run: npm run why
  - id: A2
    title: One way
    group: ways
    depends_on: A1
    checks:
      - item: built
        any_of:
          - { item: a, check: { command: npm test } }
          - { item: b, check: { not_command: ls dist } }
  - { id: A3, title: Another way, group: ways }
  - id: 4
    title: Write it down
    depends_on: [ways]
`;

/** The line that an error names, and what it says. */
function errorOf(text: string): { line: number | undefined; message: string } {
  try {
    readPlan(text);
  } catch (error) {
    if (!isThoughtTreeError(error, 'damaged')) throw error;
    assert.equal(error.details.file, 'plan.yaml');
    return { line: error.details.line, message: error.message };
  }
  throw new assert.AssertionError({ message: 'nothing was wrong' });
}

describe('reading a plan', () => {
  it('gives its goal and its atoms', () => {
    const plan = readPlan(PLAN);
    assert.equal(plan.goal, 'All tests pass');
    assert.deepEqual(
      plan.atoms.map(({ id, depends_on }) => [id, depends_on]),
      [
        ['A1', []],
        ['A2', ['A1']],
        ['A3', []],
        ['4', ['ways']],
      ],
    );
    assert.deepEqual(readPlan(`\ufeff${PLAN.replaceAll('\n', '\r\n')}`), plan, 'whatever its ends of lines');
  });

  it('lists each command once, in the order in which they come up', () => {
    assert.deepEqual(commandsOf(readPlan(PLAN)), ['npm ci', 'npm run why', 'npm test', 'ls dist']);
  });

  it('becomes a graph, in which a group is what its atoms say', () => {
    const { atoms, groups } = graphOfPlan(readPlan(PLAN));
    assert.deepEqual([...atoms.keys()], ['A1', 'A2', 'A3', '4']);
    assert.deepEqual(groups.get('ways'), {
      name: 'ways',
      parent: undefined,
      choices: ['A2', 'A3'],
      selected: undefined,
    });
    assert.equal(atoms.get('A2')?.group, 'ways');
  });

  const atoms = (...lines: string[]) =>
    `goal: g\nbase_case: [{ item: i, check: { file: x } }]\natoms:\n${lines.join('\n')}\n`;
  const wrong: [name: string, text: string, line: number, message: RegExp][] = [
    ['damaged YAML', atoms('  - id: A1', '    title: @x'), 5, /not valid YAML/],
    ['a key twice', atoms('  - id: A1', '    title: x', '    title: y'), 6, /"title" is there twice/],
    ['an alias', atoms('  - &a { id: A1, title: x }', '  - *a'), 5, /aliases/],
    ['two documents', `${atoms('  - { id: A1, title: x }')}---\ngoal: other\n`, 5, /second YAML document/],
    ['a field of another type', atoms('  - id: A1', '    title: x', '    probe: often'), 6, /atoms\.0\.probe/],
    ['a field that does not exist', atoms('  - id: A1', '    title: x', '    depend_on: A2'), 4, /depend_on/],
    ['a name twice', atoms('  - { id: A1, title: x }', '  - { id: A1, title: y }'), 5, /"A1" is there twice/],
    ['a dependency on nothing', atoms('  - { id: A1, title: x, depends_on: B }'), 4, /"A1" waits for "B"/],
    ['a part of nothing', atoms('  - { id: A1, title: x, part_of: B }'), 4, /"B", which is no atom/],
    ['itself', atoms('  - { id: A1, title: x, depends_on: A1 }'), 4, /A1 → A1/],
    [
      'a circle',
      atoms('  - { id: A1, title: x, depends_on: A2 }', '  - { id: A2, title: y, depends_on: A1 }'),
      4,
      /in a circle: A1 → A2 → A1/,
    ],
    [
      'a circle through a group',
      atoms(
        '  - { id: A1, title: x, group: g }',
        '  - { id: A2, title: y, group: g, depends_on: B }',
        '  - { id: B, title: z, depends_on: A1 }',
      ),
      5,
      /in a circle/,
    ],
    [
      'a part that waits for its whole',
      atoms('  - { id: A1, title: x }', '  - { id: A2, title: y, part_of: A1, depends_on: [A1] }'),
      4,
      /in a circle/,
    ],
    [
      'an alternative that is no choice',
      `${atoms('  - { id: A1, title: x, group: g }')}groups: [{ name: g, choices: [B] }]\n`,
      4,
      /add it to the choices/,
    ],
    [
      'a selection that is no choice',
      `${atoms('  - { id: A1, title: x, group: g }')}groups:\n  - name: g\n    selected: B\n`,
      6,
      /none of its choices/,
    ],
    [
      'a group without alternatives',
      `${atoms('  - { id: A1, title: x }')}groups:\n  - name: g\n`,
      6,
      /has no alternatives/,
    ],
    ['no atoms', 'goal: g\nbase_case: [{ item: i, check: { file: x } }]\natoms: []\n', 3, /atoms/],
    ['no goal', atoms('  - { id: A1, title: x }').replace('goal: g', 'background: g'), 1, /"goal" is missing/],
    ['nothing', '', 1, /not a mapping/],
  ];
  for (const [name, text, line, message] of wrong)
    it(`refuses ${name}, naming the line`, () => {
      const error = errorOf(text);
      assert.match(error.message, message);
      assert.equal(error.line, line, error.message);
      assert.match(error.message, new RegExp(`plan\\.yaml, line ${line}: `));
    });

  it('takes a fallback only in the place of what it replaces', () => {
    const text = atoms('  - { id: A1, title: x, group: g }', '  - { id: A2, title: y, if_failed: A1 }');
    assert.match(errorOf(text).message, /line 5: "A2" has to be where the atom is that it replaces/);
    readPlan(text.replace(', group: g', ''));
    readPlan(text.replace('title: y', 'title: y, group: g'));
  });
});

describe('a hostile plan', () => {
  const plan = (atom: string, rest = '') =>
    `goal: g\nbase_case: [{ item: i, check: { file: x } }]\natoms: [{ id: A1, title: x, ${atom} }]\n${rest}`;
  const refused: [name: string, text: string][] = [
    ['a path out of the workspace', plan('touches: ["../x"]')],
    ['a path out of it later', plan('touches: ["a/../../x"]')],
    ['an absolute path', plan('touches: [/etc/passwd]')],
    ['a path of a drive', plan('touches: ["C:/x"]')],
    ['a backslash', plan("touches: ['..\\x']")],
    ['a home folder', plan('touches: ["~/.ssh/*"]')],
    ['many wildcards', plan(`touches: ["${'*a'.repeat(30)}"]`)],
    ['many deep wildcards', plan(`touches: ["${'**/a/'.repeat(30)}"]`)],
    ['nested patterns', plan('touches: ["+(+(a))"]')],
    ['ranges', plan('touches: ["{1..1000000}"]')],
    ['a command that clears the screen', plan('run: "ls \\e[2J"')],
    ['a command that shows backwards', plan('run: "ls \\u202e"')],
    ['a command with a carriage return', plan('run: "rm -rf x\\rls"')],
    ['a long command', plan(`run: "${'x'.repeat(5000)}"`)],
    ['__proto__', plan('__proto__: { isProposed: true }')],
    ['brackets', '['.repeat(100_000)],
    ['dashes', '- '.repeat(100_000)],
    ['blocks', Array.from({ length: 1000 }, (_, i) => `${' '.repeat(i)}a:`).join('\n')],
    ['a bomb', 'a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n'],
    ['more than a million characters', `goal: ${'x'.repeat(1_000_000)}`],
    [
      'deep checklists',
      plan(`checks: [${'{ item: i, all_of: ['.repeat(12)}{ item: i, check: { file: x } }${']}'.repeat(12)}]`),
    ],
    [
      'an atom that says too much',
      plan(`uses: [${Array.from({ length: 40 }, (_, i) => `"${String(i).repeat(400)}"`).join(', ')}]`),
    ],
    ['names with line ends', plan('').replace('A1', '"A1\\nA2"')],
    [
      '10,000 atoms',
      `${plan('')}`.replace(
        /\{ id.*\}/,
        Array.from({ length: 10_000 }, (_, i) => `{ id: A${i}, title: x }`).join(', '),
      ),
    ],
  ];
  for (const [name, text] of refused)
    it(`with ${name} is refused`, () => {
      assert.ok(errorOf(text).message.length < 600);
    });

  it('of as many atoms as there may be, all in a row, is read in a time in proportion to them', async () => {
    const made = (size: number) => {
      const all = Array.from(
        { length: size },
        (_, i) => `  - { id: A${i}, title: x${i === 0 ? '' : `, depends_on: [A${i - 1}]`} }`,
      );
      return `goal: g\nbase_case: [{ item: i, check: { file: x } }]\natoms:\n${all.join('\n')}\n`;
    };
    const text = made(2000);
    assert.equal(readPlan(text).atoms.length, 2000);
    assert.match(
      errorOf(text.replace('id: A0, title: x', 'id: A0, title: x, depends_on: A1999')).message,
      /in a circle/,
    );
    await growsLinearly('a row', 2000, made, readPlan);
  });
});

describe('what is probably not meant in a plan', () => {
  const warningsOf = (plan: object) =>
    checkPlan(
      PlanFile.parse({
        goal: 'g',
        base_case: [{ item: 'i', check: { file: 'x' } }],
        atoms: [{ id: 'A1', title: 't' }],
        ...plan,
      }),
    ).map(({ text }) => text);
  it('is told, and does not stop anybody', () => {
    assert.deepEqual(warningsOf({}), []);
    assert.match(
      warningsOf({ base_case: [{ item: 'i', check: { not_command: 'npm audit' } }] }).join(),
      /not_command: npm audit/,
    );
    const quality = (...weights: number[]) => ({
      base_case: [{ item: 'i', check: { quality: { rubric: weights.map((weight) => ({ criterion: 'c', weight })) } } }],
    });
    assert.match(warningsOf(quality(0.4, 0.4)).join(), /add up to 0.8, not 1/);
    assert.deepEqual(warningsOf(quality(0.7, 0.3)), []);
    assert.deepEqual(warningsOf(quality(1, 1, 1)), [], 'the default of each');
    assert.match(
      warningsOf({
        atoms: [{ id: 'A1', title: 't', group: 'g' }],
        groups: [{ name: 'g', choices: ['A1', 'A2'] }],
      }).join(),
      /"A2" of "g" has no atom/,
    );
  });

  it('does not hide what is wrong', () => {
    assert.throws(
      () => warningsOf({ atoms: [{ id: 'A1', title: 't', depends_on: 'B' }] }),
      /plan\.yaml: "A1" waits for "B"/,
    );
  });
});
