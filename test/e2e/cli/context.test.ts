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

/** Quotes what its prompt shows; at the first attempt it makes something up. */
function answer(call: ServerCall): string {
  if (call.purpose !== 'document') return TREE.answer(call);
  const shown = call.messages.map(({ content }) => String(content)).join('\n');
  const quotation = /\[src\/patience\.ts:\d+-\d+\]\n\n```ts\n[\s\S]*?\n```/.exec(shown)?.[0] ?? '';
  const isSecond = call.prompt.startsWith('That answer cannot be used');
  const madeUp = '[src/patience.ts:1]\n\n```ts\nexport class Impatience {}\n```';
  return `---\ntitle: A\nsummary: It waits.\n---\n# A\n\nIt waits.\n\n${quotation}\n\n${isSecond ? '' : madeUp}\n`;
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

  it('quotes it in its prompts, checks what comes back, and sends back what is made up', async () => {
    const { code, stdout, stderr } = await start();
    assert.equal(code, 0, stderr);
    const documents = server.log.filter(({ purpose }) => purpose === 'document');
    assert.equal(documents.length, 4);
    for (const { messages } of documents) assert.match(JSON.stringify(messages), /src\/patience\.ts:\d+/);
    const search = join(workspace.folder, 'thought-trees', 'waiting');
    const finished = eventsOf(stdout).flatMap((event) =>
      event.type === 'node-status' && event.status === 'leaf' ? [event.node] : [],
    );
    assert.equal(finished.length, 2);
    for (const slug of finished) {
      const node = NodeFile.parse(JSON.parse(await readFile(join(search, slug, 'node.json'), 'utf8')));
      assert.deepEqual(node.citations, { verified: 1, moved: 0, stale: 0, not_found: 0 });
      const document = await readFile(join(search, slug, 'document.md'), 'utf8');
      assert.match(document, /\[src\/patience\.ts:(\d+)-(\d+)\]\(\.\.\/\.\.\/\.\.\/src\/patience\.ts#L\1-L\2\)/);
    }
    assert.match(
      await readFile(join(search, 'report.md'), 'utf8'),
      /Of 2 quotations of files, compared word for word, 2 are where the documents say/,
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
