import '../use-fake-vscode.ts';
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KINDS } from '../../../../src/kinds/kinds.ts';
import { workGraphDescriptor } from '../../../../src/kinds/work-graph/descriptor.ts';
import { fake, Uri, window } from '../fake-vscode.ts';

const { pickPlan } = await import('../../../../src/extension/start/start-steps.ts');

describe('a plan in a file', () => {
  let folder: string;
  beforeEach(async () => {
    fake.reset();
    folder = await mkdtemp(join(tmpdir(), 'thought-tree-goal-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('has a goal, which is the question, and it is said where it is wrong', async () => {
    const file = join(folder, 'plan.yaml');
    Object.assign(window, { showOpenDialog: async () => [Uri.file(file)] });
    const plan =
      'goal: All green\nbase_case:\n  - item: Tests pass\n    check: { command: npm test }\natoms:\n  - id: A1\n    title: Repair them\n';
    await writeFile(file, plan);
    const goal = await pickPlan(workGraphDescriptor, KINDS);
    assert.equal(goal?.question, 'All green');
    assert.match(goal?.plan ?? '', /A1/);
    await writeFile(file, 'goal: All green\nbase_case: []\natoms: []\n');
    await assert.rejects(pickPlan(workGraphDescriptor, KINDS), { reason: 'damaged' });
    await writeFile(file, new Uint8Array([0xff, 0xfe, 0]));
    await assert.rejects(pickPlan(workGraphDescriptor, KINDS), /plan\.yaml is no plan/);
  });
});
