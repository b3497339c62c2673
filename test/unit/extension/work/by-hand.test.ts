import '../use-fake-vscode.ts';
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OfferBook } from '../../../../src/core/offers/offer-book.ts';
import { SearchRecord } from '../../../../src/core/search/record/search-record.ts';
import type { FollowedSearch } from '../../../../src/extension/library/followed-search.ts';
import { workGraphDescriptor } from '../../../../src/kinds/work-graph/descriptor.ts';
import { fake } from '../fake-vscode.ts';
import { available } from '../sidebar/available.ts';
import { nodeElement, sampleSearch } from '../sidebar/sample.ts';

const { ByHand } = await import('../../../../src/extension/work/by-hand.ts');

/** A goal with offers of some atoms, each with what it says. */
function searchWith(asks: Readonly<Record<string, object>>): { search: FollowedSearch; offers: OfferBook } {
  const record = new SearchRecord();
  for (const [path, ask] of Object.entries(asks))
    record.offers.apply({
      seq: 1,
      type: 'offer-made',
      time: '2026-11-01T10:00:00Z',
      offer: { id: `o-${path}`, kind: 'any', nodes: [path], ask: ask as never },
    });
  const file = { kind: workGraphDescriptor.name } as FollowedSearch['file'];
  return { search: sampleSearch({ file, record }), offers: record.offers };
}

function taken(offers: OfferBook, path: string, by: string, isPerson = true): void {
  offers.apply({ seq: 2, type: 'offer-taken', time: '2026-11-01T10:00:00Z', offer: `o-${path}`, by, person: isPerson });
}

describe('what a person does themselves', () => {
  let state: string;
  const before = process.env['XDG_STATE_HOME'];
  beforeEach(async () => {
    fake.reset();
    state = await mkdtemp(join(tmpdir(), 'thought-tree-state-'));
    process.env['XDG_STATE_HOME'] = state;
  });
  afterEach(async () => {
    if (before === undefined) delete process.env['XDG_STATE_HOME'];
    else process.env['XDG_STATE_HOME'] = before;
    await rm(state, { recursive: true, force: true });
  });

  function hands() {
    const acts: [string, object | undefined][] = [];
    const act = async (_search: FollowedSearch, _path: string, name: string, given?: object): Promise<void> => {
      acts.push([name, given]);
    };
    return { acts, byHand: new ByHand(available, () => ({ act })) };
  }
  const offered = (search: FollowedSearch, path: string): string[] =>
    available
      .onRow(
        nodeElement(
          { own: { type: 'atom' } },
          { path, parent: { kind: 'search', search, folder: '/f', path: '', isOpen: true } },
        ),
      )
      .map(({ name }) => name)
      .filter((name) => /Hand$|openCheckout/.test(name));

  it('is offered where nobody has taken it, and can be handed in or given back by whoever has', () => {
    const { search, offers } = searchWith({ a1: {}, a2: {} });
    assert.deepEqual(offered(search, 'a1'), ['doByHand']);
    assert.deepEqual(offered(search, 'a3'), []);
    taken(offers, 'a1', 'vscode');
    assert.deepEqual(offered(search, 'a1'), ['doneByHand', 'openCheckout', 'giveBackByHand']);
    taken(offers, 'a2', 'some-agent', false);
    assert.deepEqual(offered(search, 'a2'), []);
  });

  it('is taken for a person, and worked on in its own checkout', async () => {
    const folder = join(state, 'thought-tree', 'work', 's1', 'checkouts', 'a1');
    await mkdir(folder, { recursive: true });
    const { search } = searchWith({ a1: { title: 'Repair it', folder } });
    const { byHand, acts } = hands();
    fake.answer = () => 'Open in New Window';
    await byHand.take(search, 'a1');
    assert.deepEqual(acts, [['take', { offer: 'o-a1', person: true }]]);
    assert.match(fake.messages.at(-1) ?? '', /^"Repair it" is yours\. .*checkouts.a1$/);
    const [name, uri, how] = fake.executed.at(-1) as [string, { fsPath: string }, object];
    assert.deepEqual([name, uri.fsPath, how], ['vscode.openFolder', folder, { forceNewWindow: true }]);
  });

  it('opens no folder but one of our own, whatever a journal says', async () => {
    for (const folder of [tmpdir(), '/', '../x', join(state, 'thought-tree', 'work'), 7, undefined]) {
      const { search } = searchWith({ a1: { folder } });
      const { byHand, acts } = hands();
      fake.answer = () => 'Open in New Window';
      await byHand.take(search, 'a1');
      assert.equal(acts.length, 1);
      assert.deepEqual(fake.executed, []);
    }
  });

  it('is handed in with what the person says of it, in the form of its kind', async () => {
    const { search, offers } = searchWith({ a1: { title: 'Repair it' } });
    taken(offers, 'a1', 'vscode');
    const { byHand, acts } = hands();
    await byHand.done(search, 'a1');
    assert.deepEqual(acts, [], 'nothing is handed in without a word');
    fake.answer = () => '  All of it.  ';
    await byHand.done(search, 'a1');
    assert.deepEqual(acts, [['answer', { answers: [{ offer: 'o-a1', result: { summary: 'All of it.' } }] }]]);
  });

  it('is chosen from a list where several are offered', async () => {
    const { search } = searchWith({ a1: { title: 'One' }, a2: { title: 'Two' } });
    const { byHand, acts } = hands();
    fake.answer = (items) => (Array.isArray(items) ? items[1] : undefined);
    await byHand.take(search, '');
    assert.deepEqual(acts, [['take', { offer: 'o-a2', person: true }]]);
  });

  it('says so when somebody else was faster', async () => {
    const { search, offers } = searchWith({ a1: {} });
    taken(offers, 'a1', 'some-agent', false);
    await assert.rejects(hands().byHand.take(search, 'a1'), /Somebody else does this/);
  });
});
