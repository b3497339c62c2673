import '../use-fake-vscode.ts';
import assert from 'node:assert/strict';
import type { Memento } from 'vscode';
import { foreign, kept } from '../../../../src/core/messages/message.ts';
import { ThoughtTreeError } from '../../../../src/core/search/errors.ts';
import { paused } from '../../../../src/engine/messages.ts';
import type { FollowedSearch } from '../../../../src/extension/library/followed-search.ts';
import type { RunEnd } from '../../../../src/extension/library/run-request.ts';
import { windowClosed } from '../../../../src/extension/messages.ts';
import type { Place } from '../../../../src/searches/place.ts';
import { EventEmitter, fake } from '../fake-vscode.ts';
import { available } from '../sidebar/available.ts';
import { begun, restingAt, sampleLibrary, sampleSearch } from '../sidebar/sample.ts';

const { LeftRunning } = await import('../../../../src/extension/acting/left-running.ts');

/** The folder of a search that cannot be resumed. */
let refused = '';

/** A window over a memory that survives it: what it offers at its start, and what can happen in it. */
async function aWindow(memory: Map<string, unknown>, ...searches: FollowedSearch[]) {
  const begins = new EventEmitter<Place>();
  const ends = new EventEmitter<RunEnd>();
  const resumed: string[] = [];
  const run = async (name: string, { folder }: { folder: string }) => {
    if (folder === refused)
      throw new ThoughtTreeError('bad-input', foreign({ text: 'The server of the model is down.' }));
    resumed.push(`${name} ${folder}`);
  };
  const left = new LeftRunning({
    memory: {
      get: (key: string, otherwise: unknown) => memory.get(key) ?? otherwise,
      update: async (key: string, value: unknown) => void memory.set(key, value),
    } as unknown as Memento,
    runner: { onDidBegin: begins.event, onDidEnd: ends.event } as never,
    library: sampleLibrary(...searches).library,
    available,
    actions: { run } as never,
    log: {} as never,
  });
  fake.messages.length = 0;
  await left.offer();
  const end = (folder: string, say: typeof paused) => {
    const outcome = { state: 'paused', reason: 'user', ...kept(say()) };
    ends.fire({ place: { folder, workspace: '/w' }, title: '', kind: '', outcome } as unknown as RunEnd);
  };
  return { begin: (folder: string) => begins.fire({ folder, workspace: '/w' }), end, resumed };
}

const search = (name: string, more: object = {}): FollowedSearch =>
  sampleSearch({ folder: `/w/${name}`, title: `Why ${name}?`, state: 'paused', record: begun(), ...more });

describe('a window that was reloaded', () => {
  beforeEach(() => fake.reset());

  it('offers to resume what ran in it, once, by its question', async () => {
    const memory = new Map<string, unknown>();
    const before = await aWindow(memory);
    for (const folder of ['/w/slow', '/w/done']) before.begin(folder);
    before.end('/w/done', paused);
    before.end('/w/slow', windowClosed as typeof paused);
    fake.answer = () => 'Resume';
    const after = await aWindow(memory, search('slow'), search('done'));
    assert.deepEqual(fake.messages, ['"Why slow?" was running when this window was closed. Resume it?']);
    assert.deepEqual(after.resumed, ['resume /w/slow']);
    await aWindow(memory, search('slow'));
    assert.deepEqual(fake.messages, []);
  });

  it('offers several together, and what a killed window left', async () => {
    const memory = new Map<string, unknown>();
    const before = await aWindow(memory);
    for (const folder of ['/w/a', '/w/b']) before.begin(folder);
    fake.answer = () => 'Resume All';
    const after = await aWindow(memory, search('a', { state: 'interrupted' }), search('b'));
    assert.match(fake.messages[0] ?? '', /^2 searches were running .*: "Why a\?", "Why b\?"\./);
    assert.deepEqual(after.resumed, ['resume /w/a', 'resume /w/b']);
  });

  it('resumes the others if one of several cannot be resumed, and says why that one cannot', async () => {
    const memory = new Map<string, unknown>();
    const before = await aWindow(memory);
    for (const folder of ['/w/a', '/w/b', '/w/c']) before.begin(folder);
    fake.answer = () => 'Resume All';
    refused = '/w/a';
    const after = await aWindow(memory, search('a'), search('b'), search('c')).finally(() => {
      refused = '';
    });
    assert.deepEqual(after.resumed, ['resume /w/b', 'resume /w/c']);
    assert.deepEqual(fake.messages.slice(1), ['The server of the model is down.']);
  });

  it('offers nothing that would do nothing, or that runs already', async () => {
    const memory = new Map<string, unknown>();
    const before = await aWindow(memory);
    for (const folder of ['/w/limit', '/w/again', '/w/gone']) before.begin(folder);
    const at = search('limit', { record: restingAt('calls', 5) });
    await aWindow(memory, at, search('again', { state: 'running' }));
    assert.deepEqual(fake.messages, []);
  });
});
