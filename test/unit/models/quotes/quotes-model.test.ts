import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Model } from '../../../../src/core/ports/model.ts';
import { isThoughtTreeError } from '../../../../src/core/search/errors.ts';
import { openQuotesModel } from '../../../../src/models/quotes/quotes-model.ts';
import {
  ask,
  below,
  childrenOf,
  documentOf,
  makeWorkspace,
  outputOf,
  quotesIn,
  removeWorkspaces,
} from '../../../support/quotes/quotes-workspace.ts';

const FILES = {
  'src/queue.ts': `/** Waits its turn. */\nexport class Queue {\n  /** Adds a job at the end. */\n  push(job: Job): void {
    this.jobs.push(job);\n    wake(this);\n  }\n}\n\n/** Wakes a worker for the queue. */\nexport function wake(queue: Queue): void {\n  start(queue);\n}\n`,
  'src/server.ts': `import { Queue } from './queue.ts';\n\n/** Serves jobs from a queue. */\nexport function serve(): void {
  const queue = new Queue();\n  queue.push(job());\n}\n`,
  'docs/queue.md':
    '# The queue\n\nA job is pushed to the queue; a worker wakes.\n\n## Limits\n\nThe queue has no limit.\n',
  'test/queue.test.ts': `import { Queue } from '../src/queue.ts';\n\nit('wakes a worker for each job', () => {\n  new Queue().push(job);\n  assert(awake);\n});\n`,
  '文档.md': '# 队列\n\n任务被添加到队列的末尾，然后唤醒工作线程。\n\n# 超时\n\n任务超时以后，队列会重试任务。\n',
};

