import '../use-fake-vscode.ts';
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Targets } from '../../../../src/extension/commands/targets.ts';
import type { SearchLibrary } from '../../../../src/extension/library/search-library.ts';
import type { SearchRunner } from '../../../../src/extension/library/search-runner.ts';
import { KINDS } from '../../../../src/kinds/kinds.ts';
import { createSearch } from '../../../../src/store/open-store.ts';
import { fake } from '../fake-vscode.ts';

const { SearchCommands } = await import('../../../../src/extension/commands/search-commands.ts');
const { FollowedSearch } = await import('../../../../src/extension/library/followed-search.ts');

describe('exporting a search in the editor', () => {
  let workspace: string;
  beforeEach(async () => {
    workspace = await mkdtemp(join(tmpdir(), 'thought-tree-export-'));
    fake.picks.length = 0;
  });
  afterEach(() => rm(workspace, { recursive: true, force: true }));

  async function exported(
    kind: string,
    options: Record<string, unknown>,
    answer: (asked: unknown) => unknown,
  ): Promise<void> {
    const folder = join(workspace, 'thought-trees', 'one');
    await createSearch(folder, { version: 1, kind, title: 'Why?', prompt: 'Why?', options });
    const search = new FollowedSearch(folder, workspace);
    await search.refresh();
    fake.answer = answer;
    await new SearchCommands({} as SearchRunner, {} as Targets, {} as SearchLibrary).export(search, KINDS);
  }

  it('asks for the format where its kind has several, and writes it where the person says', async () => {
    const target = join(workspace, 'out.dot');
    await exported('investigation', { profile: 'g2', sessionId: 's1' }, (asked) => {
      if (Array.isArray(asked)) return asked.find((each) => each === 'dot');
      const { fsPath } = (asked as { defaultUri: { fsPath: string } }).defaultUri;
      assert.equal(fsPath, join(workspace, 's1.tot-graph.dot'));
      return { fsPath: target };
    });
    assert.deepEqual(fake.picks[0], ['tree-of-thoughts', 'dot', 'references', 'json']);
    assert.match(await readFile(target, 'utf8'), /^digraph Investigation/);
  });

  it('asks for no format where there is one, and writes nothing where the person stops', async () => {
    const target = join(workspace, 'one.json');
    await exported('research', {}, () => undefined);
    assert.deepEqual(fake.picks, []);
    await assert.rejects(readFile(target));
  });
});
