import assert from 'node:assert/strict';
import type { Model } from '../../../../../src/core/ports/model.ts';
import { type Lookup, lookupBlock } from '../../../../../src/core/ports/workspace-text.ts';
import { createMemoryStore, MemoryFiles } from '../../../../support/memory-store.ts';
import { simulatedModel } from '../../../../support/models/simulated-model.ts';
import { assertLinksResolve, assertSafe, linksIn } from '../../../../support/report-links.ts';
import { QUESTION, simulate } from '../../../../support/searches/simulated-search.ts';
import { scriptedTree } from '../../../../support/servers/server-tree.ts';
import { VirtualClock } from '../../../../support/virtual-clock.ts';

const PLACE = {
  title: 'The queue',
  says: '`Queue#push`: adds a job',
  place: 'src/queue.ts:6',
  link: '../../src/queue.ts#L6',
  code: 'if (full) throw new Error();',
  language: 'ts',
};
const LOOKUP: Lookup = {
  places: [PLACE],
  isOverview: false,
  files: 59_000,
  read: 840,
  skipped: [
    { reason: 'generated', count: 300, examples: ['a.js'] },
    { reason: 'too-large', count: 96, examples: [] },
    { reason: 'binary', count: 1, examples: ['data.x'] },
    { reason: 'cursed', count: 15, examples: [] },
  ],
  missing: ['kolibri'],
  near: ['colibri'],
};

async function reportOf(lookup: Lookup, titles = ['The queue', 'The store']): Promise<string> {
  const files = new MemoryFiles();
  const clock = new VirtualClock();
  const list = `<output>${JSON.stringify(titles.map((title) => ({ title })))}</output>\n${lookupBlock(lookup)}`;
  const simulated = simulatedModel({
    tree: scriptedTree(),
    clock,
    free: true,
    instead: ({ purpose, node }) => {
      if (purpose === 'children') return node === '' ? list : '<output>[]</output>';
      return undefined;
    },
  });
  const model: Model = { ...simulated, prose: false };
  const { search } = await simulate({ store: createMemoryStore(QUESTION, files), search: { model, clock } });
  assert.equal((await clock.run(search.run())).state, 'finished');
  const report = files.readNow('report.md') ?? '';
  assertSafe(report);
  assertLinksResolve(report, files);
  return report;
}

