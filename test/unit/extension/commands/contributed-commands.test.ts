import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { COMMANDS } from '../../../../src/extension/commands/command-table.ts';
import { contributedCommands } from '../../../../src/extension/commands/contributed-commands.ts';
import { actionCommands, startCommands } from '../../../../src/extension/commands/kind-commands.ts';
import { listCommands } from '../../../../src/extension/commands/list-commands.ts';
import { KINDS } from '../../../../src/kinds/kinds.ts';

describe('the commands of actions and kinds', () => {
  it('do what the table says, though the extension only reads their names', () => {
    const manifest: unknown = JSON.parse(readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8'));
    const own = new Set([
      ...Object.keys(COMMANDS).filter((id) => COMMANDS[id]?.action === undefined),
      ...listCommands().map(({ id }) => id),
    ]);
    const faces = KINDS.map(({ face }) => face);
    const expected = [
      ...actionCommands(faces).map(({ id, action }) => ({ id, action })),
      ...startCommands(faces).map(({ id, kind }) => ({ id, kind })),
    ];
    const byId = (a: { id: string }, b: { id: string }): number => (a.id < b.id ? -1 : 1);
    assert.deepEqual(contributedCommands(manifest, own).sort(byId), expected.sort(byId));
  });
});
