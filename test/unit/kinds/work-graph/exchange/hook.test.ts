import assert from 'node:assert/strict';
import { hookNotes, hookReads } from '../../../../../src/kinds/work-graph/exchange/formats.ts';
import { searchFrom, written } from '../../../../support/work-graph/state-files.ts';

describe('the hook of the original system', () => {
  const file = (control: string, before = '') =>
    `---\nobjective:\n${before}  goal: g\n  base_case: {type: command, value: x}\n${control}\natoms: [{id: A}]\n---\n`;
  const exported = (text: string) => written(searchFrom(text), text);

  it('reads what follows the first such line, to its end', () => {
    assert.equal(hookReads(file('control:\n  status: stopped # x')).status, 'stopped # x');
    assert.equal(hookReads(file('control:\n  status: stopped')).status, 'stopped');
    assert.equal(hookReads(file('control:\n  status: stopped').replaceAll('\n', '\r\n')).status, undefined);
    assert.equal(hookReads(`\ufeff${file('control:\n  status: stopped')}`).status, undefined);
  });

  for (const status of [
    'running',
    'pending # x',
    '"running"',
    "'pending'   # y",
    'stopped # why',
    '>-\n    running',
    '\n    running',
  ])
    it(`stops approving after an export of "${status.replaceAll('\n', '\\n')}"`, () => {
      const out = exported(file(`control:\n  status: ${status}\n  iteration: 1 # kept`));
      assert.equal(hookReads(out).status, 'stopped', out);
      assert.deepEqual(hookNotes(out), []);
      assert.match(out, /\n {2}iteration: 1 # kept\n/);
    });

  it('is told of where it goes on approving all the same', () => {
    const armed = [
      file('control:\n  status: running').replaceAll('\n', '\r\n'),
      `\ufeff${file('control:\n  status: running')}`,
      file('control: {status: running}'),
      file('control:\n    status: running'),
      file('control:\n  status: running', '  status: draft\n'),
    ];
    for (const text of armed) {
      const out = exported(text);
      assert.match(out, /status: stopped/);
      const [note, ...others] = hookNotes(out);
      assert.match(note?.text ?? '', /approves every edit and every command all the same/);
      assert.deepEqual(others, []);
    }
    assert.match(hookNotes(exported(armed[4] as string))[0]?.text ?? '', /line 3, which does not say "stopped"/);
  });
});
