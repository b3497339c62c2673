import assert from 'node:assert/strict';
import type { Model } from '../../../../src/core/ports/model.ts';
import type { SearchFile } from '../../../../src/core/search/search-file.ts';
import { walk } from '../../../../src/core/tree/tree.ts';
import { ownFieldsOf } from '../../../../src/kinds/investigation/run/kept-data.ts';
import { ledFile } from '../../../support/investigation/led-investigation.ts';
import { investigationOf, leftIn, problemsIn } from '../../../support/investigation/led-problems.ts';
import { createMemoryStore, MemoryFiles } from '../../../support/memory-store.ts';
import { closeModels, mochaModel, modelWith } from '../../../support/quotes/shared-models.ts';
import { snapshotOf } from '../../../support/searches/search-snapshot.ts';
import { type Simulation, simulate } from '../../../support/searches/simulated-search.ts';
import { fastClock, seededRandom } from '../../../support/virtual-clock.ts';

interface Investigated extends Simulation {
  readonly files: MemoryFiles;
  readonly report: string;
}

async function investigate(
  model: Model,
  prompt: string,
  concurrency: number,
  options: SearchFile['options'] = {},
): Promise<Investigated> {
  const random = seededRandom(concurrency);
  const slow: Model['generate'] = async (request, call) => {
    const answer = await model.generate(request, call);
    await new Promise((resolve) => setTimeout(resolve, random.next() * 8));
    return answer;
  };
  const files = new MemoryFiles();
  const store = createMemoryStore({ ...ledFile(options), title: prompt, prompt }, files);
  const clock = fastClock(10);
  const simulation = await simulate({ store, search: { concurrency, clock, model: { ...model, generate: slow } } });
  await simulation.search.run();
  return { ...simulation, files, report: (await store.readReport()) ?? '' };
}

/** Without what depends on when it was run. */
async function treeOf({ files }: Investigated): Promise<object> {
  const found = await snapshotOf(files);
  const timeless = Object.entries(found).map(([path, text]) => [
    path,
    text.replace(/"(proposedAt|call)": [^,\n]*/g, '"$1": …'),
  ]);
  return Object.fromEntries(timeless);
}

/** What every node of an investigation came to. */
function outcomesIn({ search }: Investigated): string[] {
  return [...walk(search.tree.root)].flatMap((node) => ownFieldsOf(node.file?.own)?.outcome ?? []);
}

describe('an investigation by the quotes of a workspace', () => {
  after(closeModels);

  it('quotes what is about the question, verifies nothing, and comes to the same tree whatever the timing', async () => {
    const prompt = 'How are hooks and retries run?';
    const one = await investigate(mochaModel(), prompt, 1);
    assert.deepEqual(leftIn(one.search, true), []);
    assert.deepEqual(problemsIn(one.search), []);
    const outcomes = outcomesIn(one);
    assert.ok(outcomes.filter((each) => each === 'quoted').length >= 2, outcomes.join());
    assert.deepEqual(
      outcomes.filter((each) => !['open', 'quoted', 'nothing'].includes(each)),
      [],
    );
    assert.match(one.report, /^# .*\n\n_No language model was asked\./);
    assert.match(one.report, /## Quoted\n\n- .*\(\[?lib\/\S+:\d+/);
    assert.doesNotMatch(one.report, /\bverified|confirmed|What was found/i);
    const several = await investigate(mochaModel(), prompt, 6);
    assert.deepEqual(await treeOf(several), await treeOf(one));
  });

  it('has as many rounds as a person wants', async () => {
    const one = await investigate(mochaModel(), 'How are hooks and retries run?', 3, { minRounds: 4 });
    assert.equal(investigationOf(one.search).currentRound, 4);
    assert.deepEqual(problemsIn(one.search), []);
  });

  it('finds nothing where nothing is, and says so', async () => {
    const model = modelWith({ 'README.md': '# Birds\n\nThey sing.\n' });
    const { search, report } = await investigate(model, 'Why do requests time out?', 2);
    assert.deepEqual(leftIn(search, true), []);
    assert.deepEqual(problemsIn(search), []);
    assert.match(report, /No answer was found\./);
  });

  it('quotes nothing of a folder that is about something else, though some words are there', async () => {
    const files = { 'src/live.ts': 'export function live(many: number): number {\n  return many * 2;\n}\n' };
    const found = await investigate(modelWith(files), 'How many penguins live in the Antarctic?', 2);
    assert.ok(!outcomesIn(found).includes('quoted'));
    assert.match(found.report, /No answer was found\./);
  });
});
