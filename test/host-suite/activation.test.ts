import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS } from '../../src/extension/commands/command-table.ts';
import { KINDS } from '../../src/kinds/kinds.ts';
import { extension } from './editor.ts';

interface Contributed {
  readonly command: string;
  readonly title: string;
}

describe('activation', () => {
  it('does not happen before it is needed', () => {
    assert.equal(extension().isActive, false, 'something woke the extension when the editor started');
  });

  it('comes with the first command, and returns what other extensions can use', async () => {
    await vscode.commands.executeCommand('thoughtTree.searches.focus');
    const api = await extension().activate();
    assert.deepEqual(Object.keys(api).sort(), ['extendMarkdownIt', 'isRunning', 'searches', 'start']);
    assert.deepEqual(api.searches(), []);
    assert.equal(api.isRunning('/nowhere'), false);
  });

  it('registers every command of the table, and every one that it contributes', async () => {
    const known = new Set(await vscode.commands.getCommands(true));
    const { commands } = extension().packageJSON.contributes as { commands: Contributed[] };
    const all = [...Object.keys(COMMANDS), ...commands.map(({ command }) => command)];
    assert.deepEqual(
      all.filter((id) => !known.has(id)),
      [],
    );
  });

  it('contributes every command of the table, with a title in words', () => {
    const { commands } = extension().packageJSON.contributes as { commands: Contributed[] };
    // A kind's own name for an action is a command too, as in `thoughtTree.redo.thoughts`.
    const table = commands.map(({ command }) => command).filter((command) => command.split('.').length === 2);
    assert.deepEqual(table.sort(), Object.keys(COMMANDS).sort());
    // So is an action that only that kind has.
    const ofKinds = new Set(
      KINDS.flatMap(({ descriptor }) =>
        Object.keys(descriptor.actions).map((name) => `thoughtTree.${name}.${descriptor.name}`),
      ),
    );
    for (const { command } of commands)
      assert.ok(
        table.includes(command.split('.').slice(0, 2).join('.')) || ofKinds.has(command),
        `${command} belongs to no command of the table, and to no kind`,
      );
    for (const { title } of commands) assert.match(title, /^[A-Z][^%]+$/);
  });

  it('ends commands that have nothing to work on without an error', async () => {
    for (const id of ['pause', 'more', 'resume', 'openReport', 'finish', 'expand', 'reveal'])
      await vscode.commands.executeCommand(`thoughtTree.${id}`);
  });
});
