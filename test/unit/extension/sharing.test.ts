import './use-fake-vscode.ts';
import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Uri } from 'vscode';
import type { FollowedSearch } from '../../../src/extension/library/followed-search.ts';
import { KINDS } from '../../../src/kinds/kinds.ts';
import { createSearch } from '../../../src/store/open-store.ts';
import { SAMPLE, type SharedSample, sharedSample } from '../../support/searches/shared-sample.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { stateFile } from '../../support/work-graph/state-files.ts';
import { drawInFront, Uri as FakeUri, fake, workspace } from './fake-vscode.ts';

const { Sharing } = await import('../../../src/extension/sharing/sharing-actions.ts');
const { FollowedSearch: Followed } = await import('../../../src/extension/library/followed-search.ts');

type Sharing = InstanceType<typeof Sharing>;

/** What the page of a drawing was given, and gives back. */
const PNG = Buffer.from('png');

async function followed({
  folder,
  workspace: root,
}: Pick<SharedSample, 'folder' | 'workspace'>): Promise<FollowedSearch> {
  const search = new Followed(folder, root);
  await search.refresh();
  return search;
}

interface Opened {
  readonly sharing: Sharing;
  readonly painted: string[];
  readonly revealed: string[];
}

/** Sharing in a window with some searches. */
function opened(...searches: FollowedSearch[]): Opened {
  const painted: string[] = [];
  const revealed: string[] = [];
  const library = {
    searches,
    search: (folder: string) => searches.find((each) => each.folder === folder),
    scan: async () => undefined,
    read: Promise.resolve(),
  };
  const sharing = new Sharing({
    kinds: KINDS,
    library,
    reveal: async (folder) => void revealed.push(folder),
    paint: async (_folder, svg) => {
      painted.push(svg);
      return PNG;
    },
  });
  return { sharing, painted, revealed };
}

async function act({ sharing }: Opened, name: string, search: FollowedSearch, path = ''): Promise<void> {
  await sharing.actions[name]?.(search, path);
}

