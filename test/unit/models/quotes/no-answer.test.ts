import assert from 'node:assert/strict';
import type { Model } from '../../../../src/core/ports/model.ts';
import { type Lookup, lookupIn } from '../../../../src/core/ports/workspace-text.ts';
import { ask } from '../../../support/quotes/quotes-workspace.ts';
import { closeModels, mochaModel, modelWith } from '../../../support/quotes/shared-models.ts';

/** Of everyday life: what words they share with code mean something else there. */
const ON_MOCHA = [
  'Which recipe of my grandmother uses butter and cinnamon for the Sunday cake?',
  'What interest rate does the bank offer for a thirty year mortgage?',
  'How long should I cook pasta so that it stays firm?',
  'What did the ancient Romans eat for breakfast?',
  'Which vitamins help against a cold in winter?',
  'Wie viel Butter braucht man für einen Kuchen am Sonntag?',
  'quelle est la meilleure recette de gâteau au chocolat ?',
  '我奶奶的食谱里做星期天的蛋糕用多少黄油和肉桂？',
  '?',
];

const ANIMALS = {
  'src/pandas.ts':
    'export function admitPanda(zoo: Zoo): void { if (zoo.pandas.length >= 3) throw new Error("full"); }\n',
  'src/limits.ts': 'export const MAX_ZEBRAS_IN_ZOO = 12;\n',
  'src/windows.py': 'def windows_locale(es):\n    """Sets the locale."""\n    return es\n',
  'src/fish.ts': '/** Feeds the fish. */\nexport function feed(fish: Fish): void {\n  fish.eat();\n}\n',
};

describe('a question that a folder has no answer to', () => {
  after(closeModels);

  async function lookUp(model: Model, question: string): Promise<Lookup> {
    const data = { purpose: 'children', question, folder: 'trees/a', lineage: [], maxChildren: 50 } as const;
    const lookup = lookupIn((await ask(model, data)).text);
    assert.ok(lookup);
    return lookup;
  }

  it('gets no place, however many words it has', async () => {
    for (const question of ON_MOCHA) assert.deepEqual((await lookUp(mochaModel(), question)).places, [], question);
  });

  it('gets no place for a word of its grammar', async () => {
    const { places } = await lookUp(modelWith(ANIMALS), 'gibt es eine maximale Anzahl von Weiterleitungen?');
    assert.deepEqual(places, []);
  });

  it('is told of the nearest place where one has much of it, as a guess', async () => {
    const { places, guess } = await lookUp(modelWith(ANIMALS), 'Who feeds the penguins?');
    assert.deepEqual([places, guess?.place], [[], 'src/fish.ts:3']);
    const far = await lookUp(modelWith(ANIMALS), 'Who feeds penguins, walruses, ostriches or flamingos?');
    assert.deepEqual([far.places, far.guess], [[], undefined]);
  });

  it('gets no place where all of its words are in no file, however few', async () => {
    for (const question of ['How are images resized?', 'authentication', 'Is there a dark mode?'])
      assert.deepEqual((await lookUp(modelWith(ANIMALS), question)).places, [], question);
  });

  it('is another thing than one that only says it in another language, or names a file', async () => {
    for (const [question, place] of [
      ['Wie viele Pandas werden aufgenommen?', 'src/pandas.ts:1'],
      ['Combien de pandas sont admis dans un zoo ?', 'src/pandas.ts:1'],
      ['What is in fish.ts?', 'src/fish.ts:3'],
    ])
      assert.equal((await lookUp(modelWith(ANIMALS), question ?? '')).places[0]?.place, place, question);
  });

  it('is another thing than one whose answer is a single line', async () => {
    const pandas = await lookUp(modelWith(ANIMALS), 'How many pandas does the zoo admit?');
    assert.equal(pandas.places[0]?.place, 'src/pandas.ts:1');
    const zebras = await lookUp(modelWith(ANIMALS), 'How many zebras can be in the zoo?');
    assert.equal(zebras.places[0]?.place, 'src/limits.ts:1');
  });

  it('is told that its places are only the nearest where most of what it says is in no file', async () => {
    const windows = modelWith({
      'src/windows.ts': `/** Opens the window of the program, and knows that it is open. */
export function openWindow(window: Window): boolean {
  if (window.isOpen) return true;
  return window.open();
}
`,
    });
    const near = await lookUp(windows, 'How does the thermostat know that a window is open?');
    assert.deepEqual([near.places.length > 0, near.isNear, near.missing], [true, true, ['thermostat']]);
    const found = await lookUp(windows, 'Who opens the window of the program?');
    assert.deepEqual([found.places.length > 0, found.isNear, found.missing], [true, false, []]);
  });

  it('is told which word a place has instead of its own', async () => {
    const { instead, isNear } = await lookUp(
      modelWith({
        'src/cache.ts': `export function deleteExpired(items: Items): void {
  for (const item of items) if (item.expired) items.delete(item);
}
`,
      }),
      'How are expired items removed?',
    );
    assert.deepEqual([instead, isNear], [[{ word: 'removed', other: 'delete' }], false]);
  });
});
