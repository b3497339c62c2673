import '../use-fake-vscode.ts';
import assert from 'node:assert/strict';
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { fakeMemento } from '../fake-memento.ts';
import { fake, Uri, window, workspace } from '../fake-vscode.ts';

const { findInDocuments, findInSearch } = await import('../../../../src/extension/workspace/workspace-help.ts');
const { ignoreLine } = await import('../../../../src/extension/workspace/workspace-help.ts');
const { workspaceHelp } = await import('../../../../src/extension/workspace/workspace-help.ts');

const folder = (name: string) => ({ name, uri: { ...Uri.file(`/home/me/${name}`), scheme: 'file' } });

describe('finding in documents', () => {
  beforeEach(() => fake.reset());
  afterEach(() => {
    workspace.workspaceFolders = [];
  });

  async function placesOf(...given: Parameters<typeof findInDocuments>): Promise<string> {
    await findInDocuments(...given);
    const [id, how] = fake.executed.at(-1) as [string, Record<string, unknown>];
    assert.equal(id, 'search.action.openNewEditor', 'the view of searches stays as it was');
    assert.equal(how['useExcludeSettingsAndIgnoreFiles'], false, 'they are excluded otherwise');
    assert.equal(how['filesToExclude'], '**/.search');
    return String(how['filesToInclude']);
  }

  it('opens a search editor on the documents of all searches, or of one', async () => {
    workspace.workspaceFolders = [folder('mocha')];
    assert.equal(await placesOf(), './thought-trees/**/*.md');
    const one = { folder: '/home/me/mocha/thought-trees/slow [1]', workspace: '/home/me/mocha' };
    assert.equal(await placesOf(one), './thought-trees/slow ?1?/**/*.md');
  });

  it('does not search all documents instead of those of a search that is gone', async () => {
    workspace.workspaceFolders = [folder('mocha')];
    await assert.rejects(findInSearch({ search: () => undefined }, '/home/me/mocha/thought-trees/slow'), {
      reason: 'not-found',
    });
    assert.deepEqual(fake.executed, []);
  });

  it('begins with what is selected in one line', async () => {
    workspace.workspaceFolders = [folder('mocha')];
    const queryWith = async (isSingleLine: boolean): Promise<unknown> => {
      window.activeTextEditor = { document: { getText: () => 'a sentence' }, selection: { isSingleLine } };
      await placesOf();
      const [, how] = fake.executed.at(-1) as [string, { query: string }];
      return how.query;
    };
    assert.equal(await queryWith(true), 'a sentence');
    assert.equal(await queryWith(false), '');
  });

  it('names the folder where there are several, and the one of the setting', async () => {
    workspace.workspaceFolders = [folder('mocha'), folder('express')];
    fake.settings['thoughtTree.folder'] = 'notes/trees';
    assert.equal(await placesOf(), './mocha/notes/trees/**/*.md, ./express/notes/trees/**/*.md');
  });
});

describe('the line that ignores a folder', () => {
  it('comes after what is there, with the same line ends', () => {
    assert.equal(ignoreLine('', 'thought-trees'), '/thought-trees/\n');
    assert.equal(ignoreLine('dist\n', 'thought-trees'), '/thought-trees/\n');
    assert.equal(ignoreLine('dist', 'thought-trees'), '\n/thought-trees/\n');
    assert.equal(ignoreLine('dist\r\nout', 'thought-trees'), '\r\n/thought-trees/\r\n');
  });

  it('is there once, and means only that folder', () => {
    for (const there of ['/thought-trees/', 'thought-trees', 'thought-trees/', '/thought-trees'])
      assert.equal(ignoreLine(`dist\n${there}\nout\n`, 'thought-trees'), '', there);
    assert.equal(ignoreLine('# thought-trees\n!thought-trees\n', 'thought-trees'), '/thought-trees/\n');
    assert.equal(ignoreLine('', 'a[1]/*'), '/a\\[1\\]/\\*/\n');
  });
});

