import assert from 'node:assert/strict';
import { type FileStanding, standingsOf } from '../../../../src/text/files/file-role.ts';

describe('what a file is to a question', () => {
  const standingOf = (path: string, ...others: string[]): FileStanding | undefined =>
    standingsOf([path, ...others]).get(path);

  it('is told by its path', () => {
    const expected: Record<string, FileStanding> = {
      'lib/reply.js': 'code',
      'test/reply.test.js': 'test',
      'leveldb/db_test.go': 'test',
      'docs/Guides/Hooks.md': 'docs',
      'leveldb/doc.go': 'docs',
      'docs/conf.py': 'docs',
      'package.json': 'config',
      'go.mod': 'config',
      'types/reply.d.ts': 'declaration',
      'tornado/speedups.pyi': 'declaration',
      'examples/simple.js': 'example',
      'benches/read.rs': 'example',
    };
    for (const [path, standing] of Object.entries(expected)) assert.equal(standingOf(path), standing, path);
  });

  it('is a twin of what it was compiled from, and of the same module in another system', () => {
    assert.equal(standingOf('lib/core/a.js', 'src/core/a.ts'), 'twin');
    assert.equal(standingOf('src/core/a.ts', 'lib/core/a.js'), 'code');
    assert.equal(standingOf('a/b.cjs', 'a/b.js'), 'twin');
    assert.equal(standingOf('a/b.js', 'a/b.cjs'), 'code');
  });

  it('is not a twin for a mere namesake', () => {
    assert.equal(standingOf('lib/errors.js', 'errors.js'), 'code');
    assert.equal(standingOf('errors.js', 'lib/errors.js'), 'code');
    assert.equal(standingOf('lib/errors.js', 'lib/errors.d.ts'), 'code');
  });
});
