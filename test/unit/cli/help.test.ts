import assert from 'node:assert/strict';
import { buildProgram } from '../../../src/cli/run-cli.ts';
import { KINDS } from '../../../src/kinds/kinds.ts';

describe('the help of each command', () => {
  const { commands } = buildProgram(KINDS, () => undefined);
  for (const command of commands) {
    it(`of ${command.name()} tells every default once`, () => {
      const help = command.helpInformation().replace(/\s+/g, ' ');
      assert.doesNotMatch(help, /\(default: [^)]*\) \(default: /);
    });

    it(`of ${command.name()} is the same where the commands behind it are left out`, () => {
      const one = buildProgram(KINDS, () => undefined, command.name()).commands.find(
        (each) => each.name() === command.name(),
      );
      assert.equal(one?.helpInformation(), command.helpInformation());
    });
  }

  it('is shown for a command that there is not, too: it may be a typing error', () => {
    const all = commands.map((command) => command.name());
    const asked = buildProgram(KINDS, () => undefined, 'stat').commands.map((command) => command.name());
    assert.deepEqual(asked, all);
  });
});
