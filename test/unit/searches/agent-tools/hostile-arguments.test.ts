import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { isThoughtTreeError } from '../../../../src/core/search/errors.ts';
import { agentTools } from '../../../../src/searches/agent-tools/agent-tools.ts';
import { TREE_TOOLS } from '../../../../src/searches/agent-tools/tool-descriptors.ts';
import { ToolHost } from '../../../support/agent-tools/tool-host.ts';
import { effort } from '../../../support/effort.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

/** What no answer may contain: control characters, and marks that turn the direction of text. */
const COMMANDS = /[[\p{Cc}--[\t\n]]\p{Bidi_Control}]/v;
const ODD = [
  '..',
  '../..',
  '/',
  '\\',
  '\0',
  '.search',
  '~',
  'a/b',
  '%2e%2e',
  '\u202e',
  '__proto__',
  'constructor',
  '',
  ' ',
];

describe('hostile arguments of the tools', () => {
  let outside: string;
  let tools: ToolHost;
  let search: string;
  let node: string;
  before(async () => {
    outside = temporaryFolder('hostile');
    const workspace = join(outside, 'work');
    await mkdir(workspace);
    await writeFile(join(outside, 'secret.md'), 'the secret\n');
    await writeFile(join(workspace, 'a.md'), '# Why\n\nThe queue \u202e is \u0007 slow.\n');
    tools = new ToolHost({ workspace, permit: () => ({}) });
    const begun = await tools.call('tree_start', {
      question: 'Why is the queue slow?',
      size: 'small',
      wait_seconds: 40,
    });
    search = begun.data['search'] as string;
    const outline = await tools.call('tree_read', { search, what: 'outline' });
    node = (outline.data['nodes'] as { node: string }[])[0]?.node ?? '';
  });
  after(() => tools.close());

  /** Calls a tool; whatever it is called with, it answers, or refuses in words of ours. */
  async function answered(name: (typeof TREE_TOOLS)[number]['name'], args: unknown): Promise<void> {
    try {
      const { text, data } = await agentTools.run(tools.host, name, args, { signal: new AbortController().signal });
      assert.doesNotMatch(text, COMMANDS);
      assert.doesNotMatch(text, /the secret/);
      assert.ok(text.length < 60_000 && JSON.stringify(data).length < 200_000);
    } catch (error) {
      assert.ok(isThoughtTreeError(error), String(error));
      assert.notEqual(error.reason, 'internal', error.message);
    }
  }

  it('are answered or refused, whatever JSON they are', async () => {
    const names = fc.constantFrom(...TREE_TOOLS.map(({ name }) => name).filter((name) => name !== 'tree_start'));
    const odd = fc.oneof(fc.constantFrom(...ODD), fc.string({ unit: 'binary', maxLength: 40 }));
    const args = fc.record(
      {
        search: fc.oneof({ weight: 3, arbitrary: fc.constant('SEARCH') }, { weight: 1, arbitrary: odd }),
        with: fc.oneof(fc.constantFrom('SEARCH', 'SEARCH@2'), odd),
        node: fc.oneof(fc.constant('NODE'), odd),
        what: fc.constantFrom('outline', 'node', 'report', 'words', 'else'),
        call: fc.oneof(fc.integer({ min: -1, max: 5 }), fc.double()),
        offset: fc.oneof(fc.nat(100_000), fc.double()),
        seconds: fc.constantFrom(0, 0.01, -1),
        action: fc.oneof(fc.constantFrom('note', 'prune', 'restore', 'grow', 'add', 'report', 'pause', 'finish'), odd),
        arguments: fc.oneof(
          fc.dictionary(odd, fc.jsonValue()),
          fc.record({ text: odd, title: odd, size: odd, guards: fc.jsonValue() }, { requiredKeys: [] }),
        ),
        max_usd: fc.double(),
      },
      { requiredKeys: ['search'] },
    );
    await fc.assert(
      fc.asyncProperty(
        names,
        fc.oneof({ weight: 5, arbitrary: args }, { weight: 1, arbitrary: fc.jsonValue() }),
        async (name, given) => {
          const text = JSON.stringify(given ?? null)
            .replaceAll('"SEARCH"', JSON.stringify(search))
            .replaceAll('"SEARCH@2"', JSON.stringify(`${search}@2`))
            .replaceAll('"NODE"', JSON.stringify(node));
          await answered(name, JSON.parse(text));
        },
      ),
      { numRuns: effort(150) },
    );
  });

  it('begin nothing outside of the folder, however a search is called', async () => {
    for (const title of [...ODD, 'x'.repeat(200), '../../escape', 'con', 'a\nb'])
      await answered('tree_start', { question: 'Why is the queue slow?', title, kind: 'research', size: 'small' });
    for (const kind of ODD) await answered('tree_start', { question: 'Why?', kind });
    await tools.runs.close();
    assert.deepEqual((await readdir(outside)).sort(), ['secret.md', 'work']);
    assert.deepEqual((await readdir(join(outside, 'work'))).sort(), ['a.md', 'thought-trees']);
  });

  it('name documents of searches alone', async () => {
    const paths = fc.oneof(
      fc.constantFrom(
        '../../../secret.md',
        '../../a.md',
        'search.json',
        '.search/journal.jsonl',
        '.search/id',
        `${node}/../../search.json`,
        '/etc/passwd',
        'report.md/',
      ),
      fc
        .array(fc.oneof(fc.constantFrom(...ODD), fc.string({ maxLength: 8 })), { maxLength: 5 })
        .map((parts) => parts.join('/')),
    );
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.constant(search), fc.constantFrom(...ODD)), paths, async (name, path) => {
        const read = agentTools.readDocument(tools.host, name, path);
        await assert.rejects(read, (error) => isThoughtTreeError(error, 'not-found'), `${name} ${path}`);
      }),
      { numRuns: effort(200) },
    );
    const text = await agentTools.readDocument(tools.host, search, `${node}/document.md`);
    const onDisk = await readFile(join(outside, 'work', 'thought-trees', search, node, 'document.md'), 'utf8');
    assert.equal(text.length, onDisk.length);
  });
});
