import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MUTANTS } from '../mutants/mutants.ts';

const ROOT = join(import.meta.dirname, '../..');

describe('the mutants', () => {
  it('are twenty, each with a name of its own', () => {
    assert.equal(new Set(MUTANTS.map(({ name }) => name)).size, 20);
  });

  for (const { name, file, search, replace, test } of MUTANTS)
    it(`${name} changes one place of ${file}`, () => {
      assert.ok(existsSync(join(ROOT, test)), test);
      assert.equal(readFileSync(join(ROOT, file), 'utf8').split(search).length, 2);
      assert.notEqual(replace, search);
    });
});
