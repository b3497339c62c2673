import assert from 'node:assert/strict';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { marksOf } from '../../src/core/citations/citation-marks.ts';
import { markDocument } from '../../src/engine-parts/citations/mark-document.ts';
import { forgeSearch } from '../support/searches/forged-search.ts';
import { heldText } from '../unit/engine-parts/citations/held-text.ts';
import { answering, extension, searchFolder, until, workspace } from './editor.ts';

const SOURCE = 'export function forget(answers, key) {\n  answers.delete(key);\n}\n';
const DOCUMENT = `# Keys\n\nThe oldest is deleted:\n\n[at-home/keys.js:2](x)\n\n\`\`\`js\n  answers.delete(key);\n\`\`\`\n`;

describe('a search in the editor that it is at home in', () => {
  const folder = searchFolder('at-home');
  const source = vscode.Uri.file(join(workspace(), 'at-home', 'keys.js'));
  const document = vscode.Uri.file(join(folder, 'keys-日本', 'document.md'));

  before(async () => {
    await extension().activate();
    await mkdir(join(workspace(), 'at-home'));
    await writeFile(source.fsPath, SOURCE);
    const held = heldText({ 'at-home/keys.js': SOURCE });
    const { text, citations } = await markDocument(held, 'thought-trees/at-home/keys-日本', DOCUMENT);
    await forgeSearch(folder, {
      files: {
        'children.json': [{ title: 'Keys', slug: 'keys-日本' }],
        'keys-日本/node.json': { title: 'Keys', status: 'leaf', ...marksOf(citations) },
        'keys-日本/document.md': text,
        'report.md': '# Why\n',
      },
    });
    const isFinished = () =>
      extension()
        .exports.searches()
        .some((each) => each.folder === folder && each.state === 'finished');
    await until('it is listed', isFinished);
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(join(workspace(), 'at-home'), { recursive: true });
  });

  /** Follows a link as the editor does, and returns what was said. */
  async function follow(link: string): Promise<string[]> {
    const said: string[] = [];
    const say = (message: string): undefined => void said.push(message);
    await answering({ showErrorMessage: say, showInformationMessage: say }, async () => {
      await vscode.commands.executeCommand('vscode.open', vscode.Uri.parse(link));
      await until('something is shown or said', () => said.length > 0 || isDrawn());
    });
    return said;
  }
  const isDrawn = (): boolean => vscode.window.tabGroups.all.some(({ activeTab }) => activeTab?.label === 'Why');

  it('is opened by a link that was copied from its row, at its node', async () => {
    await vscode.commands.executeCommand('thoughtTree.copyLink', { folder, path: 'keys-日本' });
    const link = await until('a link', async () => vscode.env.clipboard.readText());
    assert.match(link, /^[\w-]+:\/\/thought-tree\.thought-tree\/open\?search=thought-trees\/at-home&node=keys-%25E6/);
    assert.deepEqual(await follow(link), []);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('is told where a link leads to nothing that is here', async () => {
    const at = `${vscode.env.uriScheme}://thought-tree.thought-tree/open?search=`;
    const [missing] = await follow(`${at}thought-trees/nowhere`);
    assert.match(missing ?? '', /thought-trees\/nowhere, is in none of the folders of this window/);
    const [outside] = await follow(`${at}../../${join('etc', 'passwd')}`);
    assert.match(outside ?? '', /names no search/);
  });

  it('shows above the lines that it cites, and in a hover, what it found', async () => {
    await vscode.window.showTextDocument(source);
    const lens = await until('a lens', async () => {
      const found = await vscode.commands.executeCommand<vscode.CodeLens[]>(
        'vscode.executeCodeLensProvider',
        source,
        9,
      );
      return found.find(({ command }) => command?.title === '1 finding cites this');
    });
    assert.equal(lens.range.start.line, 1);
    const at = new vscode.Position(1, 4);
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>('vscode.executeHoverProvider', source, at);
    const said = hovers.flatMap(({ contents }) => contents.map((each) => (each as vscode.MarkdownString).value));
    assert.match(
      said.join('\n'),
      /\*\*Keys\*\* · line 2[\s\S]*The oldest is deleted[\s\S]*command:thoughtTree\.openGraph/,
    );
    const { command = '', arguments: given = [] } = lens.command ?? {};
    await vscode.commands.executeCommand(command, ...given);
  });

  it('lists as a problem what moved since, and puts it right on request', async () => {
    await vscode.window.showTextDocument(document);
    await writeFile(source.fsPath, `// New.\n\n${SOURCE}`);
    await vscode.window.showTextDocument(source);
    await vscode.window.showTextDocument(document);
    const problem = await until('a problem', () => vscode.languages.getDiagnostics(document)[0]);
    assert.equal(problem.message, 'What is cited here is at at-home/keys.js:4 now.');
    assert.equal(problem.source, 'Thought Tree');
    const range = problem.range;
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      document,
      range,
      vscode.CodeActionKind.QuickFix.value,
    );
    const fix = actions.find(({ title }) => title === 'Put it right: at-home/keys.js:4');
    assert.ok(fix?.edit, actions.map(({ title }) => title).join('\n'));
    await vscode.workspace.applyEdit(fix.edit);
    await vscode.workspace.saveAll();
    await until('no problem', () => vscode.languages.getDiagnostics(document).length === 0);
    assert.match(
      await readFile(document.fsPath, 'utf8'),
      /\[at-home\/keys\.js:4\]\(\.\.\/\.\.\/\.\.\/at-home\/keys\.js#L4\)/,
    );
  });
});
