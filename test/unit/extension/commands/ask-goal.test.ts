import '../use-fake-vscode.ts';
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KINDS } from '../../../../src/kinds/kinds.ts';
import { workGraphFace } from '../../../../src/kinds/work-graph/face.ts';
import { fake, Uri, window, workspace } from '../fake-vscode.ts';

const { askGoal } = await import('../../../../src/extension/commands/ask-goal.ts');

/** Picks a way by its label; anything else is answered in order. */
function answering(way: RegExp, ...answers: unknown[]): void {
  fake.answer = (question) =>
    Array.isArray(question) ? (question as { label: string }[]).find(({ label }) => way.test(label)) : answers.shift();
}

describe('asking for a goal', () => {
  const { openTextDocument } = workspace;
  let folder: string;
  beforeEach(async () => {
    fake.reset();
    folder = await mkdtemp(join(tmpdir(), 'thought-tree-goal-'));
  });
  afterEach(async () => {
    workspace.openTextDocument = openTextDocument;
    await rm(folder, { recursive: true, force: true });
  });

  it('takes a line', async () => {
    answering(/In a line/, '  All green  ');
    assert.deepEqual(await askGoal(workGraphFace, KINDS), { prompt: 'All green' });
    answering(/In a line/, undefined);
    assert.equal(await askGoal(workGraphFace, KINDS), undefined);
  });

  it('takes several lines from an editor, once there are any', async () => {
    const texts = ['', 'All green.\n\n- on Linux\n- on Windows\n'];
    workspace.openTextDocument = (async () => ({ getText: () => texts.shift() })) as unknown as typeof openTextDocument;
    answering(/In an editor/, 'Begin', 'Begin');
    assert.deepEqual(await askGoal(workGraphFace, KINDS), { prompt: 'All green.\n\n- on Linux\n- on Windows' });
  });

  it('takes a plan, whose goal is the question, and says where it is wrong', async () => {
    const file = join(folder, 'plan.yaml');
    Object.assign(window, { showOpenDialog: async () => [Uri.file(file)] });
    const plan =
      'goal: All green\nbase_case:\n  - item: Tests pass\n    check: { command: npm test }\natoms:\n  - id: A1\n    title: Repair them\n';
    await writeFile(file, plan);
    answering(/plan in a file/);
    const goal = await askGoal(workGraphFace, KINDS);
    assert.equal(goal?.prompt, 'All green');
    assert.match(goal?.plan ?? '', /A1/);
    await writeFile(file, 'goal: All green\nbase_case: []\natoms: []\n');
    await assert.rejects(askGoal(workGraphFace, KINDS), { reason: 'damaged' });
    await writeFile(file, new Uint8Array([0xff, 0xfe, 0]));
    await assert.rejects(askGoal(workGraphFace, KINDS), /plan\.yaml is no plan/);
  });
});
