import assert from 'node:assert/strict';
import type { WorkspaceIndex } from '../../../../src/text/index/workspace-index.ts';
import { indexWorkspace } from '../../../../src/text/index/workspace-indexes.ts';
import type { Found } from '../../../../src/text/rank/passage-search.ts';
import { conceptsOf } from '../../../../src/text/words/concept.ts';
import { makeWorkspace, removeWorkspaces } from '../../../support/quotes/quotes-workspace.ts';

const FILES = {
  'src/queue.ts': `export interface Queue {
  /** Pushes a job to the queue, unless it is full. */
  push(job: Job): void;
}

export function pushJob(queue: Queue, job: Job): void {
  if (queue.jobs.length >= LIMIT) throw new Error('the queue is full');
  queue.jobs.push(job);
}
`,
  'src/retry.ts': `import { pushJob } from './queue.ts';

/** Waits longer after each failure. */
export function backOff(job: Job): void {
  const delay = Math.min(MAX_DELAY, 2 ** job.failures * 100);
  setTimeout(() => pushJob(queue, job), delay);
}
`,
  'src/report.ts': `export function report(jobs: Job[]): void {
  for (const job of jobs) console.log(job.name);
}

export function job(): string {
  return 'name';
}
`,
  'test/queue.test.ts': `it('pushes a job to the end of the queue, unless the queue is full', () => {
  pushJob(queue, job);
  pushJob(queue, job);
  assert.throws(() => pushJob(queue, job), /the queue is full/);
});
`,
  'docs/queue.md': '# The queue\n\nA job is pushed to the end of the queue, unless the queue is full.\n',
};

describe('the ranking of passages', () => {
  let index: WorkspaceIndex;
  before(async () => {
    index = await indexWorkspace(makeWorkspace(FILES));
  });
  after(removeWorkspaces);

  const search = (question: string): Found => index.search.search(conceptsOf(question), question);
  const first = (question: string): string => {
    const { passage } = search(question).hits[0] ?? assert.fail('nothing found');
    return `${passage.file.path} ${passage.name}`;
  };

  it('puts the code before the test, the document and the interface that say it too', () => {
    assert.equal(first('What happens if a job is pushed while the queue is full?'), 'src/queue.ts pushJob');
  });

  it('puts a test or a document first if the question asks for one', () => {
    assert.match(first('Which test shows that a full queue throws?'), /^test\/queue\.test\.ts/);
    assert.match(first('Where is it documented that a job is pushed to the end of the queue?'), /^docs\/queue\.md/);
  });

  it('is not won by a single common word in a name', () => {
    assert.equal(first('How long is the delay of a job after failures?'), 'src/retry.ts backOff');
  });

  it('finds what a question is about that has hardly a word of the code', async () => {
    const files = {
      'src/jar.ts': `export function accept(cookie: Cookie, page: Page): boolean {
  if (isPublicSuffix(cookie.domain)) return false;
  return page.host === cookie.domain || page.host.endsWith('.' + cookie.domain);
}
`,
      'src/page.ts': `export function render(page: Page): string {
  if (page.stopped) return '';
  return page.parts.join('');
}
`,
      'src/shared.ts': `export const shared = new Map<string, Page>();

export function leave(page: Page): void {
  shared.delete(page.name);
}
`,
    };
    const question =
      'Can a page of one shop set something for all of co.uk, shared by everybody under the same ending?';
    const own = await indexWorkspace(makeWorkspace(files));
    const [hit] = own.search.search(conceptsOf(question), question).hits;
    assert.equal(hit?.passage.file.path, 'src/jar.ts');
  });

  it('knows a name that the question writes as code does', () => {
    assert.equal(first('What does pushJob do?'), 'src/queue.ts pushJob');
  });

  it('has scores that fall from 1', () => {
    const { hits, byPassage } = search('When is a job pushed to the queue?');
    assert.equal(hits[0]?.score, 1);
    for (const [place, hit] of hits.entries()) {
      assert.ok(hit.score > 0 && hit.score <= (hits[place - 1]?.score ?? 1));
      assert.ok(hit.relevance > 0 && hit.relevance <= 1);
      assert.equal(byPassage.get(hit.passage.id), hit);
    }
  });

  it('is the same each time', async () => {
    const question = 'When is a job pushed to the queue?';
    const again = await indexWorkspace(makeWorkspace(FILES));
    const order = (found: Found): string[] => found.hits.map(({ passage, score }) => `${passage.id} ${score}`);
    assert.deepEqual(order(again.search.search(conceptsOf(question), question)), order(search(question)));
  });

  it('says which words occur, and finds nothing for none', () => {
    const { present, weights } = search('frobnicator queue');
    assert.deepEqual(present, [false, true]);
    assert.equal(weights[0], 0);
    assert.ok((weights[1] ?? 0) > 0);
    assert.deepEqual(search('').hits, []);
    assert.deepEqual(search('frobnicator').hits, []);
  });
});
