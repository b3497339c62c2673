import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { someOf } from '../../support/effort.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { stateFile, stateFiles } from '../../support/work-graph/state-files.ts';
import { type CliEnd, runCli } from '../cli/run-cli.ts';

/** The lines that differ, as pairs; both texts have the same number of lines. */
function differences(text: string, other: string): [before: string, after: string][] {
  const [lines, others] = [text.split('\n'), other.split('\n')];
  assert.equal(lines.length, others.length, other);
  return lines.flatMap((line, i) => (line === others[i] ? [] : [[line, others[i] ?? '']]));
}

describe('a state file of the original system, through the built command', () => {
  let cwd: string;
  beforeEach(() => {
    cwd = temporaryFolder('state-files');
  });

  async function run(code: number, ...args: string[]): Promise<CliEnd> {
    const end = await runCli(args, { cwd });
    assert.equal(end.code, code, `${end.stderr}\n${end.stdout}`);
    return end;
  }

  for (const name of stateFiles('good'))
    for (const [lines, write] of [
      ['as it is', (text: string) => text],
      ['of Windows', (text: string) => `\ufeff${text.replaceAll('\n', '\r\n')}`],
    ] as const)
      it(`${name} comes back as it was, but for what runs (${lines})`, async () => {
        const text = write(stateFile('good', name));
        await writeFile(join(cwd, name), text);
        await run(0, 'import', name, '--dir', 'goal');
        await run(0, 'export', 'goal', '--out', 'out.md');
        const differing = differences(text, await readFile(join(cwd, 'out.md'), 'utf8'));
        const [control, ...atoms] = differing.map(([, after]) => /^ *(?:control: \{)?status: +(\w+)/.exec(after)?.[1]);
        assert.equal(control, 'stopped');
        // What was under way is to be done again; what was done is done.
        for (const [i, status] of atoms.entries()) {
          assert.equal(status, 'pending');
          assert.match(differing[i + 1]?.[0] ?? '', /status: in_progress/);
        }
      });

  for (const name of someOf(stateFiles('damaged')))
    it(`${name} is refused with its line, and leaves nothing behind`, async () => {
      await writeFile(join(cwd, name), stateFile('damaged', name));
      const { stderr } = await run(1, 'import', name);
      const line = /\.(\d+)\.md$/.exec(name)?.[1];
      assert.ok(stderr.includes(`${name}, line ${line}: `), stderr);
      assert.deepEqual(await readdir(cwd), [name]);
    });

  it('is the same search in every other form that it is written in', async () => {
    await writeFile(join(cwd, 'in.md'), stateFile('good', 'switched.md'));
    await run(0, 'import', 'in.md', '--dir', 'one');
    const written = async (dir: string): Promise<string[]> =>
      await Promise.all(
        ['json', 'dot', 'mermaid', 'aot-state'].map(
          async (form) => (await run(0, 'export', dir, '--format', form)).stdout,
        ),
      );
    const [json = '', dot = '', mermaid = '', state = ''] = await written('one');
    assert.match(dot, /subgraph cluster_n2 \{\n {4}label="how";/);
    assert.match(mermaid, /n1\["A1<br\/>measure<br\/>resolved, reported"\]/);
    await writeFile(join(cwd, 'one.json'), json);
    await run(0, 'import', 'one.json', '--dir', 'two');
    // All but the link, which leads to where each of them is.
    const moved = json.replace('open?search=one', 'open?search=two');
    assert.deepEqual(await written('two'), [moved, dot, mermaid, state]);
  });
});
