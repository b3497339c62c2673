import '../use-fake-vscode.ts';
import assert from 'node:assert/strict';
import { UNKNOWN_TERMS } from '../../../../src/core/kind/kind-descriptor.ts';
import { SearchRecord } from '../../../../src/core/search/record/search-record.ts';
import type { SearchFile } from '../../../../src/core/search/search-file.ts';
import { descriptorOf } from '../../../../src/engine/kind.ts';
import type { ApiKeys } from '../../../../src/extension/models/api-keys.ts';
import { KINDS } from '../../../../src/kinds/kinds.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { fake } from '../fake-vscode.ts';
import { restingAt, sampleSearch } from '../sidebar/sample.ts';

const { ModelOpener } = await import('../../../../src/extension/models/model-opener.ts');
const { growing } = await import('../../../../src/extension/start/ask-how-far.ts');

interface Item {
  readonly label: string;
  readonly description?: string;
  readonly detail?: string;
}

const workspace = temporaryFolder('grow');
const file: SearchFile = { version: 1, kind: 'research', title: 'Slow', prompt: 'Why is it slow?', options: {} };
const opener = new ModelOpener({ keyAt: async () => undefined } as unknown as ApiKeys);
const words = descriptorOf(KINDS, 'research')?.words ?? UNKNOWN_TERMS;

/** A search that was begun with a model and limits. */
function begun(model: string, limits: SearchRecord['limits']) {
  const record = new SearchRecord();
  Object.defineProperty(record, 'model', { value: model });
  Object.defineProperty(record, 'limits', { value: limits });
  return sampleSearch({
    title: 'Why is it slow?',
    workspace,
    folder: `${workspace}/thought-trees/slow`,
    file,
    record,
    limits,
  });
}

describe('letting a search go further', () => {
  beforeEach(() => fake.reset());

  it('names its size now, and each larger one with what the rest takes and where it pauses, in plain figures', async () => {
    const guards = { calls: 50, tokens: 2_000_000, usd: 5 };
    const search = begun('openai/gpt-5-mini', { size: 'medium', maxDepth: 4, guards });
    fake.answer = (items) => (items as Item[]).find(({ label }) => /^Large/.test(label));
    assert.deepEqual(await growing.askHowFar({ kinds: KINDS, opener, words }, search), { size: 'large' });
    const [items = []] = fake.picks as Item[][];
    assert.deepEqual(
      items.map(({ label }) => label),
      [
        'Large: 200 topics',
        'Everything: until nothing is left to look into',
        'One level deeper: 5 levels',
        'Limits',
        items[4]?.label,
        'Raise its limit to 100 calls',
        'Raise its limit to 4 million tokens',
        'Raise its limit to $10',
        'Limit its calls…',
        'Limit its tokens…',
        'Limit its dollars…',
      ],
    );
    const [, needed] = /^Raise its limit to (\d+) calls$/.exec(items[4]?.label ?? '') ?? [];
    assert.ok(Number(needed) > 50 && Number(needed) % 5 === 0, items[4]?.label);
    assert.equal(items[4]?.description, 'what this size is expected to need');
    assert.match(items[0]?.detail ?? '', /about \d+ calls · .* tokens · \$/);
    assert.equal(items[0]?.description, 'pauses at 50 calls');
    assert.equal(items[6]?.description, 'now 2 million tokens');
  });

  it('reckons for the buttons that raise a limit what its list proposes first, and nothing that nobody can add up', async () => {
    const guards = { calls: 50, usd: 5 };
    const search = begun('openai/gpt-5-mini', { size: 'medium', maxDepth: 4, guards });
    await growing.askHowFar({ kinds: KINDS, opener, words }, search);
    const [, listed] = /"Raise its limit to (\d+) calls"/.exec(JSON.stringify(fake.picks)) ?? [];
    const rests = (guard: 'calls' | 'usd', spend = {}): typeof search => {
      const record = restingAt(guard, guards[guard]);
      for (const key of ['model', 'limits'] as const) Object.defineProperty(record, key, { value: search.record[key] });
      Object.defineProperty(record, 'spend', { value: { ...record.spend, ...spend } });
      return Object.assign(sampleSearch(search), { record });
    };
    const calls = { guard: 'calls', limit: 50, needed: Number(listed) };
    assert.deepEqual(await growing.reachedNeeds({ kinds: KINDS, opener }, rests('calls')), calls);
    const blind = rests('usd', { usdComplete: false });
    assert.deepEqual(await growing.reachedNeeds({ kinds: KINDS, opener }, blind), { guard: 'usd', limit: 5 });
  });

  for (const [row, typed, guards] of [
    ['Limit its calls…', '30', { calls: 30 }],
    ['Limit its tokens…', '1,500,000', { tokens: 1_500_000 }],
    ['Limit its dollars…', '$0.50', { usd: 0.5 }],
  ] as const)
    it(`takes a lower limit that a person types, and proposes the double: ${row}`, async () => {
      const now = { calls: 50, tokens: 2_000_000 };
      const search = begun('openai/gpt-5-mini', { size: 'medium', maxDepth: 4, guards: now });
      const refused: (string | undefined)[] = [];
      let proposed: string | undefined;
      fake.answer = (asked) => {
        if (Array.isArray(asked)) return (asked as Item[]).find(({ label }) => label === row);
        const input = asked as { value?: string; validateInput: (text: string) => string | undefined };
        proposed = input.value;
        refused.push(...['', '0', '-1', 'many', typed].map((text) => input.validateInput(text)));
        return typed;
      };
      assert.deepEqual(await growing.askHowFar({ kinds: KINDS, opener, words }, search), { guards });
      const { calls, tokens } = now;
      assert.equal(
        proposed,
        { calls: `${2 * calls}`, tokens: `${2 * tokens}`, usd: '' }[Object.keys(guards)[0] as 'usd'],
      );
      assert.deepEqual(
        refused.map((text) => text === undefined),
        [false, false, false, false, true],
      );
    });

  it('offers no higher limit of dollars that nobody can add up, and says so', async () => {
    const search = begun('openai/gpt-5-mini', { size: 'medium', maxDepth: 4, guards: { usd: 5 } });
    const spend = { ...search.record.spend, usdComplete: false };
    Object.defineProperty(search.record, 'spend', { value: spend });
    await growing.askHowFar({ kinds: KINDS, opener, words }, search);
    const [items = []] = fake.picks as Item[][];
    assert.ok(!items.some(({ label }) => /^Raise its limit to \$/.test(label)));
    const dollars = items.find(({ label }) => label === 'Limit its dollars…');
    assert.equal(dollars?.description, 'cannot be watched: the price of its model is unknown');
  });

  it('says nothing of money for a search that costs nothing', async () => {
    const search = begun('workspace/quotes', { size: 'large', maxDepth: 4, guards: {} });
    fake.answer = (items) => (items as Item[])[0];
    assert.deepEqual(await growing.askHowFar({ kinds: KINDS, opener, words }, search), { size: 'all' });
    const [items = []] = fake.picks as Item[][];
    assert.deepEqual(
      items.map(({ label, detail }) => [label, detail]),
      [
        ['Everything: until nothing is left to look into', ''],
        ['One level deeper: 5 levels', ''],
      ],
    );
  });
});