describe('sharing a search in the editor', () => {
  let sample: SharedSample;
  let search: FollowedSearch;
  let window_: Opened;
  beforeEach(async () => {
    fake.reset();
    sample = await sharedSample();
    search = await followed(sample);
    window_ = opened(search);
  });

  it('copies a search as Markdown, and says which', async () => {
    await act(window_, 'copyMarkdown', search);
    assert.match(fake.clipboard, /^# Why is the build slow\?\n[\s\S]*thought-trees\/build\/cache\/document\.md/);
    assert.deepEqual(fake.messages, ['"Why is the build slow?": Copied as Markdown.']);
  });

  it('copies one branch', async () => {
    await act(window_, 'copyMarkdown', search, 'cache');
    assert.match(fake.clipboard, /^# The cache is never hit\n/);
    assert.doesNotMatch(fake.clipboard, /The disk is slow/);
  });

  for (const [action, ending, begins, opens] of [
    ['saveHtml', 'html', /^<!DOCTYPE html>/, 'external'],
    ['saveSvg', 'svg', /^<svg [\s\S]*The disk is slow/, 'vscode.open'],
    ['savePng', 'png', /^png$/, 'vscode.open'],
  ] as const)
    it(`saves ${ending.toUpperCase()} at once under a free name, says so, and opens it or moves it`, async () => {
      fake.answer = () => 'Open';
      await act(window_, action, search);
      assert.match(await readFile(join(sample.workspace, `build.${ending}`), 'utf8'), begins);
      assert.deepEqual(fake.messages, [`"Why is the build slow?" is saved as build.${ending}.`]);
      assert.equal(fake.executed.at(-1)?.[0], opens);
      const target = join(sample.workspace, `out.${ending}`);
      Object.assign(workspace.fs, {
        rename: async (from: { fsPath: string }, to: { fsPath: string }) => await rename(from.fsPath, to.fsPath),
      });
      fake.answer = (asked) => {
        if (typeof asked === 'string') return 'Move To…';
        const { fsPath } = (asked as { defaultUri: { fsPath: string } }).defaultUri;
        assert.equal(fsPath, join(sample.workspace, `build-2.${ending}`));
        return FakeUri.file(target);
      };
      await act(window_, action, search);
      assert.match(await readFile(target, 'utf8'), begins);
      await assert.rejects(readFile(join(sample.workspace, `build-2.${ending}`)));
    });

  it('writes nothing where it fails', async () => {
    const gone = await followed({ folder: join(sample.workspace, 'gone'), workspace: sample.workspace });
    await assert.rejects(act(window_, 'saveHtml', gone));
    await assert.rejects(readFile(join(sample.workspace, 'gone.html')));
  });

  it('asks for the format of an export where its kind has several, and writes it where the person says', async () => {
    const folder = join(sample.workspace, 'thought-trees', 'one');
    const options = { profile: 'g2', sessionId: 's1' };
    await createSearch(folder, { version: 1, kind: 'investigation', title: 'Why?', prompt: 'Why?', options });
    const target = join(sample.workspace, 'out.dot');
    fake.answer = (asked) => {
      if (Array.isArray(asked)) return asked.find((each) => each === 'dot');
      const { fsPath } = (asked as { defaultUri: { fsPath: string } }).defaultUri;
      assert.equal(fsPath, join(sample.workspace, 's1.tot-graph.dot'));
      return FakeUri.file(target);
    };
    await act(window_, 'exportSearch', await followed({ folder, workspace: sample.workspace }));
    assert.deepEqual(fake.picks[0], ['tree-of-thoughts', 'dot', 'references', 'json', 'mermaid']);
    assert.match(await readFile(target, 'utf8'), /^digraph Investigation/);
  });

  it('writes nothing where the person stops', async () => {
    const before = readdirSync(sample.workspace);
    await act(window_, 'exportSearch', search);
    assert.deepEqual(fake.picks, [['json', 'dot', 'mermaid']]);
    assert.deepEqual(readdirSync(sample.workspace), before);
  });
});

describe('importing a search in the editor', () => {
  let root: string;
  beforeEach(() => {
    fake.reset();
    root = temporaryFolder('into');
    workspace.workspaceFolders = [{ uri: FakeUri.file(root), name: 'into', index: 0 }];
    fake.settings['thoughtTree.folder'] = 'notes/trees';
  });
  afterEach(() => {
    workspace.workspaceFolders = [];
  });

  async function imported(file: string): Promise<Opened> {
    const window_ = opened();
    fake.answer = (asked) => (typeof asked === 'object' ? [FakeUri.file(file)] : undefined);
    await window_.sharing.import();
    return window_;
  }

  it('makes it from what was exported, in the folder of the setting, and shows it', async () => {
    const sample = await sharedSample();
    const file = join(sample.workspace, 'build.json');
    fake.answer = (asked) => (Array.isArray(asked) ? 'json' : FakeUri.file(file));
    const search = await followed(sample);
    await act(opened(search), 'exportSearch', search);
    const first = await imported(file);
    assert.deepEqual(first.revealed, [join(root, 'notes/trees/why-is-the-build-slow')]);
    assert.equal(fake.messages.at(-1), '"why-is-the-build-slow" is imported, with 5 nodes.');
    const again = await imported(file);
    assert.deepEqual(again.revealed, [join(root, 'notes/trees/why-is-the-build-slow-2')], 'a name that is free');
  });

  it('warns in words of the file, and never with a link of it, which could be a command', async () => {
    const file = join(temporaryFolder('linked'), 'state.md');
    const link = '[this](command:thoughtTree.start)';
    writeFileSync(file, stateFile('good', 'template.md').replace("grep -rn 'sk_live' src", `npm test ${link}`));
    await imported(file);
    const said = fake.messages.filter((each) => each.includes('command:thoughtTree.start'));
    assert.ok(said.length > 0);
    assert.deepEqual(
      said.filter((each) => each.includes('](')),
      [],
    );
  });

  it('refuses a hostile file with its reason, and leaves nothing behind', async () => {
    const file = join(temporaryFolder('evil'), 'evil.json');
    const search = { version: 1, kind: 'research', title: 'x', prompt: 'x' };
    writeFileSync(file, JSON.stringify({ search, nodes: [{ path: '../../evil', title: 'x' }] }));
    await assert.rejects(imported(file), /the path "\.\.\/\.\.\/evil", which cannot be a folder/);
    writeFileSync(file, '{"search": ');
    await assert.rejects(imported(file), /evil\.json/);
    assert.deepEqual(
      readdirSync(root).flatMap((name) => readdirSync(join(root, name, 'trees'))),
      [],
    );
  });
});

describe('comparing two searches in the editor', () => {
  let searches: FollowedSearch[];
  let window_: Opened;
  beforeEach(async () => {
    fake.reset();
    const other = { search: { title: 'How fast is it?', prompt: 'How fast is it?', kind: 'thoughts' } };
    const same = { search: { title: 'Why so slow?', prompt: 'Why is the build slow?\nIt takes an hour.' } };
    searches = await Promise.all(
      [sharedSample(), sharedSample(SAMPLE, other), sharedSample(SAMPLE, same)].map(async (each) =>
        followed(await each),
      ),
    );
    window_ = opened(...searches);
  });

  async function compare(): Promise<Uri> {
    fake.answer = (asked) => (Array.isArray(asked) ? asked[0] : undefined);
    await act(window_, 'compareWith', searches[0] as FollowedSearch);
    const [command, uri, how] = fake.executed.at(-1) ?? [];
    assert.deepEqual([command, how], ['vscode.openWith', 'vscode.markdown.preview.editor']);
    return uri as Uri;
  }

  it('opens beside a drawing, as do its differences', async () => {
    drawInFront();
    const uri = await compare();
    assert.equal(fake.executed.at(-1)?.[3], -2);
    await window_.sharing.showDifferences(uri as never);
    assert.deepEqual(fake.executed.at(-1)?.at(-1), { preview: true, viewColumn: -2 });
  });

  it('offers the one of the same question first, and shows the document rendered', async () => {
    const uri = await compare();
    assert.deepEqual(
      fake.picks[0]?.map(({ label }) => label),
      ['Why so slow?', 'How fast is it?'],
    );
    assert.equal(uri.path, '/Why is the build slow compared with Why so slow.md');
    const text = await window_.sharing.provideTextDocumentContent(uri);
    assert.match(text, /^# Why is the build slow\?, compared with Why so slow\?\n/);
  });

  it('shows the same two line by line', async () => {
    await window_.sharing.showDifferences(await compare());
    const [command, a, b, title] = fake.executed.at(-1) as [string, Uri, Uri, string];
    assert.deepEqual([command, title], ['vscode.diff', 'Why is the build slow? compared with Why so slow?']);
    assert.match(await window_.sharing.provideTextDocumentContent(a), /^# Why is the build slow\?\n/);
    assert.match(await window_.sharing.provideTextDocumentContent(b), /^# Why so slow\?\n/);
  });

  it('compares a node with another one, and a search with what it was before somebody did something', async () => {
    const journal = [
      { type: 'search-started', model: 'workspace/quotes' },
      { type: 'node-status', node: 'disk', status: 'pruned', was: 'unexpanded', by: 'vscode' },
    ];
    const steered = await followed(await sharedSample(SAMPLE, { journal }));
    const own = opened(steered);
    fake.answer = (asked) => (Array.isArray(asked) ? asked.at(-1) : undefined);
    await act(own, 'compareWith', steered);
    assert.match(String(fake.picks[0]?.at(-1)?.label), /^Before: “.*” was pruned\.$/);
    const [, then] = fake.executed.at(-1) as [string, Uri];
    assert.match(String(then.path), /^\/Why is the build slow @1 compared with Why is the build slow\.md$/);
    fake.answer = (asked) => (Array.isArray(asked) ? asked[0] : undefined);
    await act(own, 'compareWith', steered, 'cache');
    const [, nodes] = fake.executed.at(-1) as [string, Uri];
    const text = await own.sharing.provideTextDocumentContent(nodes);
    assert.match(text, /^# The cache is never hit, compared with The tests run one after the other\n/);
  });

  it('reads no folder that is no search of this window, whatever address is opened', async () => {
    const uri = await compare();
    for (const query of [
      uri.query.replaceAll('thought-trees', 'elsewhere'),
      '{"sides":[{"folder":"/etc","path":""},{"folder":"/etc","path":""}],"part":"both"}',
      '[]',
      'x',
      '',
    ]) {
      const text = await window_.sharing.provideTextDocumentContent({ ...uri, query } as Uri);
      assert.equal(text, 'One of the two searches is no longer there.');
    }
  });

  it('says so where there is nothing to compare with', async () => {
    const [only] = searches as [FollowedSearch];
    await act(opened(only), 'compareWith', only);
    assert.deepEqual(fake.messages, ['There is no other search to compare with yet.']);
  });
});
