import assert from 'node:assert/strict';
import { givenPlan } from '../../../../../src/kinds/work-graph/plan/plan-file.ts';

const PLAN = `
goal: Two files say hello
set_up: touch ready
base_case:
  - item: both are there
    all_of:
      - item: a
        check: {command: "cat a.txt"}
      - item: no c
        any_of:
          - item: none in this folder
            check: {not_file: c.txt}
          - item: none that can be read
            check: {not_command: "cat c.txt"}
  - item: a person likes them
    check: {assertion: They are nice.}
atoms:
  - {id: A1, title: Write a, run: "cp ready a.txt", checks: [{item: there, check: {command: "cat a.txt"}}]}
  - {id: A2, title: Write b, depends_on: A1, by: person, probe: true}
`;

describe('a plan that a person gives', () => {
  it('names every command line that would run, each once, as it is', () => {
    const { prompt, text, commands } = givenPlan(PLAN, 'plan.yaml');
    assert.equal(prompt, 'Two files say hello');
    assert.equal(text, PLAN);
    assert.deepEqual(commands, ['touch ready', 'cp ready a.txt', 'cat a.txt', 'cat c.txt']);
  });

  it('is shown with its base case and what its atoms wait for', () => {
    const lines = givenPlan(PLAN, 'plan.yaml').lines.map(({ text }) => text);
    assert.deepEqual(lines, [
      'Goal: Two files say hello',
      'It is reached when:',
      '  - both are there, all of:',
      '    - a: cat a.txt succeeds',
      '    - no c, any of:',
      '      - none in this folder: there is no c.txt',
      '      - none that can be read: cat c.txt fails',
      '  - a person likes them: a person says so',
      '2 tasks:',
      '  A1 Write a (a command does it)',
      '    - there: cat a.txt succeeds',
      '  A2 Write b (after A1, probed first, a person does it)',
      'At most 20 iterations, 3 workers at once, and 3 iterations without progress.',
    ]);
  });

  it('is refused with the name of its file', () => {
    assert.throws(() => givenPlan('goal: x\natoms: []\n', 'wrong.yaml'), { reason: 'damaged', message: /wrong\.yaml/ });
  });
});
