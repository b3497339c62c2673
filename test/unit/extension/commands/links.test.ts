import '../use-fake-vscode.ts';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { commandContributions } from '../../../../scripts/contributions.ts';
import type { NodeTarget } from '../../../../src/extension/commands/command-table.ts';
import type { FollowedSearch } from '../../../../src/extension/library/followed-search.ts';
import { KINDS } from '../../../../src/kinds/kinds.ts';
import { editorLink } from '../../../../src/searches/place.ts';
import { env, fake, Uri } from '../fake-vscode.ts';
import { sampleLibrary, sampleSearch } from '../sidebar/sample.ts';

const { rowCommands } = await import('../../../../src/extension/commands/row-commands.ts');

const nodes = new Set(['cache', 'cache/keys', '日本/ключ']);
const search = (workspace: string, name: string, more: object = {}): FollowedSearch =>
  sampleSearch({
    workspace,
    folder: `${workspace}/thought-trees/${name}`,
    statusAt: (path) => (nodes.has(path) ? 'expanded' : undefined),
    ...more,
  });
const slow = search('/w', 'slow');

function linkOf(of: Pick<FollowedSearch, 'folder' | 'workspace'>, path: string): string {
  return editorLink(of, path) ?? assert.fail();
}

/** What an editor hands on of a link: it decodes it once. */
function handedOn(link: string): { scheme: string; authority: string; path: string; query: string } {
  const [, scheme = '', authority = '', path = '', query = ''] = /^(.*?):\/\/(.*?)(\/.*?)\?(.*)$/.exec(link) ?? [];
  return { scheme, authority, path, query: decodeURIComponent(query) };
}

/** Follows a link, and returns what it opened and said. */
async function followed(link: string, ...searches: FollowedSearch[]) {
  const opened: NodeTarget[] = [];
  const { library } = sampleLibrary(...searches);
  const open = async (target: NodeTarget): Promise<void> => void opened.push(target);
  const failed = await rowCommands.openLink({ library, open }, handedOn(link)).then(
    () => undefined,
    (error: { reason: string; message: string }) => `${error.reason}: ${error.message}`,
  );
  return { opened, failed };
}

