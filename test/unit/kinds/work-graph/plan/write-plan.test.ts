import assert from 'node:assert/strict';
import fc from 'fast-check';
import { PlanFile } from '../../../../../src/kinds/work-graph/plan/plan.ts';
import { readPlan, writePlan } from '../../../../../src/kinds/work-graph/plan/plan-file.ts';
import { effort } from '../../../../support/effort.ts';
import '../../../../support/property-seed.ts';

const PLAN = `# Mine
goal: "All tests pass"   # really
deliverables: []
base_case:
- item: tests            # not indented
  check: {command: npm test}
atoms:
  # The first
  - id: A1
    title: 'Find out: why'
    depends_on: []
    does: |
      Read the log.
        Then read it again.
  - {id: A2, title: Mend it, depends_on: A1, group: ways}   # short
  - id: 3
    title: Write it down
    depends_on:
      - ways
`;

/** The lines of a text that another does not have. */
function linesOnlyIn(text: string, other: string): string[] {
  const others = new Set(other.split('\n'));
  return text.split('\n').filter((line) => !others.has(line));
}

describe('writing a plan', () => {
  it('changes no byte of a plan that did not change', () => {
    for (const text of [PLAN, `\ufeff${PLAN}`, PLAN.replaceAll('\n', '\r\n')])
      assert.equal(writePlan(readPlan(text), text), text);
  });

  it('changes only the lines of what changed', () => {
    const plan = readPlan(PLAN);
    const [first, second, third] = plan.atoms as [PlanFile['atoms'][0], PlanFile['atoms'][0], PlanFile['atoms'][0]];
    const changed: PlanFile = {
      ...plan,
      goal: 'Most tests pass',
      atoms: [
        { ...first, run: 'npm run why' },
        { ...second, title: 'Mend, or not' },
        third,
        { ...first, id: 'A4', title: 'x' },
      ],
      corrections: [{ time: '2026-01-01T00:00:00Z', type: 'objective', what: 'less' }],
    };
    const text = writePlan(changed, PLAN);
    assert.deepEqual(readPlan(text), changed);
    assert.deepEqual(linesOnlyIn(PLAN, text), [
      'goal: "All tests pass"   # really',
      '  - {id: A2, title: Mend it, depends_on: A1, group: ways}   # short',
    ]);
    assert.match(text, /^goal: "Most tests pass" {3}# really$/m);
    assert.match(text, /^ {2}- \{id: A2, title: "Mend, or not", depends_on: A1, group: ways\} {3}# short$/m);
    assert.match(text, /again\.\n {4}run: npm run why\n {2}- \{id: A2/);
  });

  it('removes an atom with its lines alone', () => {
    const plan = readPlan(PLAN);
    const text = writePlan(
      {
        ...plan,
        atoms: plan.atoms
          .filter(({ id }) => id !== '3')
          .filter(({ id }) => id !== 'A1')
          .map((atom) => ({ ...atom, depends_on: [] })),
      },
      PLAN,
    );
    assert.match(text, /atoms:\n {2}# The first\n {2}- \{id: A2, title: Mend it, group: ways\} {3}# short\n$/);
  });

  it('writes a new one as a person would', () => {
    const plan = PlanFile.parse({
      goal: 'g',
      base_case: [{ item: 'i', check: { file: 'x' } }],
      atoms: [
        { id: 'A1', title: 't', depends_on: ['A2'] },
        { id: 'A2', title: 'a\nb' },
      ],
    });
    const text = writePlan(plan);
    assert.equal(
      text,
      'goal: g\nbase_case:\n  - item: i\n    check:\n      file: x\natoms:\n  - id: A1\n    title: t\n    depends_on: [A2]\n  - id: A2\n    title: "a\\nb"\n',
    );
    assert.deepEqual(readPlan(text), plan);
  });

  it('is read back as it was, whatever its texts are', () => {
    const text = fc
      .string({ minLength: 1, unit: 'binary' })
      .filter((each) => each.trim() === each && each.isWellFormed() && each.length < 500);
    const hard = fc.oneof(
      text,
      fc
        .constantFrom(
          'yes',
          '1',
          '~',
          'null',
          '- a',
          '# x',
          'a: b',
          '"',
          "'",
          '[',
          '{}',
          'a #b',
          '---',
          '...',
          'x\n---\ny',
          '\t',
          '&a',
          '*a',
          '!x',
          '|',
          '0x1f',
        )
        .filter((each) => each.trim() === each),
    );
    const plans = fc.record({ goal: hard, titles: fc.array(hard, { minLength: 1, maxLength: 5 }) });
    fc.assert(
      fc.property(plans, plans, (one, other) => {
        const of = ({ goal, titles }: typeof one) =>
          PlanFile.parse({
            goal,
            base_case: [{ item: goal, check: { assertion: goal } }],
            atoms: titles.map((title, i) => ({ id: `A${i}`, title, does: title })),
          });
        const written = writePlan(of(one));
        assert.deepEqual(readPlan(written), of(one));
        const changed = writePlan(of(other), `# mine\n${written}`);
        assert.deepEqual(readPlan(changed), of(other));
        assert.ok(changed.startsWith('# mine\n'), 'a comment stays');
      }),
      { numRuns: effort(200) },
    );
  });
});
