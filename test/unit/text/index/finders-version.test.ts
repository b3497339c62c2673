import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findersVersion } from '../../../../src/text/index/workspace-indexes.ts';

const FINDERS = ['parse-process.cjs', 'quotes-worker.cjs', 'secrets.cjs'];

describe('the version of what finds', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'bundles-'));
    mkdirSync(join(folder, 'grammars'));
    for (const file of [...FINDERS, 'grammars/a.wasm.br', 'grammars/b.wasm.br', 'other.cjs'])
      writeFileSync(join(folder, file), file);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('is another one if anything changed that finds, and only then', () => {
    const before = findersVersion(folder);
    assert.ok(before);
    writeFileSync(join(folder, 'other.cjs'), 'changed');
    assert.equal(findersVersion(folder), before);
    for (const file of [...FINDERS, 'grammars/a.wasm.br', 'grammars/new.wasm.br']) {
      const last = findersVersion(folder);
      writeFileSync(join(folder, file), 'changed');
      assert.notEqual(findersVersion(folder), last, file);
    }
  });

  it('is unknown where it was not built', () => {
    assert.equal(findersVersion(), undefined);
  });
});
