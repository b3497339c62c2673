import assert from 'node:assert/strict';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { SOURCE_FORM } from '../../support/searches/e2e-search.ts';
import type { LoggedRequest } from '../../support/servers/scripted-server.ts';
import { scriptedTree } from '../../support/servers/server-tree.ts';
import { DIR, FIRST, SteeredSearch } from './steering/steered-search.ts';

interface Shown {
  readonly title: string;
  readonly path: string;
  readonly status: string;
  readonly sessionId: string;
  readonly steered: { by: string; action: string }[];
  readonly calls: {
    number: number;
    purpose: string;
    attempt: number;
    outcome: string;
    usage?: { prompt: number; cached: number; completion: number };
  }[];
  readonly totals: { calls: number; prompt: number; completion: number; worstCase: number };
  readonly call?: {
    system: string;
    turns: { role: string; text: string }[];
    prompt: string;
    answer?: string;
    noAnswer?: string;
    unknown?: string;
  };
}

const [A = '', B = '', C = ''] = FIRST;
const tree = scriptedTree({ fanout: (_path, depth) => [4, 3, 2][depth] ?? 0, documentWords: 20 });

describe('thought-tree show', () => {
  let search: SteeredSearch;
  before(async () => {
    search = await SteeredSearch.make({
      answer: (call) =>
        call.node === B && call.purpose === 'children' && call.attempt === 1 ? 'No list at all.' : tree.answer(call),
      fault: ({ purpose, node, attempt }) => {
        if (node === C && purpose === 'document' && attempt === 1) return 'cut';
        return node === `${A}/gone` ? '400' : undefined;
      },
    });
    assert.equal((await search.start('--size', 'small', '--concurrency', '2', ...SOURCE_FORM).end).code, 0);
    assert.equal((await search.run('redo', DIR, A)).code, 0);
    assert.equal((await search.run('add', DIR, A, 'Gone')).code, 0);
    assert.equal((await search.run('expand', DIR, `${A}/gone`)).code, 0);
    assert.equal((await search.run('resume', DIR, '--size', 'medium')).code, 0);
  });
  after(() => search.remove());

  const show = (node: string, ...more: string[]): Promise<Shown> => search.json<Shown>('show', DIR, node, ...more);
  const sentFor = (node: string): LoggedRequest[] => search.server.log.filter((request) => request.node === node);

  /** Every call of a node has to have the words that the server got and gave. */
  async function assertExact(node: string): Promise<Shown> {
    const shown = await show(node === '' ? '.' : node);
    const sent = sentFor(node);
    assert.equal(shown.calls.length, sent.length, node);
    for (const [index, { number }] of shown.calls.entries()) {
      const { call } = await show(node === '' ? '.' : node, '--call', String(number));
      assert.ok(call, `${node} ${number}`);
      assert.equal(call.unknown, undefined, `${node} ${number}`);
      const messages = [
        { role: 'system', content: call.system },
        ...call.turns.map(({ role, text }) => ({ role, content: text })),
        { role: 'user', content: call.prompt },
      ];
      assert.deepEqual(messages, sent[index]?.messages, `${node} ${number}`);
      if (sent[index]?.outcome === 'answered') assert.equal(call.answer, sent[index]?.text, `${node} ${number}`);
      else assert.match(call.noAnswer ?? '', /^No answer \(/);
    }
    return shown;
  }

  it('prints the exact words of documents and lists, at every depth', async () => {
    const deep = search.server.log.find(({ node }) => node.split('/').length === 3)?.node ?? '';
    assert.notEqual(deep, '');
    const parent = deep.slice(0, deep.lastIndexOf('/'));
    for (const node of [parent, deep]) await assertExact(node);
  });

  it('prints those of a corrected call, of a truncated one, and of one that always failed', async () => {
    const corrected = await assertExact(B);
    assert.deepEqual(
      corrected.calls.map(({ purpose, attempt, outcome }) => [purpose, attempt, outcome]),
      [
        ['document', 1, 'ok'],
        ['children', 1, 'ok'],
        ['children', 2, 'ok'],
      ],
    );
    const cut = await assertExact(C);
    assert.deepEqual(cut.calls.map(({ outcome }) => outcome).slice(0, 2), ['cut-off', 'ok']);
    assert.ok(cut.totals.worstCase > 0);
    const failed = await assertExact(`${A}/gone`);
    assert.equal(failed.status, 'failed');
    assert.ok(failed.calls.length > 0);
  });

  it('prints those of both conversations of a document that was redone, and of nodes below the first', async () => {
    const shown = await assertExact(A);
    assert.equal(shown.calls.filter(({ purpose }) => purpose === 'document').length, 2);
    assert.deepEqual(
      shown.steered.map(({ by, action }) => `${by} ${action}`),
      ['terminal redo', 'terminal add'],
    );
    const below = [...new Set(search.server.log.map(({ node }) => node))].filter((node) => node.startsWith(`${A}/`));
    for (const node of below.slice(0, 4)) await assertExact(node);
  });

  it('shows the search as a whole: its list, its picks, the opening of its report', async () => {
    const shown = await assertExact('');
    const purposes = new Set(shown.calls.map(({ purpose }) => purpose));
    assert.deepEqual([...purposes].sort(), ['children', 'pick', 'synthesize']);
  });

  it('says what each call used, as the server counted it', async () => {
    const { calls, totals } = await show(B);
    const sent = sentFor(B);
    assert.deepEqual(
      calls.map(({ usage }) => [usage?.prompt, usage?.cached, usage?.completion]),
      sent.map(({ promptTokens, cachedTokens, completionTokens }) => [promptTokens, cachedTokens, completionTokens]),
    );
    assert.equal(
      totals.prompt,
      sent.reduce((sum, { promptTokens }) => sum + promptTokens, 0),
    );
  });

  it('is readable, and finds a node by title, path, folder and file', async () => {
    const { stdout, code } = await search.run('show', DIR, B);
    assert.equal(code, 0);
    assert.match(stdout, /\nStatus {4}expanded\n/);
    assert.match(stdout, /\nScore {5}\d/);
    assert.match(stdout, / 3 {2}children {3}ok {9}attempt 2 {2}[\d,]+ tokens \([\d,]+ cached\) \+ \d+ · \d+\.\ds/);
    assert.match(stdout, /\nIn all {4}3 calls · /);
    const { title } = await show(B);
    for (const name of [title.toUpperCase(), `/${B}/`, join(DIR, B), join(search.folder, B, 'document.md')])
      assert.equal((await show(name)).path, B, name);
    const words = await search.run('show', DIR, B, '--call', '3');
    assert.match(
      words.stdout,
      /── system\n[\s\S]+── assistant\nNo list at all\.\n[\s\S]+── prompt\nThat answer cannot/,
    );
    const none = await search.run('show', DIR, B, '--call', '99');
    assert.equal(none.code, 2);
    assert.match(none.stderr, /no call 99: there are 3/);
  });

  it('names the candidates if a name is ambiguous', async () => {
    const all = search.server.log.map(({ node }) => node.split('/')).filter((path) => path.length > 1);
    const counts = new Map<string, Set<string>>();
    for (const path of all) {
      const last = path.at(-1) ?? '';
      counts.set(last, (counts.get(last) ?? new Set()).add(path.join('/')));
    }
    const twice = [...counts].find(([, paths]) => paths.size > 1);
    if (!twice) return;
    const { code, stderr } = await search.run('show', DIR, twice[0]);
    assert.equal(code, 2);
    for (const path of twice[1]) assert.ok(stderr.includes(path), stderr);
  });

  it('says so if the words are gone, as in a clone', async () => {
    const conversations = join(search.folder, '.search', 'conversations');
    assert.ok((await readdir(conversations)).length > 0);
    await rm(conversations, { recursive: true });
    const { call } = await show(B, '--call', '1');
    assert.match(call?.unknown ?? '', /conversation .* is gone/);
    assert.equal((await search.run('show', DIR, B, '--call', '1')).code, 0);
  });
});