describe('a report of what was looked up', () => {
  it('says of an overview how many files were read closely', async () => {
    assert.match(
      await reportOf({ ...LOOKUP, isOverview: true }),
      /^_An overview; 59,000 files were searched, and 840 of them read closely; no language model was asked\. /m,
    );
    assert.match(
      await reportOf({ ...LOOKUP, isOverview: true, read: LOOKUP.files }),
      /^_An overview; no language model/m,
    );
  });

  it('begins with the places, then says what was searched and what was not; each topic once', async () => {
    const report = await reportOf(LOOKUP);
    assert.equal(
      report.slice(0, report.indexOf('## Topics')),
      `# Why is the build slow?

In no file that was read: “kolibri”. Names that are spelled alike: \`colibri\`.

\`Queue#push\`: adds a job ([src/queue.ts:6](../../src/queue.ts#L6))

\`\`\`ts
if (full) throw new Error();
\`\`\`

_59,000 files were searched for the words of the question, and 840 of them read closely; no language model was asked. Not searched: 300 generated files, 96 files that are too large, 1 binary file (data.x), 15 files (cursed)._

`,
    );
    assert.equal(report.split('[The store](').length, 2);
  });

  it('shows numbered lines of the best places alone, with the words that they have and who uses them', async () => {
    const line = (text: string, ...words: [number, number][]) => ({ text, words });
    const mention = (name: string, path: string) => ({ name, place: `${path}:3`, link: `../../${path}#L3` });
    const best = {
      ...PLACE,
      shown: [
        { from: 8, lines: [line('  if (full) {', [6, 10]), line('    throw new Error("```");')] },
        { from: 100, lines: [line('  job();', [2, 5])] },
      ],
      callers: [mention('`send`', 'src/send.ts')],
      tests: [mention('`ends`', 'test/queue.test.ts')],
      twins: [mention('`Queue#push`', 'lib/queue.js')],
    };
    const report = await reportOf({
      ...LOOKUP,
      places: [{ ...PLACE, title: 'The store' }, best],
      missing: [],
      near: [],
    });
    assert.equal(
      report.split('\n\n').slice(1, 4).join('\n\n'),
      `\`Queue#push\`: adds a job ([src/queue.ts:6](../../src/queue.ts#L6))

\`\`\`\`ts
  8  if (full) {
  9    throw new Error("\`\`\`");
     …
100  job();
\`\`\`\`

Has **full**, **job**. Called by [\`send\`](../../src/send.ts#L3). Tested by [\`ends\`](../../test/queue.test.ts#L3). Also in [lib/queue.js:3](../../lib/queue.js#L3).`,
    );
  });

  it('says before the places that they are only near, and which word stands for another', async () => {
    const near = await reportOf({ ...LOOKUP, isNear: true, near: [] });
    const begins = (report: string): string => report.split('\n\n')[1] ?? '';
    assert.equal(
      begins(near),
      'In no file that was read: “kolibri”. **The answer may well not be here: that is most of the question. The nearest place:**',
    );
    const instead = await reportOf({ ...LOOKUP, near: [], instead: [{ word: 'kolibri', other: 'bird`' }] });
    assert.equal(begins(instead), 'In no file that was read: “kolibri” (only the similar “bird\\`”).');
  });

  it('says that there is nothing, and what to try', async () => {
    const report = await reportOf({ ...LOOKUP, places: [] }, []);
    assert.match(report, /^# [^\n]*\n\n\*\*Found nothing good enough\.\*\* 59,000 files were searched/);
    assert.match(report, /In no file that was read: “kolibri”\. Not searched: 300 generated files, /);
    assert.match(report, /- Name a symbol or a file as it is written in the code, such as `colibri`\./);
    assert.doesNotMatch(report, /## (?:Topics|Open ends)/);
  });

  it('says what rules leave out, which nobody counted', async () => {
    const ignored = { reason: 'ignored', count: 2, examples: ['.gitignore', 'node_modules/'] };
    const closed = { reason: 'closed', count: 1, examples: ['private/'] };
    const alone = await reportOf({ ...LOOKUP, skipped: [ignored] });
    assert.match(alone, /In no file: “kolibri”\./, 'whatever is ignored');
    assert.match(alone, / What git is told to ignore, or a folder `node_modules`, is not searched\._/);
    const unasked = await reportOf({ ...LOOKUP, skipped: [{ reason: 'unasked', count: 1, examples: ['.git'] }] });
    assert.match(unasked, / Git could not be asked what it ignores here; its rules were read from their files\._/);
    const both = await reportOf({ ...LOOKUP, skipped: [ignored, closed] });
    assert.match(both, /In no file that was read: “kolibri”/);
    assert.match(
      both,
      /Not searched: 1 folder that cannot be read \(private\/\)\. Nor is what git is told to ignore, or a folder `node_modules`\._/,
    );
  });

  it('shows no line where the sentence is all there is', async () => {
    const report = await reportOf({ ...LOOKUP, places: [{ ...PLACE, code: '' }] });
    assert.match(report, /^`Queue#push`: adds a job \([^\n]*\)\n\n_59,000/m);
  });

  it('says so where there is nothing to search', async () => {
    const report = await reportOf({ ...LOOKUP, files: 0, read: 0, skipped: [], near: [], places: [] }, []);
    assert.match(report, /\n\*\*There is nothing to search in this folder\*\*: no file with text in it\.\n/);
    assert.doesNotMatch(report, /What to try|kolibri|0 files/);
  });

  it('links nothing outside of the workspace, and runs nothing', async () => {
    const hostile = { ...PLACE, says: '<b>x</b> [a](javascript:x)', link: 'https://example.org/', code: '```\n# Mine' };
    const report = await reportOf({ ...LOOKUP, places: [hostile], missing: ['[x](y)'], near: ['`a` <i>'] });
    assert.ok(linksIn(report).every((target) => !/^(?:javascript|https):|^y$/.test(target)));
    assert.doesNotMatch(report, /<b>|^# Mine/m);
  });
});
