import '../use-fake-vscode.ts';
import assert from 'node:assert/strict';
import { foreign } from '../../../../src/core/messages/message.ts';
import { ThoughtTreeError } from '../../../../src/core/search/errors.ts';
import { UNKNOWN_WORDS } from '../../../../src/core/search/kind-face.ts';
import type { Plan } from '../../../../src/engine/kind/kind.ts';
import type { Search } from '../../../../src/engine/search.ts';
import { fake, workspace } from '../fake-vscode.ts';

const { showPlan } = await import('../../../../src/extension/commands/show-plan.ts');

const words = { ...UNKNOWN_WORDS, planned: 'This is the plan.' };

/** A search whose plan is this one, and how often its file was checked. */
function planned(plan: Partial<Plan>): { search: Pick<Search, 'prepare' | 'file'>; checks: () => number } {
  let checks = 0;
  const whole: Plan = {
    lines: [foreign({ text: 'one' })],
    file: 'plan.yaml',
    check: async () => {
      checks++;
    },
    ...plan,
  };
  const search = { file: { title: 'Make it green' }, prepare: (show: (plan: Plan) => Promise<void>) => show(whole) };
  return { search: search as unknown as Pick<Search, 'prepare' | 'file'>, checks: () => checks };
}

describe('the plan of a search in the editor', () => {
  const opened: string[] = [];
  const { openTextDocument } = workspace;
  beforeEach(() => {
    fake.reset();
    opened.length = 0;
    workspace.openTextDocument = (async ({ fsPath }: { fsPath: string }) => {
      opened.push(fsPath);
      return { save: async () => opened.push('saved') };
    }) as unknown as typeof openTextDocument;
  });
  after(() => {
    workspace.openTextDocument = openTextDocument;
  });

  it('is opened in its file where it runs commands, and checked when the person begins', async () => {
    fake.answer = () => 'Start';
    const { search, checks } = planned({ commands: ['make'] });
    await showPlan(search, '/tmp/search', words);
    assert.deepEqual(opened, ['/tmp/search/plan.yaml', 'saved']);
    assert.equal(checks(), 1);
    assert.match(fake.messages.join('\n'), /^"Make it green": This is the plan\. You can edit plan\.yaml\./);
  });

  it('is asked about again while its file is wrong, saying what', async () => {
    fake.answer = () => 'Start';
    let tries = 0;
    const { search } = planned({
      commands: [],
      check: async () => {
        if (++tries < 3) throw new ThoughtTreeError('damaged', foreign({ text: `plan.yaml:${tries}: a circle` }));
      },
    });
    await showPlan(search, '/tmp/search', words);
    assert.deepEqual(fake.messages.slice(1), ['plan.yaml:1: a circle', 'plan.yaml:2: a circle']);
  });

  it('does not begin without a yes', async () => {
    fake.answer = () => 'Not Now';
    await assert.rejects(showPlan(planned({ commands: [] }).search, '/tmp/search', words), { reason: 'declined' });
  });

  it('is shown as it is where it is short and runs nothing', async () => {
    fake.answer = () => 'Start';
    await showPlan(planned({}).search, '/tmp/search', words);
    assert.equal(fake.detail, 'one');
    assert.deepEqual(opened, []);
  });
});