describe('what is asked after a search', () => {
  let root: string;
  let context: Parameters<typeof workspaceHelp.afterSearch>[1];
  const file = () => join(root, '.gitignore');
  const asked = () => fake.messages.length;
  const ends = () => workspaceHelp.afterSearch({ workspace: root, folder: join(root, 'thought-trees/slow') }, context);

  beforeEach(() => {
    fake.reset();
    root = temporaryFolder('ignore');
    const states = { workspaceState: fakeMemento(), globalState: fakeMemento() };
    context = states as unknown as typeof context;
    showsInSourceControl('thought-trees/slow/search.json');
  });

  /** The editor's git extension, with what it shows as untracked. */
  function showsInSourceControl(...paths: string[]): void {
    const untrackedChanges = paths.map((path) => ({ uri: Uri.file(join(root, path)) }));
    const state = { indexChanges: [], workingTreeChanges: [], mergeChanges: [], untrackedChanges };
    const api = { getRepository: () => ({ status: async () => undefined, state }) };
    fake.extensions['vscode.git'] = { activate: async () => ({ getAPI: () => api }) };
  }

  it('adds one line to .gitignore if the person wants it, and asks once', async () => {
    writeFileSync(file(), Buffer.from('d\xedst\r\nout', 'latin1'));
    fake.answer = () => 'Add';
    await ends();
    assert.match(fake.messages[0] ?? '', /Add thought-trees to \.gitignore\?/);
    assert.equal(readFileSync(file(), 'latin1'), 'd\xedst\r\nout\r\n/thought-trees/\r\n');
    await ends();
    assert.equal(asked(), 1);
  });

  it('makes a .gitignore where there is none, and nothing without a yes', async () => {
    fake.answer = () => undefined;
    await ends();
    assert.ok(!existsSync(file()));
    await ends();
    assert.equal(asked(), 1);
    context = { ...context, workspaceState: fakeMemento() };
    fake.answer = () => 'Add';
    await ends();
    assert.equal(readFileSync(file(), 'utf8'), '/thought-trees/\n');
  });

  it('writes through no link: the .gitignore of a clone may lead anywhere, and git follows none either', async () => {
    const outside = join(temporaryFolder('elsewhere'), 'profile');
    writeFileSync(outside, 'export A=1\n');
    symlinkSync(outside, file());
    fake.answer = () => 'Add';
    await ends();
    assert.equal(readFileSync(outside, 'utf8'), 'export A=1\n');
    assert.equal(asked(), 0);
  });

  it('never asks again, anywhere, once told so', async () => {
    fake.answer = () => 'Never';
    await ends();
    context = { ...context, workspaceState: fakeMemento() };
    await ends();
    assert.equal(asked(), 1);
  });

  it('asks nothing where git ignores them, is not there, or the folder is not trusted', async () => {
    showsInSourceControl('src/a.ts', 'thought-trees-of-others/x');
    await ends();
    fake.extensions = {};
    await ends();
    showsInSourceControl('thought-trees/slow/search.json');
    workspace.isTrusted = false;
    await ends();
    assert.equal(asked(), 0);
  });

  it('asks about a folder of another name, which is in nobody’s defaults, and leaves it out where it was named', async () => {
    fake.workspaceSettings['thoughtTree.folder'] = 'notes';
    fake.workspaceSettings['search.exclude'] = { dist: true };
    fake.answer = () => 'Leave It Out';
    await ends();
    assert.deepEqual(fake.messages, ['Searches are kept in notes. Leave it out of search and quick open?']);
    assert.deepEqual(fake.updates, [
      ['search.exclude', { dist: true, '**/notes': true }],
      ['files.exclude', { '**/notes/*/.search': true }],
      ['files.watcherExclude', { '**/notes/*/.search/**': true }],
    ]);
    fake.workspaceSettings['search.exclude'] = { '**/notes/**': true };
    fake.messages.length = 0;
    context = { ...context, workspaceState: fakeMemento() };
    await ends();
    assert.deepEqual(fake.messages, [], 'a person left it out by themselves');
  });
});
