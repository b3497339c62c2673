import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { JournalEvent } from '../../../../src/core/search/events.ts';
import type { Place } from '../../../../src/searches/place.ts';
import { runRecorded } from '../../../support/searches/recorded-run.ts';
import { runCli } from '../run-cli.ts';

type Ended = Extract<JournalEvent, { type: 'call-ended' }>;

interface Cause {
  readonly of: string;
  readonly call?: { readonly call: string; readonly node: string; readonly number: number; readonly usd?: number };
}

interface Why {
  readonly causes: readonly Cause[];
  readonly quotations: readonly string[];
}

/** How many of each are asked for. */
const TEN = 10;

/** Whatever is compared with is read here from the files of the search, by none of the program's own readers. */
describe('thought-tree why, in a recorded search of the evaluation', () => {
  let place: Place;
  let journal: JournalEvent[];
  const answers = new Map<string, Why>();
  before(async () => {
    place = await runRecorded('raft-log');
    journal = readFileSync(join(place.folder, '.search/journal.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as JournalEvent);
  });

  /** What the built command says of a node: one step. */
  async function why(node: string): Promise<Why> {
    const known = answers.get(node);
    if (known) return known;
    const { stdout, stderr, code } = await command('why', node || '.');
    assert.equal(code, 0, stderr);
    const found = JSON.parse(stdout) as Why;
    answers.set(node, found);
    return found;
  }
  const command = (name: string, node: string, ...more: string[]) =>
    runCli([name, place.folder, node, ...more, '--json'], { cwd: place.workspace });

  /** The words of the answer of a call, from the conversation that it is kept in, or its own file. */
  function answerOf({ call, kept }: Ended): string {
    const file = kept ? `conversations/${kept.conversation}.json` : `calls/${call}.json`;
    const value = JSON.parse(readFileSync(join(place.folder, '.search', file), 'utf8')) as {
      turns?: { text: string }[];
    };
    return kept ? (value.turns?.[kept.turn]?.text ?? '') : JSON.stringify(value);
  }
  const ended = (): Ended[] => journal.filter((event) => event.type === 'call-ended');
  const answered = (node: string): Ended[] => ended().filter((event) => event.node === node && event.outcome === 'ok');

  /** The documents, of nodes and of the search as a whole, by slug path. */
  function documents(): Map<string, string> {
    const found = new Map<string, string>();
    for (const entry of readdirSync(place.folder, { recursive: true, withFileTypes: true }))
      if (entry.name === 'document.md' || entry.name === 'report.md')
        found.set(relative(place.folder, entry.parentPath), readFileSync(join(entry.parentPath, entry.name), 'utf8'));
    return new Map([...found].sort());
  }

  /** Takes one of each list in turn until there are ten. */
  function tenOf<T>(lists: readonly (readonly T[])[]): T[] {
    const longest = Math.max(...lists.map(({ length }) => length));
    const inTurn = Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1))).flat();
    assert.ok(inTurn.length >= TEN, `only ${inTurn.length}`);
    return inTurn.slice(0, TEN);
  }

  it('leads from each of ten citations to the one call whose answer has it, and to the lines of the file', async () => {
    const cited = [...documents()].map(([node, text]) =>
      Array.from(new Set(text.match(/[\w/.]+\.go:\d+-\d+(?=\]\()/g)), (words) => ({ node, words })),
    );
    const some = tenOf(cited);
    assert.ok(
      some.some(({ node }) => node === ''),
      'the report is among them',
    );
    for (const { node, words } of some) {
      const { causes, quotations } = await why(node);
      const { call } = causes.find(({ of }) => of === 'document') ?? assert.fail(`no document of ${node}`);
      const [last] = answered(node).slice(-1);
      assert.equal(call?.call, last?.call, words);
      // A report cites findings by their numbers.
      if (node === '') continue;
      const writers = answered(node).filter((event) => answerOf(event).includes(words));
      assert.deepEqual(
        [call?.call],
        writers.map(({ call: id }) => id),
        words,
      );
      assert.ok(
        quotations.some((each) => each.startsWith(`${words} `)),
        words,
      );
    }
  });

  it('leads from each of ten scores to the one call whose answer gives it', async () => {
    const scores = journal.flatMap((event) =>
      event.type === 'node-added'
        ? [event.children.map(({ slug, title, evaluation }) => ({ above: event.node, slug, title, evaluation }))]
        : [],
    );
    for (const { above, slug, title, evaluation } of tenOf(scores)) {
      const { causes } = await why(above === '' ? slug : `${above}/${slug}`);
      const { call } = causes.find(({ of }) => of === 'score') ?? assert.fail(`no score of ${title}`);
      const line = `"title": "${title}", "score": ${evaluation?.score},`;
      const givers = ended().filter((event) => event.kept && answerOf(event).includes(line));
      assert.deepEqual(
        [call?.call],
        givers.map(({ call: id }) => id),
        title,
      );
    }
  });

  it('leads from each of ten costs to its call, and from a node to every call that was paid for it', async () => {
    const nodes = [...documents().keys()];
    const paid = nodes.map((node) => ended().filter((event) => event.node === node && event.usage?.usd));
    for (const { node, call: id, usage } of tenOf(paid)) {
      const { causes } = await why(node);
      const found = causes.find(({ call }) => call?.call === id)?.call ?? assert.fail(`no call ${id} at ${node}`);
      assert.equal(found.usd, usage?.usd);
      const shown = JSON.parse((await command('show', found.node || '.', '--call', String(found.number))).stdout);
      assert.equal(shown.calls.find(({ number }: { number: number }) => number === shown.call.number)?.id, id);
    }
    for (const node of nodes.slice(0, TEN)) {
      const own = new Map(
        (await why(node)).causes.flatMap(({ call }) => (call?.node === node ? [[call.call, call]] : [])),
      );
      const usd = ended().reduce((sum, event) => sum + (event.node === node ? (event.usage?.usd ?? 0) : 0), 0);
      const told = [...own.values()].reduce((sum, call) => sum + (call.usd ?? 0), 0);
      assert.equal(told.toFixed(6), usd.toFixed(6), node);
    }
  });
});
