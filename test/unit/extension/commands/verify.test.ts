import '../use-fake-vscode.ts';
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Targets } from '../../../../src/extension/commands/targets.ts';
import type { SearchLibrary } from '../../../../src/extension/library/search-library.ts';
import type { SearchRunner } from '../../../../src/extension/library/search-runner.ts';
import { KINDS } from '../../../../src/kinds/kinds.ts';
import { ToolHost } from '../../../support/agent-tools/tool-host.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { drawInFront, fake } from '../fake-vscode.ts';

const { SearchCommands } = await import('../../../../src/extension/commands/search-commands.ts');
const { FollowedSearch } = await import('../../../../src/extension/library/followed-search.ts');

const NODE = 'r1-a-why-do-requests-time-out';

describe('Verify', () => {
  beforeEach(() => fake.reset());

  it('says in the editor, too, what of a search holds, and lists what does not', async () => {
    const root = temporaryFolder('verify-in-editor');
    writeFileSync(join(root, 'queue.md'), '# Queue\n\nA request waits in the queue.\n\nIt times out.\n');
    const tools = new ToolHost({ workspace: root });
    const start = { question: 'Why do requests time out?', kind: 'investigation', wait_seconds: 50 };
    const { data } = await tools.call('tree_start', start);
    await tools.close();
    const folder = join(root, 'thought-trees', data['search'] as string);
    const commands = new SearchCommands({} as SearchRunner, {} as Targets, {} as SearchLibrary, '/bin');
    const search = new FollowedSearch(folder, root);
    await search.refresh();
    await commands.verify(search, KINDS);
    assert.match(fake.messages[0] ?? '', /^"Why do requests time out\?": Receipts: [1-9]\d* hold, 0 do not hold/);

    const document = join(folder, NODE, 'document.md');
    writeFileSync(document, readFileSync(document, 'utf8').replace('\n---\n', '\n---\n\nNothing ever times out.\n'));
    fake.answer = () => 'Show Them';
    drawInFront();
    await commands.verify(search, KINDS);
    assert.match(fake.messages[1] ?? '', /Receipts: \d+ hold, 1 do not hold/);
    assert.match(
      String(fake.executed.at(-1)),
      new RegExp(`^${NODE} \\(.*does not hold\\. Its document was changed`, 'm'),
    );
    assert.equal((fake as { shownIn?: number }).shownIn, -2, 'never over a drawing');
  });
});
