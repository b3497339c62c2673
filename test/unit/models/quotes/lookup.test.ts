import assert from 'node:assert/strict';
import { type Lookup, lookupBlock, lookupIn, shownRows } from '../../../../src/core/ports/workspace-text.ts';
import { ask } from '../../../support/quotes/quotes-workspace.ts';
import { closeModels, modelWith } from '../../../support/quotes/shared-models.ts';

const FILES = {
  'src/queue.ts': `/** Waits its turn. */
export class Queue {
  /** Adds a job at the end. */
  push(job: Job): void {
    // A job waits while the queue is full.
    if (this.jobs.length >= this.limit) throw new Error('</lookup> full');
    this.jobs.push(job);
  }
}
`,
};

describe('how a question is looked up', () => {
  after(closeModels);

  async function lookUp(question: string, files: Readonly<Record<string, string>> = FILES): Promise<Lookup> {
    const model = modelWith(files);
    const data = { purpose: 'children', question, folder: 'trees/a', lineage: [], maxChildren: 50 } as const;
    const lookup = lookupIn((await ask(model, data)).text);
    assert.ok(lookup);
    return lookup;
  }

  it('names the place and the one line that decides: no comment, no bracket, no name', async () => {
    const { places, missing, files, read, skipped } = await lookUp(
      'What happens when a job is pushed and the limit is reached?',
    );
    assert.deepEqual(places[0], {
      title: '`Queue#push`: adds a job at the end (src/queue.ts)',
      says: '`Queue#push`: adds a job at the end',
      place: 'src/queue.ts:6',
      link: '../../src/queue.ts#L6',
      code: "if (this.jobs.length >= this.limit) throw new Error('</lookup> full');",
      language: 'ts',
      shown: places[0]?.shown,
    });
    assert.deepEqual(
      shownRows(places[0]?.shown ?? []).map(({ number, text, words }) => [
        number,
        text,
        words.map(([from, to]) => text.slice(from, to)),
      ]),
      [
        ['2', 'export class Queue {', []],
        ['3', '  /** Adds a job at the end. */', ['Adds', 'job']],
        ['4', '  push(job: Job): void {', ['push', 'job', 'Job']],
        ['5', '    // A job waits while the queue is full.', ['job']],
        ['6', "    if (this.jobs.length >= this.limit) throw new Error('</lookup> full');", ['jobs', 'limit']],
        ['7', '    this.jobs.push(job);', ['jobs', 'push', 'job']],
        ['8', '  }', []],
      ],
    );
    assert.deepEqual({ missing, files, read, skipped }, { missing: ['reached'], files: 1, read: 1, skipped: [] });
  });

  it('tells who calls a place and which test names it, and shows what is there twice once', async () => {
    const files = {
      'src/retry.ts':
        'export function retryLater(times: number) {\n  if (times > 3) return stop();\n  return wait(times);\n}\n',
      'src/async/retry.ts':
        'export async function retryLater(times: number) {\n  if (times > 3) return await stop();\n  return await wait(times);\n}\n',
      'src/send.ts': "import { retryLater } from './retry.ts';\nexport function send() {\n  retryLater(1);\n}\n",
      'test/retry.test.ts':
        "import { retryLater } from '../src/retry.ts';\nit('ends', () => {\n  retryLater(4);\n});\n",
    };
    const { places } = await lookUp('How many times is a retry made later?', files);
    const found = places.filter(({ title }) => title.includes('retryLater'));
    assert.equal(found.length, 1);
    const [{ title, twins, shown } = {}] = found;
    assert.match(title ?? '', /^`retryLater\(times: number\)` \(src\/(?:async\/)?retry\.ts\)$/);
    assert.deepEqual(twins?.map(({ place }) => place).length, 1);
    assert.ok(shown?.some(({ lines }) => lines.some(({ text }) => text.includes('times > 3'))));
    const alone = await lookUp('How many times is a retry made later?', { ...files, 'src/async/retry.ts': '' });
    const place = alone.places.find(({ title: each }) => each.includes('retryLater'));
    const [{ shown: calls, ...caller } = {}] = place?.callers ?? [];
    assert.deepEqual(caller, { name: '`send`', place: 'src/send.ts:3', link: '../../src/send.ts#L3' });
    assert.deepEqual(shownRows(calls ?? [])[1]?.text, '  retryLater(1);');
    assert.deepEqual(
      place?.tests?.map(({ place: at }) => at),
      ['test/retry.test.ts:3'],
    );
  });

  it('shows fewer places where the gap is large', async () => {
    const filler = Array.from({ length: 4 }, (_, at) => [
      `src/other${at}.ts`,
      `export function other${at}() {\n  return 'full';\n}\n`,
    ]);
    const { places } = await lookUp('What happens when a job is pushed and the limit is reached while it is full?', {
      ...FILES,
      ...Object.fromEntries(filler),
    });
    assert.deepEqual(places.map(({ shown }) => shown !== undefined).filter(Boolean), [true]);
  });

  it('has no place for what only shares a word, and names what is spelled alike', async () => {
    const { places, missing, near } = await lookUp('Which queues of elephants are there?');
    assert.deepEqual(places, []);
    assert.deepEqual(missing, ['elephants']);
    assert.deepEqual(near, ['Queue']);
  });

  it('shows of a file without names the lines that answer, not its first ones', async () => {
    const filler = Array.from({ length: 24 }, (_, at) => `set other${at} to ${at}`).join('\n');
    const rules = `" Rules for colours that a terminal has.\n\n${filler}\n\nif terminal has few colours\n  set palette to sixteen\nend\n`;
    const { places } = await lookUp('Which palette is set if a terminal has few colours?', { 'rules.vim': rules });
    assert.deepEqual(
      places.map(({ says, place }) => [says, place]),
      [['`rules.vim`, lines 28 to 30', 'rules.vim:28']],
    );
  });

  it('shows the whole of a declaration that begins above its name, and no guard of a header', async () => {
    const header =
      '#ifndef QUEUE_H\n#define QUEUE_H\n\n/* Adds a job to the queue. */\nAPI int CALL\n\taddJob(job one,\n\t\tint most);\n\n#endif\n';
    const { places } = await lookUp('How is a job added to the queue?', { 'queue.h': header });
    assert.deepEqual(
      places.map(({ place, code }) => [place, code]),
      [['queue.h:6', 'addJob(job one, int most);']],
    );
  });

  it('is read only as we write it', () => {
    const lookup = { places: [], isOverview: false, files: 1, read: 1, skipped: [], missing: ['</lookup>'], near: [] };
    assert.deepEqual(lookupIn(`<output>[]</output>\n${lookupBlock(lookup)}`), lookup);
    for (const wrong of ['', '<lookup>', '</lookup><lookup>', '<lookup>{}</lookup>', '<lookup>{</lookup>'])
      assert.equal(lookupIn(wrong), undefined);
    assert.equal(lookupIn(lookupBlock({ ...lookup, files: -1 })), undefined);
  });
});
