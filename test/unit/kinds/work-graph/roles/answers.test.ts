import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isThoughtTreeError } from '../../../../../src/core/search/errors.ts';
import { checkProbe, checkWork } from '../../../../../src/kinds/work-graph/roles/ask-about-atom.ts';
import {
  ASSUMED,
  checkAligned,
  checkParts,
  checkPlanned,
  checkVote,
} from '../../../../../src/kinds/work-graph/roles/roles-of.ts';
import { effort } from '../../../../support/effort.ts';
import { SAMPLE_PLAN } from './sample-plan.ts';

const output = (value: unknown): string => `Here it is.\n<output>\n${JSON.stringify(value)}\n</output>`;
const CHECKS: Readonly<Record<string, (text: string) => unknown>> = {
  align: (text) => checkAligned(text, 'The goal'),
  plan: (text) => checkPlanned(text, SAMPLE_PLAN),
  probe: checkProbe,
  work: checkWork,
  judge: (text) => checkVote(text, [1, 2]),
  parts: (text) => checkParts(text, () => true),
};

function wrongIn(check: () => unknown): string {
  try {
    check();
  } catch (error) {
    if (isThoughtTreeError(error, 'bad-answer')) return error.message;
    throw error;
  }
  return assert.fail('It was accepted.');
}

