import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { answering, extension, searchFolder, until } from './editor.ts';

/** Nodes on which every action is offered that there is. */
const NODES = { storage: 'expanded', network: 'unexpanded', startup: 'failed', legacy: 'pruned' } as const;

describe('a menu of a row that is fetched anew', () => {
  const folder = searchFolder('menus-without-rows');
  const { menus } = (extension().packageJSON as { contributes: { menus: Record<string, { command?: string }[]> } })
    .contributes;
  const idsIn = (menu: string): string[] => (menus[menu] ?? []).flatMap(({ command }) => command ?? []);
  const only = [...idsIn('view/item/context'), ...idsIn('thoughtTree.share')];
  const ids = [...new Set(only.filter((id) => !idsIn('view/title').includes(id)))];

  before(async () => {
    await extension().activate();
    const write = (file: string, content: unknown): void => {
      mkdirSync(join(folder, file, '..'), { recursive: true });
      writeFileSync(join(folder, file), typeof content === 'string' ? content : JSON.stringify(content));
    };
    for (const [slug, status] of Object.entries(NODES)) {
      write(`${slug}/node.json`, { title: slug, slug, status });
      write(`${slug}/document.md`, `# ${slug}\n`);
    }
    const list = Object.keys(NODES).map((slug) => ({ title: slug, slug }));
    write('children.json', list);
    write('report.md', '# A report\n');
    write('search.json', { version: 1, kind: 'research', title: 'Menus', prompt: 'Why?', options: {} });
    await until('the extension has it', () =>
      extension()
        .exports.searches()
        .some((each) => each.folder === folder),
    );
    await vscode.commands.executeCommand('thoughtTree.searches.focus');
  });

  /** Every file below the search, with what is in it. */
  const disk = (): string[] =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((file) => join(folder, file))
      .filter((file) => statSync(file).isFile())
      .map((file) => `${file}: ${readFileSync(file, 'utf8')}`)
      .sort();

  for (const path of ['', ...Object.keys(NODES)])
    it(`does nothing to ${path === '' ? 'the search' : path} that is selected, whatever is chosen from it`, async () => {
      await vscode.commands.executeCommand('thoughtTree.reveal', { folder, path });
      const before = disk();
      const asked: string[] = [];
      const ask = (what: string) => () => void asked.push(what);
      let said = 0;
      const answers = {
        showInputBox: ask('input'),
        showQuickPick: ask('list'),
        showWarningMessage: ask('warning'),
        showErrorMessage: (text: string) => void asked.push(text),
        showInformationMessage: (text: string) => {
          if (/Try again/.test(text)) said++;
          else asked.push(text);
          return undefined;
        },
      };
      await answering(answers, async () => {
        for (const id of ids) await vscode.commands.executeCommand(id, undefined, undefined);
      });
      assert.deepEqual([asked, said], [[], ids.length]);
      assert.deepEqual(disk(), before);
      assert.equal(existsSync(folder), true);
    });

  it('leaves the palette its selection: what is chosen there is done to the selected row', async () => {
    // Until the window has told the extension of the selection, it asks which one is meant; a list that is fetched anew
    // meanwhile may select nothing.
    await until('it is pruned', async () => {
      const none = () => undefined;
      await vscode.commands.executeCommand('thoughtTree.reveal', { folder, path: 'network' });
      await answering({ showQuickPick: none }, () => vscode.commands.executeCommand('thoughtTree.prune'));
      return /"status": ?"pruned"/.test(readFileSync(join(folder, 'network/node.json'), 'utf8'));
    });
  });
});
