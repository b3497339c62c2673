import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ChildrenFile } from '../../../src/core/search/search-file.ts';
import type { CliProcess } from '../../support/cli-process.ts';
import { changesBetween, diskState } from '../../support/e2e-disk.ts';
import { endsWith, nodesAsked, PROMPT, removeSearches, TestSearch } from '../../support/searches/e2e-search.ts';
import { scriptedTree } from '../../support/servers/server-tree.ts';

const { answer } = scriptedTree({ fanout: (_path, depth) => [3, 2][depth] ?? 0, documentWords: 40 });
const NODES = 3 + 6;

describe('bad input', () => {
  afterEach(removeSearches);

  it('names a folder that is missing, not a folder, or without a search', async () => {
    const search = await TestSearch.make({ answer });
    const { workspace } = search;
    writeFileSync(join(workspace, 'file.txt'), 'text\n');
    const cases: [args: string[], message: RegExp][] = [
      [['resume', 'none'], /There is no folder .*none/],
      [['status', 'none'], /There is no folder .*none/],
      [['list', 'none'], /There is no folder .*none/],
      [['start', PROMPT, '--folder', 'none'], /There is no folder .*none/],
      [['resume', 'file.txt'], /file\.txt is not a folder/],
      [['status', 'file.txt'], /file\.txt is not a folder/],
      [['start', PROMPT, '--folder', 'file.txt'], /file\.txt is not a folder/],
      [['resume', 'thought-trees'], /There is no search in .*thought-trees/],
      [['status', 'thought-trees'], /There is no search in .*thought-trees/],
    ];
    for (const [args, message] of cases) await refuses(search, search.command(...args), 2, message);
  });

  it('says where no search can be created', async () => {
    const search = await TestSearch.make({ answer });
    writeFileSync(join(search.workspace, 'file.txt'), 'text\n');
    for (const dir of ['file.txt', 'file.txt/below']) {
      const command = search.command('start', PROMPT, '--dir', join(search.workspace, dir));
      await refuses(search, command, 2, /file\.txt/);
    }
  });

  it('names file and line of a damaged search.json', async () => {
    const search = await finished();
    writeFileSync(join(search.folder, 'search.json'), '{\n  "version": 1,\n  "kind" "research"\n}\n');
    for (const command of [() => search.resume(), () => search.start(), () => search.command('status', search.folder)])
      await refuses(search, command(), 1, /search\.json, line 3: this is not valid JSON/);
  });

  it('says which field of search.json is wrong', async () => {
    const search = await finished();
    writeFileSync(
      join(search.folder, 'search.json'),
      '{"version": 1, "kind": "research", "title": "", "prompt": "?"}\n',
    );
    await refuses(search, search.resume(), 1, /search\.json: .*title/);
  });

  it('refuses files of a newer version', async () => {
    const search = await finished();
    const file = await search.readJson<object>('search.json');
    writeFileSync(join(search.folder, 'search.json'), JSON.stringify({ ...file, version: 2 }));
    for (const command of [() => search.resume(), () => search.start(), () => search.command('status', search.folder)])
      await refuses(search, command(), 1, /newer program \(version 2 .*Update this program/);
  });

  it('refuses a kind that it does not know, and prompts that make no sense', async () => {
    const search = await finished();
    const file = await search.readJson<object>('search.json');
    writeFileSync(join(search.folder, 'search.json'), JSON.stringify({ ...file, kind: 'dance' }));
    await refuses(search, search.resume(), 2, /does not support searches of kind "dance"/, true);
    writeFileSync(join(search.folder, 'search.json'), JSON.stringify(file));
    mkdirSync(join(search.folder, 'prompts'));
    writeFileSync(join(search.folder, 'prompts', 'document.md'), 'Write on {{titel}}.\n');
    await refuses(search, search.resume(), 2, /prompts\/document\.md: unknown placeholder \{\{titel\}\}/, true);
  });

  it('lists unreadable searches next to readable ones', async () => {
    const search = await finished();
    mkdirSync(join(search.workspace, 'thought-trees', 'broken'));
    writeFileSync(join(search.workspace, 'thought-trees', 'broken', 'search.json'), '{\n"version": 1,,\n}');
    const before = diskState(search.workspace);
    const { stdout, stderr } = await endsWith(0, search.command('list', search.workspace));
    assert.match(stdout, /why/);
    assert.match(stdout + stderr, /search\.json.*line 2|search\.json:2/);
    assert.deepEqual(diskState(search.workspace), before);
  });

  it('names file and line of a damaged node.json or children.json; the rest loads, and what was damaged is kept', async () => {
    const search = await finished();
    const slugs = (await search.readJson<ChildrenFile>('children.json')).map(({ slug }) => slug);
    const [node, list, intact] = [`${slugs[0]}/node.json`, `${slugs[1]}/children.json`, slugs[2]];
    const damaged = '{\n  "title": "x",\n  "status"\n}\n';
    for (const file of [node, list]) writeFileSync(join(search.folder, file), damaged);

    const before = diskState(search.workspace);
    const { stdout, stderr } = await endsWith(0, search.command('status', search.folder));
    for (const file of [node, list]) assert.match(stderr, new RegExp(`^${file}, line [34]: this is not valid`, 'm'));
    assert.match(stdout, /Topics/);
    const { nodes, problems } = await search.status();
    assert.deepEqual(problems.map(({ file }) => file).sort(), [node, list].sort());
    assert.equal(nodes.filter(({ path }) => path.startsWith(`${intact}`)).length, 3);
    assert.equal(nodes.length, NODES);
    assert.deepEqual(diskState(search.workspace), before);

    const asked = search.server.log.length;
    const again = await endsWith(0, search.resume());
    assert.match(again.stderr, new RegExp(`^${node}, line`, 'm'));
    const later = search.server.log.slice(asked);
    assert.deepEqual(nodesAsked(later, 'document'), [], 'every document exists');
    assert.equal(await documentsOf(search), NODES);
    for (const file of [node, list]) {
      const kept = [file, `${file}.damaged-1`].map((path) => textOf(search, path));
      assert.ok(kept.includes(damaged), `${file} is lost`);
    }
  });

  it('says what prevents its own folder', async () => {
    const search = await finished();
    rmSync(join(search.folder, '.search'), { recursive: true });
    writeFileSync(join(search.folder, '.search'), 'not a folder\n');
    await refuses(search, search.resume(), 1, /\.search/);
  });

  it('skips a damaged line of the journal, and says which', async () => {
    const search = await finished();
    const file = join(search.folder, '.search', 'journal.jsonl');
    const lines = readFileSync(file, 'utf8').split('\n');
    lines[4] = `${lines[4]?.slice(0, 20)}`;
    writeFileSync(file, lines.join('\n'));
    const { stderr } = await endsWith(0, search.command('status', search.folder));
    assert.match(stderr, /journal\.jsonl, line 5: this is not an event/);
    await endsWith(0, search.resume());
  });
});

async function finished(): Promise<TestSearch> {
  const search = await TestSearch.make({ answer });
  await endsWith(0, search.start('--size', 'all'));
  return search;
}

/**
 * A command must end with a code and one message for people, ask nothing, and leave every file as it was.
 * @param opened whether the search was opened before: then it has been held for a moment
 */
async function refuses(
  search: TestSearch,
  command: CliProcess,
  code: number,
  message: RegExp,
  opened = false,
): Promise<void> {
  const before = diskState(search.workspace);
  const { stdout, stderr } = await endsWith(code, command);
  assert.equal(stdout, '');
  assert.match(stderr, message);
  assert.match(stderr, /^thought-tree: .+\n$/, 'one line, no stack');
  assert.equal(search.requestsOf(command).length, 0);
  const changed = changesBetween(before, diskState(search.workspace));
  assert.deepEqual(
    changed.filter(
      (path) => !(opened && /\.search\/(lease-\d+\.json|journal(-seal)?\.jsonl?|objects\/texts\.jsonl)$/.test(path)),
    ),
    [],
  );
}

function textOf({ folder }: TestSearch, path: string): string | undefined {
  try {
    return readFileSync(join(folder, path), 'utf8');
  } catch {
    return undefined;
  }
}

async function documentsOf(search: TestSearch): Promise<number> {
  return Object.keys(await search.tree()).filter((path) => path.endsWith('/document.md')).length;
}
