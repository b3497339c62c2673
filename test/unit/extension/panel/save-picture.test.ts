import '../use-fake-vscode.ts';
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fake, Uri } from '../fake-vscode.ts';

const { savePicture } = await import('../../../../src/extension/panel/graph-panel.ts');

describe('saving a drawing', () => {
  let workspace: string;
  beforeEach(() => {
    fake.reset();
    workspace = mkdtempSync(join(tmpdir(), 'thought-tree-picture-'));
  });
  afterEach(() => rmSync(workspace, { recursive: true, force: true }));

  it('says where it is, and opens it on request', async () => {
    const uri = Uri.file(join(workspace, 'mine.svg'));
    fake.answer = (question) => (typeof question === 'string' ? 'Open' : uri);
    await savePicture({ workspace, folder: join(workspace, 'thought-trees/why') }, '<svg/>');
    assert.equal(readFileSync(uri.fsPath, 'utf8'), '<svg/>');
    assert.deepEqual(fake.messages, ['Saved mine.svg.']);
    await new Promise((done) => setImmediate(done));
    assert.deepEqual(fake.executed, [['vscode.open', uri]]);
  });

  it('says nothing where a person changed their mind', async () => {
    await savePicture({ workspace, folder: join(workspace, 'thought-trees/why') }, '<svg/>');
    assert.deepEqual(fake.messages, []);
  });
});
