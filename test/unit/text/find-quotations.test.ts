import assert from 'node:assert/strict';
import type { QuotationRequest, WorkspaceQuotation, WorkspaceText } from '../../../src/core/ports/workspace-text.ts';
import { openWorkspaceText } from '../../../src/models/quotes/open-workspace-text.ts';
import { makeWorkspace, mochaWorkspace, removeWorkspaces } from '../../support/quotes/quotes-workspace.ts';

const never = new AbortController().signal;

describe('what another model sees of a workspace', () => {
  let mocha: WorkspaceText;
  before(() => {
    mocha = openWorkspaceText({ workspace: mochaWorkspace() });
  });
  after(async () => {
    await mocha.close();
    removeWorkspaces();
  });

  const find = (request: Partial<QuotationRequest>, text = mocha): Promise<readonly WorkspaceQuotation[]> =>
    text.find({ question: 'How does a timeout fail a test?', titles: [], shown: [], ...request }, never);

  for (const question of [
    'How does a timeout fail a test, and what happens to the hooks around it?',
    'How can parallel runs be made faster?',
    'What decides in which order test files are loaded?',
    'How are hooks ordered around the tests of a suite?',
    'Which reporters does this package bring?',
    'Was macht `resetTimeout`?',
    '`lib/runner.js` erklären',
    'Wie funktioniert runSuite in Runner?',
  ])
    it(`is something for: ${question}`, async () => {
      assert.notEqual((await find({ question })).length, 0);
    });

  for (const question of [
    'What was the history of the Roman Empire?',
    'What is the best pizza recipe in Naples?',
    'Should I buy a house or rent in Berlin?',
    'Explain quantum entanglement',
    'Compare PostgreSQL and MySQL for time series data',
    '如何规划一次旅行？',
    '?',
    '',
  ])
    it(`is nothing where the researcher without a model finds nothing: ${question}`, async () => {
      assert.deepEqual(await find({ question }), []);
    });

  it('is what the files say at these lines, word for word', async () => {
    const quotations = await find({ titles: ['What resets a timeout'] });
    assert.ok(quotations.length >= 4, String(quotations.length));
    for (const { path, from, to, lines } of quotations) {
      const file = await mocha.read(path);
      assert.ok('text' in file, path);
      assert.deepEqual(lines, file.text.split('\n').slice(from - 1, to));
    }
  });

  it('follows the titles down to the node', async () => {
    const [hooks, reporters] = await Promise.all([
      find({ titles: ['Hooks', 'How before and after hooks time out'] }),
      find({ titles: ['Reporters', 'How the spec reporter shows a timeout'] }),
    ]);
    const paths = (quotations: readonly WorkspaceQuotation[]): string[] => quotations.map(({ path }) => path);
    assert.notDeepEqual(paths(hooks), paths(reporters));
    assert.ok(
      paths(reporters).some((path) => path.includes('reporters/')),
      paths(reporters).join(),
    );
  });

  it('is never what the conversation already contains, whatever lines that claims to contain', async () => {
    const first = await find({});
    const again = await find({ shown: first });
    const rows = (all: readonly WorkspaceQuotation[]): string[] =>
      all.flatMap(({ path, from, to }) => Array.from({ length: to - from + 1 }, (_, at) => `${path}:${from + at}`));
    const before = new Set(rows(first));
    assert.deepEqual(
      rows(again).filter((row) => before.has(row)),
      [],
    );
    const path = first[0]?.path ?? '';
    const hostile = [
      { path: '../../etc/passwd', from: 1, to: 9 },
      { path, from: 1, to: 9_999_999 },
      { path, from: 9, to: 1 },
    ];
    assert.ok((await find({ shown: hostile })).every((one) => one.path !== path));
  });

  it('are lines of the files that thoughts name, and nothing if they name none', async () => {
    const named = await find({ naming: ['First look at runner.js, then at `lib/hook.js`; ../../etc/passwd too.'] });
    assert.deepEqual([...new Set(named.map(({ path }) => path))].sort(), ['lib/hook.js', 'lib/runner.js']);
    assert.deepEqual(await find({ naming: ['4 + 9 = 13', 'e.g. index', 'none.js'] }), []);
  });

  it('is nothing in an empty workspace, and an error in a missing one', async () => {
    const empty = openWorkspaceText({ workspace: makeWorkspace({}) });
    assert.deepEqual(await find({}, empty), []);
    await empty.close();
    const missing = openWorkspaceText({ workspace: '/nowhere/at/all' });
    await assert.rejects(find({}, missing), { reason: 'not-found' });
    assert.deepEqual(await missing.read('a.ts'), { unreadable: 'missing' });
    await missing.close();
  });

  it('returns the content of a file when the workspace was read, once it was', async () => {
    const folder = makeWorkspace({ 'a.md': '# Queue\n\nThe queue has a limit.\n' });
    const text = openWorkspaceText({ workspace: folder });
    assert.equal(await text.asSearched('a.md'), undefined);
    await find({ question: 'queue limit' }, text);
    assert.equal(await text.asSearched('a.md'), '# Queue\n\nThe queue has a limit.\n');
    assert.equal(await text.asSearched('../a.md'), undefined);
    await text.close();
  });
});
