import '../use-fake-vscode.ts';
import assert from 'node:assert/strict';
import { lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandContributions } from '../../../../scripts/contributions.ts';
import { COMMANDS } from '../../../../src/extension/commands/command-table.ts';
import { KINDS } from '../../../../src/kinds/kinds.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { fake } from '../fake-vscode.ts';

const { rowCommands } = await import('../../../../src/extension/commands/row-commands.ts');

describe('the menu of a row', () => {
  beforeEach(() => fake.reset());

  it('has every action that its icons have: without a mouse, there is no other way', () => {
    const menus = commandContributions(KINDS.map(({ descriptor }) => descriptor)).menus as Record<
      string,
      { command: string; group: string; when: string }[]
    >;
    const places = menus['view/item/context'] ?? [];
    const inMenu = new Set(places.filter(({ group }) => !group.startsWith('inline')).map(({ command }) => command));
    const icons = new Set(places.filter(({ group }) => group.startsWith('inline')).map(({ command }) => command));
    assert.ok(icons.size > 8);
    assert.deepEqual(
      [...icons].filter((command) => !inMenu.has(command)),
      [],
    );
  });

  it('shows a row in the Explorer', async () => {
    await rowCommands.showInExplorer({ folder: '/w/slow', path: '' });
    const [name, uri] = fake.executed[0] ?? [];
    assert.deepEqual([name, (uri as { fsPath: string } | undefined)?.fsPath], ['revealInExplorer', '/w/slow']);
  });

  it('renames a search and a node in their files, and leaves the rest as it is', async () => {
    const folder = temporaryFolder('rename');
    mkdirSync(join(folder, 'cache'));
    const touched: string[] = [];
    const library = { touch: (file: string) => void touched.push(file) };
    for (const [path, file] of [
      ['', 'search.json'],
      ['cache', 'node.json'],
    ] as const) {
      const place = join(folder, path, file);
      writeFileSync(place, JSON.stringify({ title: 'Old', more: { kept: 1 } }));
      fake.answer = () => '  New title ';
      await rowCommands.renameTitle(library, { folder, path });
      assert.deepEqual(JSON.parse(readFileSync(place, 'utf8')), { title: 'New title', more: { kept: 1 } });
      fake.answer = () => undefined;
      await rowCommands.renameTitle(library, { folder, path });
    }
    assert.deepEqual(touched, [join(folder, 'search.json'), join(folder, 'cache', 'node.json')]);
    assert.deepEqual(readdirSync(folder).sort(), ['cache', 'search.json']);
  });

  it('opens the note for all of a search as a text, whatever opens its documents', async () => {
    await rowCommands.editNote({ folder: '/w/slow' });
    const [how, uri] = fake.executed[0] ?? [];
    assert.deepEqual([how, (uri as { fsPath: string } | undefined)?.fsPath], ['show', join('/w/slow', 'notes.md')]);
  });

  it('renames through no link that came with a clone', async () => {
    const folder = temporaryFolder('rename-link');
    const outside = join(temporaryFolder('outside'), 'precious');
    writeFileSync(outside, 'precious');
    writeFileSync(join(folder, 'search.json'), JSON.stringify({ title: 'Old' }));
    symlinkSync(outside, join(folder, 'search.json.renamed'));
    fake.answer = () => 'New';
    await rowCommands.renameTitle({ touch: () => undefined }, { folder, path: '' });
    assert.equal(readFileSync(outside, 'utf8'), 'precious');
    assert.equal(JSON.parse(readFileSync(join(folder, 'search.json'), 'utf8')).title, 'New');
    assert.ok(lstatSync(join(folder, 'search.json')).isFile());
  });

  it('has its own commands for actions: the editor passes buttons of the view the row that has the focus, too', () => {
    const { menus } = commandContributions(KINDS.map(({ descriptor }) => descriptor));
    const titles = (menus['view/title'] as { command?: string }[]).flatMap(({ command }) => command ?? []);
    assert.ok(titles.includes('thoughtTree.goOnAny'));
    assert.deepEqual(
      titles.filter((id) => COMMANDS[id]?.action !== undefined),
      [],
    );
  });
});
