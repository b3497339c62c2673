import assert from 'node:assert/strict';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeWorkspace, runCli } from './run-cli.ts';

const program = join(fileURLToPath(new URL('../../../', import.meta.url)), 'scripts', 'start.mjs');

describe('npm start --', () => {
  let workspace: Awaited<ReturnType<typeof makeWorkspace>>;
  before(async () => {
    workspace = await makeWorkspace();
  });
  after(() => workspace.remove());

  const start = async (...args: string[]): ReturnType<typeof runCli> =>
    await runCli(args, { cwd: workspace.folder, program });

  const commands: [string, string[], RegExp][] = [
    ['a command of two words', ['what-if', 'none'], /There is no folder .*none/],
    ['one without a folder', ['list'], /There are no searches/],
    ['the models', ['models'], /workspace\/quotes/],
    ['the help', ['--help'], /Commands:/],
  ];
  for (const [what, args, said] of commands)
    it(`takes ${what} for a command`, async () => {
      const { stdout, stderr } = await start(...args);
      assert.match(stdout + stderr, said);
    });

  it('takes any other word for a question', async () => {
    const { stdout } = await start('patience', '--folder', workspace.folder);
    assert.match(stdout, /^patience\n├─ .*patience/);
  });
});
