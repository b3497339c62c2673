import assert from 'node:assert/strict';
import { guardOf } from '../../../../../src/kinds/work-graph/evidence/guarded-paths.ts';

/** Which of these files a worker may not change, who is judged by a command. */
async function guarded(command: string, paths: readonly string[], scripts: object = {}): Promise<string[]> {
  const all: Record<string, string> = Object.fromEntries(paths.map((path) => [path, '']));
  if (Object.keys(scripts).length > 0) all['package.json'] = JSON.stringify({ scripts });
  const files = {
    pathsAt: async () => Object.keys(all),
    fileAt: async (_: string, path: string) => all[path],
  };
  const isGuarded = await guardOf(files, '1234567', [{ item: 'it holds', check: { command } }]);
  return paths.filter((path) => isGuarded({ path, change: 'changed', added: 1, removed: 1 }));
}

describe('what a check runs', () => {
  it('is guarded where the line names it, also a test that lies next to the work', async () => {
    const paths = ['src/test.js', 'src/a.js', 'src/deep/spec.ts', 'lib/main.js', 'checks/a.js'];
    assert.deepEqual(await guarded('node src/test.js', paths), ['src/test.js']);
    assert.deepEqual(await guarded('node src/deep/spec.ts', paths), ['src/deep/spec.ts']);
    assert.deepEqual(await guarded('node checks/a.js', paths), ['checks/a.js']);
  });

  it('is guarded behind the scripts that the line names', async () => {
    const paths = ['src/test.js', 'src/a.js'];
    assert.deepEqual(await guarded('npm test', paths, { test: 'node src/test.js' }), ['src/test.js']);
  });

  it('does not forbid the work itself', async () => {
    assert.deepEqual(await guarded('node src/main.js --check', ['src/main.js', 'src/contest.js', 'lib/latest.js']), []);
  });
});
