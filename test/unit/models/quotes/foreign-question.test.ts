import assert from 'node:assert/strict';
import type { SearchFile } from '../../../../src/core/search/search-file.ts';
import { ledFile } from '../../../support/investigation/led-investigation.ts';
import { createMemoryStore, MemoryFiles } from '../../../support/memory-store.ts';
import { closeModels, modelWith } from '../../../support/quotes/shared-models.ts';
import { type Simulation, simulate } from '../../../support/searches/simulated-search.ts';
import { fastClock } from '../../../support/virtual-clock.ts';

const CODE = {
  'src/cache.ts': '/** Keeps what was read. */\nexport class Cache {\n  read(): void {}\n}\n',
  'README.md': '# The cache\n\nIt keeps what was read.\n',
};
const RESEARCH: SearchFile = { version: 1, kind: 'research', title: '', prompt: '', options: { size: 'small' } };

interface Ended extends Simulation {
  readonly outcome: Awaited<ReturnType<Simulation['search']['run']>>;
  readonly report: string;
}

async function ask(prompt: string, file: SearchFile): Promise<Ended> {
  const model = modelWith(CODE);
  const store = createMemoryStore({ ...file, title: prompt, prompt }, new MemoryFiles());
  const simulation = await simulate({ store, search: { concurrency: 2, clock: fastClock(10), model } });
  const outcome = await simulation.search.run();
  return { ...simulation, outcome, report: (await store.readReport()) ?? '' };
}

const REPORT = {
  research: /Found nothing good enough.*“鲸鱼”.*Ask in other words.*Choose a language model/s,
  investigation: /workspace\/quotes is no language model.*as they are written.*choose a language model/s,
};
const WHY = /workspace\/quotes is no language model.*as they are written.*choose a language model/s;

describe('a question whose words are in no file, asked of the quotes of a workspace', () => {
  after(closeModels);

  for (const [kind, file] of [
    ['research', RESEARCH],
    ['investigation', ledFile()],
  ] as const)
    it(`ends with the reason, in the result and in the report: ${kind}`, async () => {
      const { search, outcome, report } = await ask('鲸鱼为什么会唱歌？', file);
      assert.equal(outcome.state, 'finished');
      assert.match(('message' in outcome && outcome.message) || '', WHY);
      assert.match(report.replaceAll('\\', ''), REPORT[kind]);
      assert.match(search.record.reason?.text ?? '', WHY);
    });

  it('says nothing of the kind where something was found', async () => {
    const { outcome, report } = await ask('What does the cache keep?', RESEARCH);
    assert.equal(outcome.state, 'finished');
    assert.equal('message' in outcome, false);
    assert.doesNotMatch(report, REPORT.research);
  });
});
