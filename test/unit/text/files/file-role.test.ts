import assert from 'node:assert/strict';
import { roleOf } from '../../../../src/text/files/file-role.ts';

describe('what a file is, by its path', () => {
  const ROLES: Readonly<Record<string, readonly string[]>> = {
    test: [
      'test/a.js',
      'pkg/testsuite/locking.py',
      'src/__tests__/a.ts',
      'unit-tests/a.go',
      'test_utils/make.py',
      'lib/a.spec.ts',
      'test_a.py',
      'db_test.go',
      'AppTest.java',
      'src/tests.rs',
    ],
    source: ['src/testing.ts', 'contest/a.py', 'src/latest/a.js', 'src/test-runner/a.ts', 'src/suites/a.ts'],
    docs: ['README.md', 'LICENSE', 'docs/a.rst'],
    config: ['package.json', '.editorconfig', 'a/b.yaml'],
  };
  for (const [role, paths] of Object.entries(ROLES))
    for (const path of paths) it(`${path}: ${role}`, () => assert.equal(roleOf(path), role));
});
