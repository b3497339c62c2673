import assert from 'node:assert/strict';
import { buildProgram } from '../../../src/cli/run-cli.ts';
import { KINDS } from '../../../src/kinds/kinds.ts';

describe('the help of each command', () => {
  const { commands } = buildProgram(KINDS, () => undefined);
  for (const command of commands)
    it(`of ${command.name()} tells every default once`, () => {
      const help = command.helpInformation().replace(/\s+/g, ' ');
      assert.doesNotMatch(help, /\(default: [^)]*\) \(default: /);
    });
});
