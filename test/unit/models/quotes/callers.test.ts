import assert from 'node:assert/strict';
import { type Lookup, lookupIn } from '../../../../src/core/ports/workspace-text.ts';
import { ask } from '../../../support/quotes/quotes-workspace.ts';
import { closeModels, modelWith } from '../../../support/quotes/shared-models.ts';

const FILES = {
  'src/size.ts': `/** Reads a size. */
export function parseSize(text: string): number {
  if (text === '') return 0;
  return Number(text);
}
`,
  'src/limits.ts': `import { parseSize } from './size.ts';

export function limitOf(option: string): number {
  const none = option === '' ? 1 : 2;
  return none + parseSize(option);
}
`,
  'src/disk.ts': `import {
  parseSize,
} from './size.ts';

/** A disk. */
export class Disk {
  free(): number {
    return parseSize(this.option);
  }
}
`,
  'src/other.ts': `/** The size of what was parsed. */
export function parsedSize(parse: Size): number {
  return parse.size;
}
`,
};

describe('a question after callers', () => {
  after(closeModels);

  async function lookUp(question: string): Promise<Lookup> {
    const model = modelWith(FILES);
    const data = { purpose: 'children', question, folder: 'trees/a', lineage: [], maxChildren: 50 } as const;
    const lookup = lookupIn((await ask(model, data)).text);
    assert.ok(lookup);
    return lookup;
  }

  for (const question of ['Who calls parseSize?', 'Wo wird parseSize aufgerufen?'])
    it(`${question} names those who do, and shows the calls, but no imports`, async () => {
      const { places, missing } = await lookUp(question);
      assert.deepEqual(
        places.map(({ says, place, code }) => [says, place, code]),
        [
          [
            '`parseSize` is used by `Disk#free` and `limitOf`',
            'src/size.ts:2',
            'export function parseSize(text: string): number {',
          ],
          ['`Disk#free` calls `parseSize`', 'src/disk.ts:8', 'return parseSize(this.option);'],
          ['`limitOf` calls `parseSize`', 'src/limits.ts:5', 'return none + parseSize(option);'],
        ],
      );
      assert.deepEqual(missing, []);
    });
});
