import { PlanFile } from '../../../../../src/kinds/work-graph/plan/plan.ts';
import type { AtomFields } from '../../../../../src/kinds/work-graph/run/own-fields.ts';

/** A plan as a person or a model may write it. */
export const SAMPLE_PLAN: PlanFile = PlanFile.parse({
  goal: 'The parser reads CSV.',
  background: 'People send tables.',
  deliverables: ['src/csv.ts'],
  done: ['npm test passes'],
  constraints: ['No new dependencies'],
  in_scope: ['reading'],
  out_of_scope: ['writing'],
  clarifications: [{ question: 'Which separator?', answer: 'A comma.', from: 'README.md' }],
  base_case: [{ item: 'the tests pass', check: { command: 'npm test' } }],
  atoms: [
    { id: 'A1', title: 'Split lines', touches: ['src/lines.ts'] },
    { id: 'A2', title: 'Read CSV', depends_on: 'A1' },
  ],
});

export const SAMPLE_ATOM: AtomFields = {
  type: 'atom',
  name: 'A2',
  does: 'Write src/csv.ts, which reads a table.',
  checks: [
    { item: 'the tests pass', check: { command: 'npm test', timeout: 60 } },
    {
      item: 'it is there, one way or another',
      any_of: [
        { item: 'as a file', check: { file: 'src/csv.ts' } },
        { item: 'no leftovers', check: { not_command: 'ls src/csv.js' } },
      ],
    },
  ],
  touches: ['src/csv.ts'],
};