describe('the model workspace/quotes', () => {
  let model: Model;
  before(() => {
    model = openQuotesModel({ workspace: makeWorkspace(FILES) });
  });
  after(async () => {
    await model.close?.();
    removeWorkspaces();
  });

  it('says what it is, and costs nothing', async () => {
    assert.equal(model.name, 'workspace/quotes');
    assert.equal(model.label, 'No model: quotes from this workspace');
    assert.ok(model.free);
    const data = { purpose: 'children', question: 'queue', folder: 'x', lineage: [], maxChildren: 50 } as const;
    const answer = await ask(model, data);
    assert.equal(answer.finish, 'stop');
    assert.deepEqual(answer.usage, { prompt: 0, cached: 0, completion: 0, usd: 0 });
  });

  it('keeps source, docs, uses and tests apart, and says what to read and what was not found', async () => {
    const question = 'How is a job pushed to the queue of the frobnicator?';
    const [first = []] = below([], await childrenOf(model, question, []));
    const document = await documentOf(model, question, first);
    const sections = document.split(/^## /m).map((section) => section.split('\n')[0]);
    assert.deepEqual(sections.slice(1), [
      'Defined in',
      'What the docs say',
      'Used by',
      'Tested in',
      'Read first',
      'Not found',
    ]);
    assert.match(document, /## Defined in\n\n\[src\/queue\.ts:/);
    assert.match(document, /## What the docs say\n\n\[docs\/queue\.md:/);
    assert.match(document, /## Used by[^#]*\[src\/server\.ts:/);
    assert.match(document, /## Tested in\n\n\[test\/queue\.test\.ts:/);
    assert.match(document, /In no file: \*frobnicator\*\. 5 files searched\./);
  });

  it('lists at most as many children as it may', async () => {
    const data = {
      purpose: 'children',
      question: 'job queue worker',
      folder: 'x',
      lineage: [],
      maxChildren: 1,
    } as const;
    assert.equal(JSON.parse(outputOf(await ask(model, data))).length, 1);
    for (const { score } of await childrenOf(model, 'job queue worker', [])) assert.ok(score >= 0 && score <= 10);
  });

  it('does not take a program that asks the question for its answer', async () => {
    const question = 'Which worker does the queue wake?';
    const asks = `export function example(): void {\n  ask('${question}');\n  worker(queue).wake();\n}\n`;
    const asked = openQuotesModel({ workspace: makeWorkspace({ ...FILES, 'src/example.ts': asks }) });
    const titles = (await childrenOf(asked, question, [])).map(({ title }) => title);
    await asked.close?.();
    assert.ok(titles.some((title) => title.includes('queue.ts')));
    assert.deepEqual(
      titles.filter((title) => title.includes('example')),
      [],
    );
  });

  it('finds where an error is thrown whose text is all that was asked', async () => {
    const text = 'Cannot redirect after headers were sent';
    const throws = `export function redirect(url: string): void {\n  if (sent) throw new Error('${text}');\n}\n`;
    const asked = openQuotesModel({ workspace: makeWorkspace({ ...FILES, 'src/redirect.ts': throws }) });
    const [first] = await childrenOf(asked, text, []);
    await asked.close?.();
    assert.match(first?.title ?? '', /redirect\.ts/);
  });

  it('searches for the words of a title that a person typed', async () => {
    const lineage = [{ title: 'who wakes the workers?', siblings: ['who wakes the workers?'], index: 0 }];
    const document = await documentOf(model, 'How is a job pushed?', lineage);
    assert.ok(quotesIn(document, 'thought-trees/question/node-0').some(({ path }) => path === 'src/queue.ts'));
    for (const title of ['', '`', '“”', '`a` (', '../../x', '`Queue` (src/gone.ts)', 'x '.repeat(5000), '\u0000\n---'])
      assert.match(
        await documentOf(model, 'job?', [{ title, siblings: [title], index: 0 }]),
        /^---\ntitle: ".*"\nsummary: ".*"\n---\n/,
      );
  });

  it('answers in other scripts', async () => {
    const question = '任务超时以后会怎么样？';
    const [first = []] = below([], await childrenOf(model, question, []));
    assert.ok(
      quotesIn(await documentOf(model, question, first), 'thought-trees/question/node-0').some(
        ({ path }) => path === '文档.md',
      ),
    );
  });

  it('says so if nothing matches', async () => {
    const question = 'Wie fliegt ein Kolibri?';
    const data = { purpose: 'children', question, folder: 'x', lineage: [], maxChildren: 50 } as const;
    const answer = await ask(model, data);
    assert.equal(outputOf(answer), '[]');
    assert.equal(answer.leafReason, 'no-sources');
    const document = await documentOf(model, question, [{ title: 'Kolibri', siblings: ['Kolibri'], index: 0 }]);
    assert.match(document, /Nothing in this workspace matches\. 5 files searched\./);
    assert.match(document, /\*fliegt\*/);
  });

  it('gives an overview if a question has nothing to search for', async () => {
    assert.ok((await childrenOf(model, 'What is this?', [])).length > 0);
  });

  it('ranks candidates, no more than wanted, each once, alternating between branches', async () => {
    const candidates = [
      { path: 'a/one', title: 'One', score: 9 },
      { path: 'a/two', title: 'Two', score: 9 },
      { path: 'a/three', title: 'Three', score: 8.5 },
      { path: 'b/four', title: 'Four', score: 8 },
      { path: 'c/queue', title: 'The queue', score: 5 },
      { path: 'd', title: 'Unscored' },
    ];
    const pick = async (limit: number): Promise<string[]> => {
      const data = {
        purpose: 'pick',
        question: 'Which queue?',
        outline: '',
        candidates,
        limit,
        worked: limit,
      } as const;
      return outputOf(await ask(model, data)).split('\n');
    };
    assert.deepEqual(await pick(3), ['a/one', 'b/four', 'a/two']);
    assert.deepEqual((await pick(64)).toSorted(), candidates.map(({ path }) => path).toSorted());
  });

  it('stops waiting at once when it is aborted', async () => {
    const data = { purpose: 'children', question: 'queue', folder: 'x', lineage: [], maxChildren: 50 } as const;
    const aborted = (error: unknown): boolean => isThoughtTreeError(error, 'aborted');
    await assert.rejects(ask(model, data, AbortSignal.abort()), aborted);
    const controller = new AbortController();
    const answer = ask(model, data, controller.signal);
    controller.abort();
    await assert.rejects(answer, aborted);
    assert.ok((await childrenOf(model, 'queue', [])).length > 0, 'and answers the next');
  });

  it('answers again after it was closed, and refuses what was waiting then', async () => {
    const other = openQuotesModel({ workspace: makeWorkspace(FILES) });
    const waiting = childrenOf(other, 'queue', []);
    await Promise.all([assert.rejects(waiting, (error) => isThoughtTreeError(error, 'aborted')), other.close?.()]);
    assert.ok((await childrenOf(other, 'queue', [])).length > 0);
    await other.close?.();
  });

  it('says that a folder is missing', async () => {
    const other = openQuotesModel({ workspace: join(makeWorkspace({}), 'gone') });
    await assert.rejects(childrenOf(other, 'queue', []), (error) => isThoughtTreeError(error, 'not-found'));
    await other.close?.();
  });

  it('keeps no process alive that has its answer', async () => {
    const file = JSON.stringify(join(import.meta.dirname, '../../../../src/models/quotes/quotes-model.ts'));
    const script = `import { openQuotesModel } from ${file};
      const model = openQuotesModel({ workspace: ${JSON.stringify(makeWorkspace(FILES))} });
      const data = { question: 'queue', rule: { by: 'passages', lineage: [], most: 50 } };
      const { text } = await model.generate({ data }, { signal: new AbortController().signal });
      console.log(text.length > 0);`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
    assert.equal(stdout, 'true\n');
  });
});
