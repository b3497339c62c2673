import '../use-fake-vscode.ts';
import assert from 'node:assert/strict';
import { UNKNOWN_TERMS } from '../../../../src/core/kind/kind-descriptor.ts';
import { foreign } from '../../../../src/core/messages/message.ts';
import { ThoughtTreeError } from '../../../../src/core/search/errors.ts';
import type { Plan } from '../../../../src/engine/kind.ts';
import type { Search } from '../../../../src/engine/search.ts';
import { drawInFront, fake, window, workspace } from '../fake-vscode.ts';

const { plans } = await import('../../../../src/extension/start/show-plan.ts');

const words = { ...UNKNOWN_TERMS, planning: 'Planning', planned: 'This is the plan.' };

/** A search whose plan is this one, and how often its file was checked. */
function planned(plan: Partial<Plan>): { search: Pick<Search, 'prepare' | 'file'>; checks: () => number } {
  let checks = 0;
  const whole: Plan = {
    lines: [foreign({ text: 'one' })],
    file: 'plan.yaml',
    commands: undefined,
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
  const beginning = { stop: async () => undefined, stopped: new Promise<never>(() => undefined) };
  const prepare = (search: Pick<Search, 'prepare' | 'file'>, isNew = true): Promise<string | undefined> =>
    plans.prepare({ search, beginning, words }, isNew);
  beforeEach(() => {
    fake.reset();
    opened.length = 0;
    workspace.openTextDocument = (async ({ fsPath }: { fsPath: string }) => {
      opened.push(fsPath);
    }) as unknown as typeof openTextDocument;
  });
  after(() => {
    workspace.openTextDocument = openTextDocument;
  });

  it('is to be edited in its file where it runs commands, or where the person wants that', async () => {
    assert.equal(await prepare(planned({ commands: ['make'] }).search), 'plan.yaml');
    assert.deepEqual(fake.messages, []);
    fake.answer = () => 'Edit First';
    assert.equal(await prepare(planned({}).search), 'plan.yaml');
  });

  it('is begun where a person brought it and its commands are asked about, and otherwise shown to them, too', async () => {
    const { search, checks } = planned({ commands: ['make'] });
    assert.equal(await plans.prepare({ search, beginning, words }, true, true), undefined);
    assert.equal(checks(), 1);
    assert.deepEqual(fake.messages, []);
    await assert.rejects(plans.prepare({ search: planned({}).search, beginning, words }, true, true), {
      reason: 'declined',
    });
  });

  it('is opened once nothing holds its search, and started from there', async () => {
    fake.answer = () => 'Start from This Plan';
    drawInFront();
    await plans.open('/tmp/search', 'plan.yaml', 'Make it green');
    assert.deepEqual(opened, ['/tmp/search/plan.yaml']);
    assert.equal((fake as { shownIn?: number }).shownIn, -2, 'never over a drawing');
    assert.match(fake.messages.join('\n'), /^You can edit plan\.yaml of "Make it green" now\./);
    assert.deepEqual(fake.executed.at(-1), ['thoughtTree.resume', { folder: '/tmp/search', path: '' }]);
  });

  it('is checked when the person starts it, saying what is wrong with it', async () => {
    const wrong = planned({
      check: async () => {
        throw new ThoughtTreeError('damaged', foreign({ text: 'plan.yaml:3: a circle' }));
      },
    });
    await assert.rejects(prepare(wrong.search, false), /plan\.yaml:3: a circle/);
    const { search, checks } = planned({ commands: ['make'] });
    assert.equal(await prepare(search, false), undefined);
    assert.equal(checks(), 1);
    assert.deepEqual(fake.messages, [], 'nobody is asked again');
  });

  it('does not begin without a yes', async () => {
    await assert.rejects(prepare(planned({}).search), { reason: 'declined' });
  });

  it('is shown as it is where it is short and runs nothing', async () => {
    fake.answer = () => 'Start';
    assert.equal(await prepare(planned({}).search), undefined);
    assert.equal(fake.detail, 'one');
    assert.match(fake.messages.join('\n'), /^"Make it green": This is the plan\./);
  });

  it('is announced only where a model is asked for it', async () => {
    const titles: string[] = [];
    const { withProgress } = window;
    window.withProgress = (async ({ title }: { title: string }) => void titles.push(title)) as never;
    const without = { file: { title: 'Why?' }, prepare: async () => undefined } as unknown as Search;
    await prepare(without);
    assert.deepEqual(titles, []);
    const made = { file: { title: 'Why?' }, prepare: async (_show: never, making?: () => void) => making?.() };
    await prepare(made as unknown as Search);
    assert.deepEqual(titles, ['"Why?": Planning']);
    window.withProgress = withProgress;
  });
});
