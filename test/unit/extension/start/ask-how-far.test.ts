import '../use-fake-vscode.ts';
import assert from 'node:assert/strict';
import { UNKNOWN_WORDS } from '../../../../src/core/kind/kind-face.ts';
import { SearchRecord } from '../../../../src/core/search/record/search-record.ts';
import type { SearchFile } from '../../../../src/core/search/search-file.ts';
import { faceOf } from '../../../../src/engine/kind/kinds.ts';
import type { ApiKeys } from '../../../../src/extension/models/api-keys.ts';
import { KINDS } from '../../../../src/kinds/kinds.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { fake } from '../fake-vscode.ts';
import { sampleSearch } from '../sidebar/sample.ts';

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
const words = faceOf(KINDS, 'research')?.words ?? UNKNOWN_WORDS;

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
        'All: until nothing is open',
        'One level deeper: 5 levels',
        'Limits',
        'Raise its limit to 100 calls',
        'Raise its limit to 4 million tokens',
        'Raise its limit to $10',
      ],
    );
    assert.match(items[0]?.detail ?? '', /about \d+ calls · .* tokens · \$/);
    assert.equal(items[0]?.description, 'pauses at 50 calls');
    assert.equal(items[5]?.description, 'now 2 million tokens');
  });

  it('says nothing of money for a search that costs nothing', async () => {
    const search = begun('workspace/quotes', { size: 'large', maxDepth: 4, guards: {} });
    fake.answer = (items) => (items as Item[])[0];
    assert.deepEqual(await growing.askHowFar({ kinds: KINDS, opener, words }, search), { size: 'all' });
    const [items = []] = fake.picks as Item[][];
    assert.deepEqual(
      items.map(({ label, detail }) => [label, detail]),
      [
        ['All: until nothing is open', ''],
        ['One level deeper: 5 levels', ''],
      ],
    );
  });
});
