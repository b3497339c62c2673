import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SOURCES = new URL('../../../src/', import.meta.url).href;

describe('a command that can never end', () => {
  it('does not look like a success', async () => {
    const cwd = await mkdtemp(join(tmpdir(), 'thought-tree-test-'));
    try {
      const code = `
        const { runCli } = await import('${SOURCES}cli/run-cli.ts');
        const { KINDS } = await import('${SOURCES}kinds/kinds.ts');
        const never = KINDS.map((kind) => ({ ...kind, load: () => new Promise(() => undefined) }));
        void runCli(never, ['start', 'Why?', '--model', 'workspace/quotes']);
      `;
      const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
        cwd,
        encoding: 'utf8',
        timeout: 60_000,
      });
      assert.match(stderr, /ended before its work was done/);
      assert.equal(status, 1);
    } finally {
      await rm(cwd, { recursive: true, force: true });
    }
  });
});
