import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { NodeFile } from '../../src/core/tree/node-file.ts';
import { answering, eventsOf, extension, next, stateOf, until } from './editor.ts';

const MODEL = 'workspace/quotes';

/** All files of a folder, with what is in them. */
function filesIn(folder: string): [string, string][] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry): [string, string] => {
      const file = join(entry.parentPath, entry.name);
      return [file, readFileSync(file, 'base64')];
    })
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

describe('a search with quotes', () => {
  let folder: string;
  let first: string;
  const nodeOf = async (path: string): Promise<NodeFile> =>
    JSON.parse(await readFile(join(folder, path, 'node.json'), 'utf8')) as NodeFile;

  before(async () => {
    const { start } = await extension().activate();
    folder = await start({ prompt: 'How does the cache work?', model: MODEL, size: 'small' });
    await stateOf(folder, 'finished');
    [{ slug: first }] = JSON.parse(await readFile(join(folder, 'children.json'), 'utf8')) as [{ slug: string }];
  });

  /** The tab that is in front once something was opened. */
  const openedTab = async (open: () => Thenable<unknown>): Promise<vscode.Tab | undefined> => {
    const turned = next(vscode.window.tabGroups.onDidChangeTabs, ({ opened, changed }) =>
      [...opened, ...changed].some(({ isActive }) => isActive),
    );
    await open();
    await turned;
    return vscode.window.tabGroups.activeTabGroup.activeTab;
  };

  it('lies in the workspace and ends with a report', async () => {
    assert.match(folder, /thought-trees[\\/]how-does-the-cache-work$/);
    assert.match(await readFile(join(folder, 'report.md'), 'utf8'), /^# |^---/);
    await until('it is released', () => !extension().exports.isRunning(folder));
    const [started] = await eventsOf(folder, 'search-started');
    assert.equal(started?.model, MODEL);
    assert.deepEqual(started?.limits, { size: 'small', maxDepth: 4, guards: {} }, 'what is free is bound by nothing');
  });

  it('is not begun a second time in the same folder', async () => {
    const again = extension().exports.start({ prompt: 'How does the cache work?', model: MODEL });
    await assert.rejects(again, { reason: 'exists' });
  });

  it('is not begun without a question, a model or a folder of the workspace', async () => {
    const { start } = extension().exports;
    await assert.rejects(start({ prompt: ' ', model: MODEL }), { reason: 'bad-input' });
    await assert.rejects(start({ prompt: 'Without a model?' }), { reason: 'bad-input' });
    await assert.rejects(start({ prompt: 'Where?', model: MODEL, folder: '/elsewhere' }), { reason: 'bad-input' });
  });

  it('is pruned and restored by commands', async () => {
    await vscode.commands.executeCommand('thoughtTree.prune', { folder, path: first });
    assert.equal((await nodeOf(first)).status, 'pruned');
    assert.equal((await nodeOf(first)).prunedBy, 'user');
    await vscode.commands.executeCommand('thoughtTree.restore', { folder, path: first });
    assert.match((await nodeOf(first)).status, /^(expanded|leaf)$/);
    const steered = await eventsOf(folder, 'steered');
    assert.deepEqual(
      steered.map(({ by, action, node }) => [by, action, node]),
      [
        ['vscode', 'prune', first],
        ['vscode', 'restore', first],
      ],
    );
  });

  it('takes notes and topics from a person', async () => {
    await answering({ showInputBox: () => 'Mind the eviction.' }, () =>
      vscode.commands.executeCommand('thoughtTree.note', { folder, path: '' }),
    );
    assert.match(await readFile(join(folder, 'notes.md'), 'utf8'), /Mind the eviction\./);
    await answering({ showInputBox: () => 'Rate limits' }, () =>
      vscode.commands.executeCommand('thoughtTree.addChild', { folder, path: '' }),
    );
    assert.equal((await nodeOf('rate-limits')).status, 'unexpanded');
  });

  it('works again on a leaf that a person wants expanded', async () => {
    const ended = eventsOf(folder, 'search-finished').then(({ length }) => length);
    await vscode.commands.executeCommand('thoughtTree.expand', { folder, path: 'rate-limits' });
    await until('the search ended once more', async () => {
      return (await eventsOf(folder, 'search-finished')).length > (await ended);
    });
    assert.match((await nodeOf('rate-limits')).status, /^(expanded|leaf)$/);
    assert.ok(existsSync(join(folder, 'rate-limits/document.md')));
  });

  it('opens a document rendered, and shows it in the sidebar', async () => {
    const tab = await openedTab(() =>
      vscode.commands.executeCommand('thoughtTree.openDocument', { folder, path: first }),
    );
    assert.ok(tab?.input instanceof vscode.TabInputCustom);
    assert.equal(tab.input.viewType, 'vscode.markdown.preview.editor');
    assert.equal(tab.input.uri.fsPath, join(folder, first, 'document.md'));
    assert.equal(tab.isPreview, true);
    await vscode.commands.executeCommand('thoughtTree.reveal');
  });

  it('opens a document as a row does, rendered by what the extension associates with it', async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    const uri = vscode.Uri.file(join(folder, first, 'document.md'));
    const rendered = await openedTab(() => vscode.commands.executeCommand('vscode.open', uri));
    assert.ok(rendered?.input instanceof vscode.TabInputCustom);
    const source = await openedTab(() => vscode.commands.executeCommand('vscode.open', uri, { override: true }));
    assert.ok(source?.input instanceof vscode.TabInputText, 'as the setting for the source does');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('renders a document with one line about its node, and other Markdown as it is', async () => {
    const { extendMarkdownIt } = extension().exports;
    assert.equal(typeof extendMarkdownIt, 'function');
    const html = await vscode.commands.executeCommand<string>('markdown.api.render', '# Mine');
    assert.match(html, /Mine/);
    assert.doesNotMatch(html, /thought-tree-head/);
    const uri = vscode.Uri.file(join(folder, first, 'document.md'));
    const document = await vscode.workspace.openTextDocument(uri);
    const said = await until('the head is there', async () => {
      const rendered = await vscode.commands.executeCommand<string>('markdown.api.render', document);
      return rendered.includes('thought-tree-head') ? rendered : undefined;
    });
    assert.match(said, /<p class="thought-tree-head">.*↑ above: .*<\/p>/);
    assert.doesNotMatch(said, /<table|frontmatter|front-matter/i);
  });

  it('opens its report as a preview', async () => {
    const opened = next(vscode.window.tabGroups.onDidChangeTabs, ({ opened }) => opened.length > 0);
    await vscode.commands.executeCommand('thoughtTree.openReport', { folder });
    const [tab] = (await opened).opened;
    assert.ok(tab?.input instanceof vscode.TabInputWebview || tab?.input instanceof vscode.TabInputCustom);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('says what is wrong with a missing node, and continues', async () => {
    const told: string[] = [];
    const tell = (text: string): undefined => void told.push(text);
    await answering({ showErrorMessage: tell }, () =>
      vscode.commands.executeCommand('thoughtTree.prune', { folder, path: 'no/such-node' }),
    );
    assert.equal(told.length, 1);
    assert.match(told[0] ?? '', /no\/such-node/);
  });

  it('is deleted when a person says yes, and only then', async () => {
    const remove = () => vscode.commands.executeCommand('thoughtTree.deleteSearch', { folder });
    await answering({ showWarningMessage: () => undefined }, remove);
    assert.ok(existsSync(folder));
    const failed: string[] = [];
    // This machine is a remote one to the editor, and has no bin.
    const answers = {
      showWarningMessage: () => 'Move to Bin',
      showErrorMessage: (text: string) => void failed.push(text),
    };
    const before = filesIn(folder);
    const undone = (text: string): string | undefined => {
      if (!/has no bin/.test(text)) return undefined;
      assert.equal(existsSync(folder), false);
      return 'Undo';
    };
    await answering({ ...answers, showInformationMessage: undone }, remove);
    assert.deepEqual(filesIn(folder), before);
    await answering({ ...answers, showInformationMessage: () => undefined }, remove);
    assert.deepEqual(failed, []);
    assert.equal(existsSync(folder), false);
    assert.ok(
      !extension()
        .exports.searches()
        .some((search) => search.folder === folder),
    );
  });
});
