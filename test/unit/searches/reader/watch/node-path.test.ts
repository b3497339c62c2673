import assert from 'node:assert/strict';
import fc from 'fast-check';
import { nodePathIn } from '../../../../../src/searches/reader/folder-watch.ts';

describe('the node of a file', () => {
  const posix = '/home/me/thought-trees/slow';
  const windows = 'c:\\Users\\Me\\thought-trees\\slow';
  const share = '\\\\server\\share\\thought-trees\\slow';

  for (const [search, file, path] of [
    [posix, '/home/me/thought-trees/slow', ''],
    [posix, '/home/me/thought-trees/slow/', ''],
    [posix, '/home/me/thought-trees/slow/search.json', ''],
    [posix, '/home/me/thought-trees/slow/cache/node.json', 'cache'],
    [posix, '/home/me/thought-trees/slow/cache/keys/document.md', 'cache/keys'],
    [posix, '/home/me/thought-trees/slow/cache/keys', 'cache/keys'],
    [posix, '/home/me/thought-trees/slow/.search/journal.jsonl', '.search/journal.jsonl'],
    [posix, '/home/me/thought-trees/slower/cache/node.json', undefined],
    [posix, '/home/me/thought-trees', undefined],
    [windows, 'c:\\Users\\Me\\thought-trees\\slow\\cache\\keys\\node.json', 'cache/keys'],
    [windows, 'C:\\Users\\Me\\thought-trees\\slow\\cache', 'cache'],
    [windows, 'c:/Users/Me/thought-trees/slow/cache/document.md', 'cache'],
    [windows, 'd:\\Users\\Me\\thought-trees\\slow\\cache', undefined],
    [windows, 'c:\\Users\\Me\\thought-trees\\slow.old\\cache', undefined],
    [share, '\\\\server\\share\\thought-trees\\slow\\cache\\children.json', 'cache'],
  ] as const)
    it(`at ${file} is ${path === undefined ? 'none' : `"${path}"`}`, () => {
      assert.equal(nodePathIn(search, file), path);
    });

  it('is the same with both separators', () => {
    const slug = fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,10}$/);
    fc.assert(
      fc.property(fc.array(slug, { maxLength: 6 }), fc.constantFrom('/', '\\'), (slugs, separator) => {
        const file = [separator === '/' ? posix : windows, ...slugs, 'node.json'].join(separator);
        assert.equal(nodePathIn(separator === '/' ? posix : windows, file), slugs.join('/'));
      }),
    );
  });
});
