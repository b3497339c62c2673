import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { NodeFile } from '../../../src/core/tree/node-file.ts';
import { type ScriptedServer, startScriptedServer } from '../../support/servers/scripted-server.ts';
import type { ServerCall } from '../../support/servers/server-call.ts';
import { scriptedTree } from '../../support/servers/server-tree.ts';
import { eventsOf, makeWorkspace, runCli } from './run-cli.ts';

const TREE = scriptedTree({ fanout: (_path, depth) => (depth === 0 ? 2 : 0) });
const QUESTION = 'How does the patience of a search keep calls back while it waits?';

/** Quotes what its prompt shows, a line off, names its first line in a sentence, and makes something up. */
function answer(call: ServerCall): string {
  if (call.purpose !== 'document') return TREE.answer(call);
  const shown = call.messages.map(({ content }) => String(content)).join('\n');
  const [, from = '', to = '', fence = ''] =
    /\[src\/patience\.ts:(\d+)-(\d+)\]\n\n(```ts\n[\s\S]*?\n```)/.exec(shown) ?? [];
  const quotation = `[src/patience.ts:${Number(from) + 1}-${Number(to) + 1}]\n\n${fence}`;
  const madeUp = '[src/patience.ts:1]\n\n```ts\nexport class Impatience {}\n```';
  return `---\ntitle: A\nsummary: It waits.\n---\n# A\n\nIt waits (src/patience.ts:1).\n\n${quotation}\n\n${madeUp}\n`;
}

describe('a search whose model is shown the workspace', () => {
  let workspace: Awaited<ReturnType<typeof makeWorkspace>>;
  let server: ScriptedServer;
  beforeEach(async () => {
    workspace = await makeWorkspace();
    server = await startScriptedServer({ answer });
  });
  afterEach(async () => {
    await server.close();
    await workspace.remove();
  });

  const start = (...more: string[]) => {
    const model = ['--model', 'openai-compatible/tiny', '--base-url', server.baseUrl, '--json', '--max-depth', '1'];
    return runCli(['start', QUESTION, '--title', 'Waiting', ...model, ...more], { cwd: workspace.folder });
  };

  it('quotes it in its prompts, puts right what comes back, and marks what is made up', async () => {
    const { code, stdout, stderr } = await start();
    assert.equal(code, 0, stderr);
    const documents = server.log.filter(({ purpose }) => purpose === 'document');
    assert.equal(documents.length, 2, 'and asks for none again');
    for (const { messages } of documents) assert.match(JSON.stringify(messages), /src\/patience\.ts:\d+/);
    const search = join(workspace.folder, 'thought-trees', 'waiting');
    const finished = eventsOf(stdout).flatMap((event) =>
      event.type === 'node-status' && event.status === 'leaf' ? [event.node] : [],
    );
    assert.equal(finished.length, 2);
    for (const slug of finished) {
      const node = NodeFile.parse(JSON.parse(await readFile(join(search, slug, 'node.json'), 'utf8')));
      assert.deepEqual(node.citations, { verified: 2, moved: 0, stale: 0, not_found: 1 });
      const document = await readFile(join(search, slug, 'document.md'), 'utf8');
      assert.match(document, /\[src\/patience\.ts:(\d+)-(\d+)\]\(\.\.\/\.\.\/\.\.\/src\/patience\.ts#L\1-L\2\)/);
      assert.match(document, /It waits \(\[src\/patience\.ts:1\]\(\.\.\/\.\.\/\.\.\/src\/patience\.ts#L1\)\)\./);
      assert.match(document, /^`src\/patience\.ts:1` \(not found there\)$/m);
    }
    assert.match(
      await readFile(join(search, 'report.md'), 'utf8'),
      /Of 6 citations of files, checked against them, 4 are where the documents say; 2 not found there/,
    );
  });

  it('shows it nothing with --no-context, now and after a resume', async () => {
    const { code, stderr } = await start('--no-context', '--max-calls', '4');
    assert.ok(code !== null, stderr);
    const search = join('thought-trees', 'waiting');
    await runCli(
      ['resume', search, '--max-calls', '1000', '--model', 'openai-compatible/tiny', '--base-url', server.baseUrl],
      { cwd: workspace.folder },
    );
    const documents = server.log.filter(({ purpose }) => purpose === 'document');
    assert.ok(documents.length > 1);
    for (const { messages } of documents) assert.doesNotMatch(String(messages[1]?.content), /Cite files|```/);
  });
});