describe('a link to a search', () => {
  beforeEach(() => fake.reset());

  it('is copied from a row, and opens its node in the window that has it', async () => {
    await rowCommands.copyLink(sampleLibrary(slow).library, { folder: slow.folder, path: 'cache/keys' });
    assert.equal(fake.clipboard, 'vscode://thought-tree.thought-tree/open?search=thought-trees/slow&node=cache/keys');
    const { opened, failed } = await followed(fake.clipboard, search('/w', 'fast'), slow);
    assert.deepEqual([opened, failed], [[{ folder: slow.folder, path: 'cache/keys' }], undefined]);
    await rowCommands.copyLink(sampleLibrary(slow).library, { folder: slow.folder, path: '' });
    assert.deepEqual((await followed(fake.clipboard, slow)).opened, [{ folder: slow.folder, path: '' }]);
  });

  it('names this extension, and the editor that it was copied in', async () => {
    const { publisher, name, activationEvents } = JSON.parse(
      readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8'),
    );
    assert.equal(handedOn(linkOf(slow, '')).authority, `${publisher}.${name}`);
    assert.ok(activationEvents.includes('onUri'));
    env.uriScheme = 'vscode-insiders';
    await rowCommands.copyLink(sampleLibrary(slow).library, { folder: slow.folder, path: '' });
    env.uriScheme = 'vscode';
    assert.equal(handedOn(fake.clipboard).scheme, 'vscode-insiders');
  });

  it('leads back to any name of a folder', async () => {
    for (const name of ['日本', 'a & b', '100% + 1', "it's (new)", 'a=b#c?d', '%2F..%2F'])
      assert.deepEqual((await followed(linkOf(search('/w', name), '日本/ключ'), search('/w', name))).opened, [
        { folder: `/w/thought-trees/${name}`, path: '日本/ключ' },
      ]);
  });

  it('is copied from the page of a report, or of a document, by the menus of its title', async () => {
    const { library } = sampleLibrary(slow);
    Object.assign(library, {
      nodeOf: (file: string) => (file === `${slow.folder}/report.md` ? { search: slow, path: '' } : undefined),
    });
    await rowCommands.copyLink(library, Uri.file(`${slow.folder}/report.md`));
    assert.equal(fake.clipboard, linkOf(slow, ''));
    fake.clipboard = '';
    await rowCommands.copyLink(library, Uri.file('/w/report.md'));
    assert.deepEqual([fake.clipboard, fake.messages.at(-1)], ['', 'This file belongs to no search.']);
    const { menus } = commandContributions(KINDS.map(({ descriptor }) => descriptor));
    for (const menu of ['editor/title', 'editor/title/context']) {
      const entries = menus[menu] as { command: string; when: string }[];
      assert.match(entries.find(({ command }) => command === 'thoughtTree.copyLink')?.when ?? '', /report/, menu);
    }
  });

  it('is made for a folder in the workspace whose name begins with two dots, and for none outside', () => {
    const at = (folder: string): string | undefined => editorLink({ workspace: '/w', folder }, '');
    assert.match(at('/w/..drafts/why') ?? '', /search=\.\.drafts\/why$/);
    assert.deepEqual(['/why', '/', '/w'].map(at), [undefined, undefined, undefined]);
  });

  it('leads to the search in a window that was opened further up, if none is where it says', async () => {
    const deep = search('/w/packages/app', 'slow', { workspace: '/w' });
    assert.deepEqual((await followed(linkOf(slow, 'cache'), deep)).opened, [{ folder: deep.folder, path: 'cache' }]);
    assert.deepEqual((await followed(linkOf(slow, ''), deep, slow)).opened, [{ folder: slow.folder, path: '' }]);
    const other = search('/w', 'very-slow');
    assert.deepEqual((await followed(linkOf({ ...slow, folder: '/w/slow' }, ''), other)).opened, []);
  });

  it('asks which one is meant where several folders have it', async () => {
    const other = search('/x', 'slow', { title: 'Other' });
    fake.answer = (items) => (items as { label: string }[]).find(({ label }) => label === 'Other');
    assert.deepEqual((await followed(linkOf(slow, 'cache'), slow, other)).opened, [
      { folder: other.folder, path: 'cache' },
    ]);
  });

  it('says what is not here', async () => {
    const gone = await followed(linkOf(slow, 'cache'), search('/w', 'fast'));
    assert.deepEqual(gone.opened, []);
    assert.match(gone.failed ?? '', /^not-found: .*thought-trees\/slow, is in none of the folders/);
    const { opened } = await followed(linkOf(slow, 'cache/gone'), slow);
    assert.deepEqual(opened, [{ folder: slow.folder, path: '' }]);
    assert.deepEqual(fake.messages, ['"Slow build" no longer has cache/gone; all of it is shown.']);
  });

  it('opens nothing outside of the folders, whatever it says', async () => {
    const at = 'vscode://thought-tree.thought-tree/open?';
    const outside = search('/etc', 'x', { folder: '/etc/passwd' });
    const hostile = [
      'search=../../etc/passwd',
      'search=/etc/passwd',
      'search=C:\\x',
      'search=thought-trees/slow/../slow',
      'search=thought-trees/slow&node=../../x',
      'search=thought-trees/slow&node=/cache',
      'search=thought-trees/slow&node=cache/node.json',
      `search=${'a/'.repeat(1000)}b`,
      'node=cache',
      'search=',
      '',
    ];
    for (const query of hostile) {
      const { opened, failed } = await followed(`${at}${query}`, slow, outside);
      assert.deepEqual(opened, [], query);
      assert.match(failed ?? '', /^bad-input: /, query);
    }
    const other = await followed('vscode://thought-tree.thought-tree/start?search=thought-trees/slow', slow);
    assert.match(other.failed ?? '', /^bad-input: /);
    await fc.assert(
      fc.asyncProperty(fc.string(), fc.string(), async (place, node) => {
        const query = new URLSearchParams({ search: place, node });
        const { opened } = await followed(`${at}${query}`, slow, outside);
        for (const { folder } of opened) assert.equal(folder, slow.folder);
      }),
    );
    assert.deepEqual(fake.executed, []);
  });
});
