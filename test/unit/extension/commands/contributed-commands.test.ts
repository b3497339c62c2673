import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { actionCommands, startCommands } from '../../../../scripts/contributions.ts';
import { COMMANDS } from '../../../../src/extension/commands/command-table.ts';
import { contributedCommands, rowCommands } from '../../../../src/extension/commands/contributed-commands.ts';
import { KINDS } from '../../../../src/kinds/kinds.ts';

const manifest: unknown = JSON.parse(readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8'));

describe('the commands of rows', () => {
  it('are those in menus of rows that are not in the title of the view, where no row may be meant', () => {
    const placed = Object.entries(COMMANDS).filter(([, { menus = [] }]) =>
      menus.some(({ menu }) => menu === 'view/item/context'),
    );
    const found = rowCommands(manifest);
    const others = placed.map(([id]) => id).filter((id) => !found.has(id));
    assert.deepEqual(others, ['thoughtTree.openGraph'], 'which only shows');
  });
});

describe('the commands of actions and kinds', () => {
  it('do what the table says, though the extension only reads their names', () => {
    const own = new Set(Object.keys(COMMANDS).filter((id) => COMMANDS[id]?.action === undefined));
    const descriptors = KINDS.map(({ descriptor }) => descriptor);
    const expected = [
      ...actionCommands(descriptors).map(({ id, action }) => ({ id, action })),
      ...startCommands(descriptors).map(({ id, kind }) => ({ id, kind })),
    ];
    const byId = (a: { id: string }, b: { id: string }): number => (a.id < b.id ? -1 : 1);
    assert.deepEqual(contributedCommands(manifest, own).sort(byId), expected.sort(byId));
  });
});
