import { deepEqual, equal, ok } from 'node:assert/strict';
import { openHeldSearch } from '../../../src/engine-parts/opening/open-held-search.ts';
import { KINDS } from '../../../src/kinds/kinds.ts';
import { openModel } from '../../../src/models/open-model.ts';
import { systemClock } from '../../../src/store/system-ports.ts';
import { createMemoryStore, MemoryFiles } from '../../support/memory-store.ts';
import { snapshotOf } from '../../support/searches/search-snapshot.ts';
import { QUESTION } from '../../support/searches/simulated-search.ts';
import { type ProtocolServer, type Seen, startProtocolServer } from '../../support/servers/protocol-server.ts';
import { chatCompletions } from '../../support/servers/protocols/chat-completions.ts';
import { gemini } from '../../support/servers/protocols/gemini.ts';
import { marksIn, messages } from '../../support/servers/protocols/messages.ts';
import { ollama } from '../../support/servers/protocols/ollama.ts';
import type { Protocol } from '../../support/servers/protocols/protocol.ts';
import { responses } from '../../support/servers/protocols/responses.ts';
import { scriptedTree } from '../../support/servers/server-tree.ts';
import { seededRandom } from '../../support/virtual-clock.ts';

const TREE = scriptedTree({ fanout: (_path, depth) => [3, 2][depth] ?? 0 });
/** First level and second, each with a document and a list of its own. */
const NODES = 3 + 6;

const nodeOf = ({ headers }: Seen) => decodeURIComponent(String(headers['x-thought-tree-node']));
const purposeOf = ({ headers }: Seen) => String(headers['x-thought-tree-call']);

/** A whole search with a provider: its files, and what the server saw. */
async function searchWith(provider: string, protocol: Protocol): Promise<[Record<string, string>, ProtocolServer]> {
  const server = await startProtocolServer(protocol, (said) => {
    const seen = said as Seen;
    const prompt = said.turns.at(-1)?.text ?? '';
    const call = { n: 0, purpose: purposeOf(seen), node: nodeOf(seen), attempt: 1, model: said.model, messages: [] };
    return { does: 'answer', pieces: [TREE.answer({ ...call, prompt, maxTokens: undefined })] };
  });
  try {
    const model = await openModel(`${provider}/tiny`, { workspace: '.', baseUrl: server.baseUrl });
    const files = new MemoryFiles();
    const parts = { model, clock: systemClock, random: seededRandom(1), folder: 'thought-trees/build' };
    const search = await openHeldSearch({
      kinds: KINDS,
      ...parts,
      store: createMemoryStore(QUESTION, files),
      limits: { size: 'all' },
    });
    const { state, results } = await search.run();
    equal(state, 'finished');
    equal(results.expanded + results.leaves, NODES);
    return [await snapshotOf(files), server];
  } finally {
    await server.close();
  }
}

/** Whether each node's document was asked for with its parent's conversation before it, byte for byte. */
function checkForks(seen: readonly Seen[]): void {
  const lists = new Map(seen.filter((one) => purposeOf(one) === 'children').map((one) => [nodeOf(one), one]));
  const children = seen.filter((one) => purposeOf(one) === 'document' && nodeOf(one).includes('/'));
  equal(children.length, 6);
  for (const child of children) {
    const parent = lists.get(nodeOf(child).split('/').slice(0, -1).join('/'));
    ok(parent && child.bytes.startsWith(parent.bytes.slice(0, -1)), nodeOf(child));
    equal(child.system, parent.system);
  }
}

describe('a whole search', () => {
  let expected: Record<string, string> | undefined;
  for (const [provider, protocol] of [
    ['openai-compatible', chatCompletions],
    ['openai', responses],
    ['anthropic', messages],
    ['google', gemini],
    ['ollama', ollama],
  ] as const)
    it(`comes to the same tree with ${provider}, each child's request beginning with its parent's`, async () => {
      const [files, server] = await searchWith(provider, protocol);
      const others = Object.fromEntries(
        Object.entries(files).map(([path, text]) => [path, text.replaceAll(`${provider}/tiny`, 'the model')]),
      );
      expected ??= others;
      deepEqual(others, expected);
      checkForks(server.seen);
    });

  it("has its marks for Anthropic's cache at the fork point", async () => {
    const [, { seen }] = await searchWith('anthropic', messages);
    for (const one of seen) {
      const marks = marksIn(one);
      ok(marks.length <= 4, `${marks}`);
      const forked = nodeOf(one).includes('/') && purposeOf(one) === 'document';
      // The parent's two questions and answers, then the child's own question.
      if (forked) deepEqual(marks.slice(-2), [one.turns.length - 2, one.turns.length - 1]);
    }
  });
});
