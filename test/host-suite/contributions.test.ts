import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { extension, until, workspace } from './editor.ts';

const WRONG = '{ "title": "Cache", "status": "done" }\n';

describe('what is contributed', () => {
  const open = async (...path: string[]): Promise<vscode.Uri> => {
    const file = join(workspace(), ...path);
    await mkdir(join(file, '..'), { recursive: true });
    await writeFile(file, WRONG);
    const document = await vscode.workspace.openTextDocument(vscode.Uri.file(file));
    await vscode.window.showTextDocument(document, { preview: false });
    return document.uri;
  };

  it('checks node.json in our folders, and in no others', async () => {
    const theirs = await open('packages', 'node.json');
    const ours = await open('thought-trees', 'checked', 'cache', 'node.json');
    const [problem] = await until('a problem is told', () => {
      const found = vscode.languages.getDiagnostics(ours);
      return found.length > 0 ? found : undefined;
    });
    assert.match(problem?.message ?? '', /not accepted|unexpanded/);
    assert.equal(problem?.range.start.line, 0);
    assert.deepEqual(vscode.languages.getDiagnostics(theirs), [], 'opened before ours, and checked by now');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('sets what tabs are called, and what searching and watching leave out', () => {
    const value = (section: string): Record<string, unknown> =>
      vscode.workspace.getConfiguration().get<Record<string, unknown>>(section, {});
    const labels = value('workbench.editor.customLabels.patterns');
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the editor that fills it in
    assert.equal(labels['**/thought-trees/**/document.md'], '${dirname}');
    assert.equal(value('search.exclude')['**/.search'], true);
    assert.equal(value('files.watcherExclude')['**/thought-trees/*/.search/**'], true);
  });

  it('has defaults and a description in words for every setting', () => {
    const { configuration } = extension().packageJSON.contributes as {
      configuration: { properties: Record<string, { default: unknown; markdownDescription: string; scope: string }> }[];
    };
    const settings = configuration.flatMap(({ properties }) => Object.entries(properties));
    assert.ok(settings.length > 8);
    for (const [name, setting] of settings) {
      assert.match(setting.markdownDescription, /^[A-Z][^%]{10,}/, name);
      assert.deepEqual(vscode.workspace.getConfiguration().inspect(name)?.defaultValue, setting.default, name);
    }
  });
});
