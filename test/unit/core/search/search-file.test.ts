import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ChildrenFile, SearchFile } from '../../../../src/core/search/search-file.ts';
import { NodeFile } from '../../../../src/core/tree/node-file.ts';

const search = { version: 1, kind: 'research', title: 'T', prompt: 'Why?' };

describe('node.json', () => {
  it('keeps the fields that others added', () => {
    const file = { title: 'A', slug: 'a', status: 'leaf', mine: { deep: [1] }, evaluation: { score: 5, by: 'me' } };
    assert.deepEqual(NodeFile.parse(file), file);
  });

  it('with an unknown status is unexpanded', () => {
    for (const status of ['resting', '', 7, null, undefined, 'Expanded'])
      assert.equal(NodeFile.parse({ title: 'A', status }).status, 'unexpanded');
  });

  for (const [field, value] of [
    ['summary', 12],
    ['summary', 'x'.repeat(3000)],
    ['evaluation', { score: 11 }],
    ['evaluation', 'good'],
    ['leafReason', 'tired'],
    ['prunedBy', 'weather'],
    ['failure', 'no'],
    ['sessionId', '../../etc/passwd'],
    ['sessionId', ''],
    ['sessionId', 'x'.repeat(101)],
    ['model', {}],
    ['slug', ''],
  ] as const)
    it(`loses its ${field} rather than the node: ${JSON.stringify(value).slice(0, 30)}`, () => {
      const file = NodeFile.parse({ title: 'A', status: 'leaf', [field]: value });
      assert.deepEqual([file.title, file.status, file[field]], ['A', 'leaf', undefined]);
    });

  it('without a title is untitled', () => {
    for (const title of [undefined, '', 3, 'x'.repeat(1001)]) assert.equal(NodeFile.parse({ title }).title, 'Untitled');
  });

  it('of any fields is read, and changes no prototype', () => {
    const key = fc.constantFrom('title', 'status', 'summary', 'evaluation', 'failure', '__proto__', 'constructor', 'x');
    fc.assert(
      fc.property(fc.dictionary(key, fc.jsonValue()), (fields) => {
        const file = NodeFile.parse(JSON.parse(JSON.stringify(fields)));
        assert.ok(file.title.length > 0 && file.status.length > 0);
        assert.equal(Object.getPrototypeOf({}), Object.prototype);
      }),
    );
  });

  it('that is no object is refused', () => {
    for (const wrong of [null, [], 'x', 3]) assert.ok(!NodeFile.safeParse(wrong).success);
  });
});

describe('search.json', () => {
  it('needs few fields, and keeps what others added', () => {
    assert.deepEqual(SearchFile.parse({ ...search, mine: 1 }), { ...search, mine: 1, options: {} });
  });

  for (const wrong of [
    { title: '' },
    { prompt: '' },
    { prompt: 'x'.repeat(100_001) },
    { version: '1' },
    { version: 1.5 },
    { kind: '' },
    { options: { concurrency: 0 } },
    { options: { concurrency: 100_000 } },
    { options: { maxDepth: 65 } },
    { options: { size: 'endless' } },
  ])
    it(`is refused with ${JSON.stringify(wrong).slice(0, 50)}`, () => {
      assert.ok(!SearchFile.safeParse({ ...search, ...wrong }).success);
    });
});

describe('children.json', () => {
  it('keeps order, and the fields that others added', () => {
    const list = [
      { title: 'B', slug: 'b', mine: 1 },
      { title: 'A', slug: 'a' },
    ];
    assert.deepEqual(ChildrenFile.parse(list), list);
  });

  for (const wrong of [{}, [{ title: 'A' }], [{ title: 'A', slug: '' }], [{ title: '', slug: 'a' }], ['a'], null])
    it(`is refused as ${JSON.stringify(wrong)}`, () => assert.ok(!ChildrenFile.safeParse(wrong).success));
});