describe('answers of a work graph’s models', () => {
  it('are read, or refused in words, whatever they are', () => {
    const keys = fc.constantFrom(
      ...['goal', 'base_case', 'atoms', 'groups', 'feasible', 'findings', 'success', 'summary', 'artifacts', 'scores'],
      ...['criterion', 'score', 'title', 'does', 'after', 'checks', 'item', 'check', 'command', 'next_steps', 'id'],
    );
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.oneof(fc.string({ maxLength: 5 }), fc.integer({ min: -1, max: 6 }), fc.boolean(), fc.constant(null)),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(keys, tie('value'), { maxKeys: 6 }),
      ),
    }));
    const text = fc.oneof(
      value.map(output),
      fc.string(),
      fc.anything().map((each) => `<output>${String(each)}</output>`),
    );
    fc.assert(
      fc.property(text, (answer) => {
        for (const check of Object.values(CHECKS))
          try {
            check(answer);
          } catch (error) {
            assert.ok(isThoughtTreeError(error, 'bad-answer'), String(error));
            assert.ok(error.message.length < 1500, error.message);
          }
      }),
      { numRuns: effort(500) },
    );
  });

  it('are refused without an output, if that is no JSON, and if they never end', () => {
    for (const check of Object.values(CHECKS)) {
      assert.match(
        wrongIn(() => check('No.')),
        /<output>/,
      );
      assert.match(
        wrongIn(() => check('<output>{</output>')),
        /JSON/,
      );
      assert.match(
        wrongIn(() => check(output('x'.repeat(1_000_001)))),
        /too long/,
      );
      assert.match(
        wrongIn(() => check(output(7))),
        /form/,
      );
    }
  });

  describe('of who makes the goal clear', () => {
    it('are cut, not refused, where they are long', () => {
      const aligned = checkAligned(
        output({
          goal: 'x'.repeat(50_000),
          deliverables: Array.from({ length: 300 }, (_, i) => `${i} ${'y'.repeat(3000)}`),
          done: 'one thing',
          clarifications: [
            { question: ' Which? ', answer: 'This.', from: 'src/a.ts' },
            { question: 'Why?', answer: 'So.' },
            { question: '', answer: 'So.' },
          ],
        }),
        'Asked',
      );
      assert.equal(aligned.goal.length, 20_000);
      assert.deepEqual([aligned.deliverables.length, aligned.deliverables[0]?.length], [200, 1000]);
      assert.deepEqual(aligned.done, ['one thing']);
      assert.deepEqual(
        aligned.clarifications.map(({ question, from }) => [question, from]),
        [
          ['Which?', 'src/a.ts'],
          ['Why?', ASSUMED],
        ],
      );
      assert.equal(checkAligned(output({ goal: ' ' }), 'Asked').goal, 'Asked');
    });
  });

  describe('of who plans', () => {
    const atom = { id: 'A1', title: 'One', checks: [{ item: 'it is there', check: { file: 'a' } }] };
    const base_case = [{ item: 'the tests pass', check: { command: 'npm test' } }];

    it('become a plan with the goal that was agreed on, and what a person corrected', () => {
      const corrections = [{ time: '2026-01-01', type: 'constraint' as const, what: 'No classes' }];
      const earlier = { ...SAMPLE_PLAN, corrections };
      const text = output({ base_case, set_up: 'npm ci', atoms: [atom], goal: 'Something else' });
      const plan = checkPlanned(text, SAMPLE_PLAN, earlier);
      assert.deepEqual(
        [plan.goal, plan.set_up, plan.atoms[0]?.id, plan.corrections],
        [SAMPLE_PLAN.goal, 'npm ci', 'A1', corrections],
      );
    });

    it('go back with what cannot be carried out', () => {
      for (const [given, why] of [
        [{ base_case, atoms: [{ ...atom, depends_on: ['A9'] }] }, /A9/],
        [{ base_case, atoms: [atom, atom] }, /A1/],
        [
          {
            base_case,
            atoms: [
              { ...atom, depends_on: ['A2'] },
              { id: 'A2', title: 'Two', depends_on: ['A1'] },
            ],
          },
          /A1/,
        ],
        [{ base_case: [], atoms: [atom] }, /base_case/],
        [{ base_case, atoms: [{ ...atom, touches: ['../x'] }] }, /touches/],
        [{ base_case, atoms: Array.from({ length: 61 }, (_, i) => ({ id: `A${i}`, title: 'x' })) }, /atoms/],
        [{ base_case: [{ item: 'x', check: { command: 'a\u0007b' } }], atoms: [atom] }, /form/],
      ] as const)
        assert.match(
          wrongIn(() => checkPlanned(output(given), SAMPLE_PLAN)),
          why,
        );
    });
  });

  it('of a probe are one bounded text', () => {
    const { feasible, findings } = checkProbe(
      output({
        feasible: false,
        findings: 'The module is gone.',
        cost_estimate: 'high',
        risks: ['time'],
        recommendations: ['Wait'],
        relevant_files: ['src/a.ts', 'src/b.ts'],
      }),
    );
    assert.equal(feasible, false);
    assert.equal(
      findings,
      'The module is gone.\nCost: high\nRisks: time\nRecommendations: Wait\nFiles: src/a.ts; src/b.ts',
    );
    assert.equal(
      checkProbe(output({ feasible: true, findings: 'x'.repeat(9000), risks: ['y'] })).findings.length,
      4000,
    );
    assert.match(
      wrongIn(() => checkProbe(output({ feasible: 'yes', findings: '' }))),
      /feasible/,
    );
  });

  it('of a worker say what is open, and what else has to be done', () => {
    const worked = checkWork(
      output({
        success: true,
        summary: 'It is done.',
        artifacts: ['src/a.ts', '', 7],
        details: 'More.',
        issues: ['One thing'],
        next_steps: ['Write docs\nand more', { title: 'Test it', does: 'With a fuzzer' }, { title: '' }],
      }),
    );
    assert.deepEqual(worked.artifacts, ['src/a.ts', '7']);
    assert.equal(worked.details, 'More.\n\n## Issues\n\n- One thing');
    assert.deepEqual(worked.discovered, [
      { title: 'Write docs', does: 'Write docs\nand more' },
      { title: 'Test it', does: 'With a fuzzer' },
    ]);
    assert.match(
      wrongIn(() => checkWork(output({ summary: 'Done' }))),
      /success/,
    );
  });

  it('of a judge are weighed relative to each other', () => {
    const scores = [
      { criterion: 1, score: 4 },
      { criterion: 2, score: 4 },
    ];
    assert.equal(checkVote(output({ scores }), [0.4, 0.4]), 4);
    assert.equal(checkVote(output({ scores: [1, 5] }), [3, 1]), 2);
    for (const wrong of [[1], [1, 5, 5], [0, 5], [1, 6], [1, '5']])
      assert.ok(wrongIn(() => checkVote(output({ scores: wrong }), [1, 1])));
  });

  it('of who splits an atom run nothing that nobody agreed to', () => {
    const check = (command: string) => ({ item: 'it holds', check: { command } });
    const parts = checkParts(
      output([
        { title: 'One', checks: [check('npm test'), check('rm -r x'), { item: 'a', any_of: [check('rm -r x')] }] },
        { title: 'Two', after: [0, 0], touches: ['src/**'] },
      ]),
      (line) => line === 'npm test',
    );
    assert.deepEqual(
      parts.map(({ title, does, after, checks }) => [title, does, after, checks.length]),
      [
        ['One', 'One', [], 1],
        ['Two', 'Two', [0], 0],
      ],
    );
    const split = (value: unknown): string => wrongIn(() => checkParts(output(value), () => true));
    assert.match(split([{ title: 'One' }]), /2 to 8/);
    assert.match(split([{ title: 'One', after: [0] }, { title: 'Two' }]), /earlier/);
    assert.match(split([{ title: 'One' }, { title: 'One' }]), /"One"/);
    assert.match(split([{ title: 'One' }, { title: 'Two', touches: ['/etc/x'] }]), /touches/);
  });
});
