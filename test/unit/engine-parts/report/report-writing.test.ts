import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import type { Message } from '../../../../src/core/messages/message.ts';
import type { Store } from '../../../../src/core/ports/store.ts';
import { Closing, type SearchContext } from '../../../../src/engine/context.ts';
import { putReport, ReportWriting, withoutEditorLink } from '../../../../src/engine-parts/report/report-writing.ts';

/** Reports whose writing ends when `end` is called, with what was done in which order. */
function reports() {
  const closing = new Closing();
  const done: string[] = [];
  const ends: (() => void)[] = [];
  const fails = { next: false };
  const store = {
    readReport: async () => undefined,
    hashOf: () => '',
    readInterimHash: async () => undefined,
    writeInterimHash: async () => undefined,
  } as unknown as Store;
  const writing = new ReportWriting({
    closing,
    store,
    recheck: async () => void done.push('recheck'),
    write: async () => {
      done.push(closing.isInterim ? 'interim' : 'full');
      await new Promise<void>((resolve) => ends.push(resolve));
      if (fails.next) throw new Error('disk');
    },
  });
  const end = async (): Promise<void> => {
    await setImmediate();
    for (const each of ends.splice(0)) each();
    await setImmediate();
  };
  return { writing, closing, done, end, fails };
}

describe('writing reports', () => {
  it('ends each with the link by which an editor opens its search, unless it is outside of its workspace', async () => {
    const written: string[] = [];
    const store = { writeReport: async (text: string) => void written.push(text) };
    const show = ({ text }: Message): string => text;
    for (const folder of ['thought-trees/why (1)', '../why'])
      await putReport({ store, folder, show } as unknown as SearchContext, '# Why?\n');
    const link = 'vscode://thought-tree.thought-tree/open?search=thought-trees/why%2520%25281%2529';
    assert.deepEqual(written, [`# Why?\n\n[Open it in VS Code.](${link})\n`, '# Why?\n']);
    assert.deepEqual(written.map(withoutEditorLink), ['# Why?\n', '# Why?\n']);
  });

  it('writes one that is requested twice once, after the quotations were checked; and again when asked later', async () => {
    const { writing, done, end } = reports();
    const both = [writing.write(), writing.write()];
    await end();
    await Promise.all(both);
    assert.deepEqual(done, ['recheck', 'full']);
    const again = writing.write();
    await end();
    await again;
    assert.deepEqual(done, ['recheck', 'full', 'recheck', 'full']);
  });

  it('writes no interim report where a better one is being written', async () => {
    const { writing, done, end } = reports();
    const full = writing.write();
    const interim = writing.writeInterim();
    await end();
    await full;
    assert.equal(await interim, 'better');
    assert.deepEqual(done, ['recheck', 'full']);
  });

  it('begins the report when the interim one is written, which it is no more then', async () => {
    const { writing, done, end } = reports();
    const interim = writing.writeInterim();
    const full = writing.write();
    await end();
    assert.equal(await interim, 'written');
    await end();
    await full;
    assert.deepEqual(done, ['interim', 'recheck', 'full']);
  });

  it('fails as a whole, and can be asked for again: without the stop of the first one', async () => {
    const { writing, closing, end, fails } = reports();
    fails.next = true;
    const first = writing.write();
    closing.stop();
    await Promise.all([assert.rejects(first, /disk/), end()]);
    assert.equal(closing.signal.aborted, false);
    fails.next = false;
    const second = writing.write();
    await end();
    await second;
  });
});
