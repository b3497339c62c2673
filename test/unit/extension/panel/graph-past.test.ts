import '../use-fake-vscode.ts';
import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { FollowedSearch } from '../../../../src/extension/library/followed-search.ts';
import { KINDS } from '../../../../src/kinds/kinds.ts';
import type { HostMessage } from '../../../../src/protocol/host-message.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { until } from '../../../support/until.ts';

const { GraphFeed } = await import('../../../../src/extension/panel/graph-feed.ts');
const { GraphPast } = await import('../../../../src/extension/panel/graph-past.ts');
const { GraphSource } = await import('../../../../src/extension/panel/graph-source.ts');

const LIMITS = { size: 'small', maxDepth: 4, guards: {} };

describe('the past of a search in its panel', () => {
  let folder: string;
  let seq: number;
  let search: FollowedSearch;
  let posted: HostMessage[];
  let shown: number;
  let feed: InstanceType<typeof GraphFeed>;
  let past: InstanceType<typeof GraphPast>;

  const write = (file: string, content: unknown): void => {
    mkdirSync(join(folder, file, '..'), { recursive: true });
    writeFileSync(join(folder, file), JSON.stringify(content));
  };
  const tell = async (...events: object[]): Promise<void> => {
    const lines = events.map((event) => {
      seq++;
      return `${JSON.stringify({ seq, time: new Date(1_767_225_600_000 + seq * 1000).toISOString(), ...event })}\n`;
    });
    appendFileSync(join(folder, '.search/journal.jsonl'), lines.join(''));
    await search.refresh();
  };
  const child = (slug: string): object => ({ slug, title: slug.toUpperCase() });
  const add = (slug: string): object => ({ type: 'node-added', node: '', children: [child(slug)] });
  /** The paths of the nodes in the page. */
  const drawn = (): string[] => {
    const paths = new Set<string>();
    for (const message of posted) {
      if (message.type === 'snapshot') for (const { path } of message.nodes) paths.add(path);
      if (message.type !== 'change') continue;
      for (const path of message.removals) paths.delete(path);
      for (const { path } of message.upserts) paths.add(path);
    }
    return [...paths].sort();
  };
  /** What the page knows of the search as a whole. */
  const whole = (): Record<string, unknown> =>
    Object.assign({}, ...posted.map((message) => ('search' in message ? message.search : {})));

  beforeEach(async () => {
    folder = temporaryFolder('past');
    seq = 0;
    write('search.json', { version: 1, kind: 'thoughts', title: 'T', prompt: 'Why?', options: {} });
    write('children.json', ['a', 'b'].map(child));
    for (const slug of ['a', 'b'])
      write(`${slug}/node.json`, { title: slug.toUpperCase(), slug, status: 'unexpanded' });
    write('.search/journal.jsonl', '');
    writeFileSync(join(folder, '.search/journal.jsonl'), '');
    search = new FollowedSearch(folder, folder);
    await tell({ type: 'search-started', model: 'm', limits: LIMITS }, add('a'), add('b'));
    posted = [];
    shown = 0;
    const source = new GraphSource(search, KINDS);
    const onError = (error: unknown): void => assert.fail(String(error));
    const post = (message: HostMessage): void => void posted.push(message);
    feed = new GraphFeed({ source, folder, post, actions: () => [], onError });
    const library = { scan: async () => undefined };
    const onShown = (): void => void shown++;
    past = new GraphPast({ search, kinds: KINDS, library, feed, post, onShown, onError });
    await feed.begin();
  });
  afterEach(() => {
    past.dispose();
    feed.pause();
  });

  it('is told when a page asks for it, and as it grows', async () => {
    await past.open();
    const timelines = () => posted.flatMap((message) => (message.type === 'timeline' ? [message.timeline] : []));
    assert.deepEqual([timelines()[0]?.last.seq, timelines()[0]?.counts], [3, { run: 1 }]);
    await tell({ type: 'steered', by: 'terminal', action: 'note', message: 'Noted.' });
    past.touch();
    await until(() => timelines().length === 2);
    assert.deepEqual([timelines()[1]?.last.seq, timelines()[1]?.counts], [4, { run: 1, act: 1 }]);
    await past.close();
    past.touch();
    assert.equal(timelines().length, 2);
  });

  it('is drawn instead of what happens now, until it is left', async () => {
    assert.deepEqual(drawn(), ['', 'a', 'b']);
    await past.seek({ seq: 2 });
    await until(() => drawn().length === 2);
    assert.deepEqual([drawn(), past.moment?.seq, shown], [['', 'a'], 2, 1]);
    const { past: moment } = whole() as { past: { seq: number; said: string } };
    assert.deepEqual([moment.seq, moment.said], [2, '1 node below “T”.']);
    write('c/node.json', { title: 'C', slug: 'c', status: 'unexpanded' });
    write('children.json', ['a', 'b', 'c'].map(child));
    await tell(add('c'));
    feed.touch(['', 'c']);
    await past.seek({ seq: 1 });
    await until(() => drawn().length === 1);
    await past.seek(null);
    await until(() => drawn().length === 4);
    assert.deepEqual([drawn(), whole()['past'], past.moment], [['', 'a', 'b', 'c'], null, undefined]);
  });

  it('is the last moment of those that were asked for at once', async () => {
    await Promise.all([past.seek({ seq: 1 }), past.seek({ seq: 2 }), past.seek({ at: 0 })]);
    await until(() => drawn().length === 1);
    assert.deepEqual([past.moment?.seq, shown], [1, 1]);
  });

  it('goes back to now after a moment that cannot be read', async () => {
    await tell({ type: 'text-written', file: 'search.json', text: 'ab'.repeat(32) }, add('c'));
    await past.seek({ seq: 1 });
    await assert.rejects(past.seek({ seq: 4 }), { reason: 'damaged' });
    assert.equal(past.moment?.seq, 1);
    const isAnswered = (to: object | null): boolean =>
      posted.some((message) => message.type === 'sought' && isDeepStrictEqual(message.to, to));
    assert.ok(isAnswered({ seq: 4 }));
    await Promise.all([past.seek({ seq: 4 }), past.seek(null)]);
    await until(() => isAnswered(null));
    assert.deepEqual([past.moment, whole()['past']], [undefined, null]);
  });

  it('is that of the journal that is there', async () => {
    await tell({
      type: 'steered',
      by: 'terminal',
      action: 'note',
      message: 'A secret that is longer than what is there in its place.',
    });
    await past.open();
    await past.seek({ seq: 4 });
    const said = (): unknown => (whole()['past'] as { said: string } | undefined)?.said;
    await until(() => said() !== undefined);
    const journal = join(folder, '.search/journal.jsonl');
    writeFileSync(journal, readFileSync(journal, 'utf8').replace(/A secret[^"]*/, '[forgotten]'));
    past.touch();
    await until(() => said() === '[forgotten]');
  });

  it('has one fork for a double click', async () => {
    await Promise.all([past.fork(3), past.fork(3)]);
    assert.equal(readdirSync(join(folder, 'thought-trees')).length, 1);
  });

  it('ends with the timeline', async () => {
    await past.open();
    await past.seek({ seq: 1 });
    await past.close();
    await until(() => drawn().length === 3);
    assert.equal(whole()['past'], null);
  });
});
