import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { UseGraph } from '../../scripts/changed-tests.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

function graphOf(files: Readonly<Record<string, string>>): UseGraph {
  return new UseGraph(Object.keys(files), (path) => files[path] ?? '');
}

describe('the tests that a change can reach', () => {
  const PROJECT = {
    'src/core/tree.ts': "import type { Call } from './call.ts';",
    'src/core/call.ts': '',
    'src/kinds/kinds.ts':
      "import { descriptor } from './thoughts/descriptor.ts';\nconst open = () => import('./thoughts/open.ts');",
    'src/kinds/thoughts/descriptor.ts': '',
    'src/kinds/thoughts/open.ts': "import { tree } from '../../core/tree.ts';",
    'src/words/list.ts': "const file = new URL('./words.txt', import.meta.url);",
    'src/words/words.txt': '',
    'src/cli/cli.ts': "import { KINDS } from '../kinds/kinds.ts';\nimport { list } from '../words/list.ts';",
    'src/extension/extension.ts': '',
    'webview-ui/main.tsx': '',
    'doc/cli.md': '',
    'test/golden/prompts/pick.md': '',
    'test/support/run.ts': "export const COMMAND = new URL('../../dist/cli.cjs', import.meta.url);",
    'test/unit/tree.test.ts': "import { tree } from '../../src/core/tree.ts';",
    'test/unit/kinds.test.ts': "import {\n  KINDS,\n} from '../../src/kinds/kinds.ts';",
    'test/unit/prompts.test.ts': "const golden = new URL('../golden/prompts/', import.meta.url);",
    'test/unit/sources.test.ts': "globSync('src/c*/**/*.ts', { cwd: ROOT });",
    'test/ui/panel.test.ts': "await build({ entryPoints: ['webview-ui/main.tsx'] });",
    'test/host-suite/keys.test.ts': '',
    'test/e2e/cli/start.test.ts': "import { COMMAND } from '../../support/run.ts';",
    'test/e2e/cli/more.test.ts': "import { COMMAND } from '../../support/run.ts';\nrun('--kind', 'thoughts');",
  };
  const graph = graphOf(PROJECT);

  for (const [changed, tests] of [
    ['src/core/tree.ts', ['e2e/cli/more', 'e2e/cli/start', 'unit/kinds', 'unit/sources', 'unit/tree']],
    ['src/core/call.ts', ['unit/sources']],
    ['src/kinds/thoughts/descriptor.ts', ['e2e/cli/more', 'unit/kinds']],
    ['src/kinds/thoughts/open.ts', ['e2e/cli/more', 'unit/kinds']],
    ['src/kinds/thoughts', ['e2e/cli/more', 'unit/kinds']],
    ['src/words/words.txt', ['e2e/cli/more', 'e2e/cli/start']],
    ['src/extension/extension.ts', ['host-suite/keys']],
    ['webview-ui', ['ui/panel']],
    ['test/golden/prompts/pick.md', ['unit/prompts']],
    ['test/unit/tree.test.ts', ['unit/tree']],
    ['doc/cli.md', []],
  ] as const)
    it(`are found for ${changed}`, () => {
      assert.deepEqual(
        graph.testsFor([changed]),
        tests.map((name) => `test/${name}.test.ts`),
      );
    });

  it('are all where no import shows what a change does', () => {
    const all = Object.keys(PROJECT).filter((path) => path.endsWith('.test.ts'));
    assert.deepEqual(graph.testsFor(['doc/cli.md', 'package-lock.json']), all.sort());
  });

  it('need a build where they run what it makes', () => {
    const needing = graph.testsFor(['package.json']).filter((test) => graph.needsBuild(test));
    assert.deepEqual(
      needing,
      ['e2e/cli/more', 'e2e/cli/start', 'host-suite/keys'].map((name) => `test/${name}.test.ts`),
    );
  });

  it('of this project are those of its rooms', () => {
    const files = globSync(['{src,test,scripts,webview-ui}/**/*.{ts,tsx,mjs}'], { cwd: ROOT });
    const real = new UseGraph(files, (path) => readFileSync(`${ROOT}${path}`, 'utf8'));
    const ofInvestigation = real.testsFor(['src/kinds/investigation']);
    for (const test of ['unit/kinds/investigation/led', 'e2e/cli/investigation', 'ui/investigation'])
      assert.ok(ofInvestigation.includes(`test/${test}.test.ts`), test);
    for (const room of ['test/e2e/fleet/', 'test/unit/fleet/', 'test/unit/core/'])
      assert.deepEqual(
        ofInvestigation.filter((test) => test.startsWith(room)),
        [],
      );
    const sidebar = real.testsFor(['src/extension/sidebar']);
    const whole = globSync('test/{host-suite,e2e/vscode}/**/*.test.ts', { cwd: ROOT });
    assert.deepEqual(
      whole.filter((test) => !sidebar.includes(test)),
      [],
    );
  });
});
