import '../use-fake-vscode.ts';
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { LogOutputChannel } from 'vscode';
import type { Model } from '../../../../src/core/ports/model.ts';
import { ThoughtTreeError } from '../../../../src/core/search/errors.ts';
import type { OpenFleet, WindowFleet } from '../../../../src/extension/fleet/open-fleet.ts';
import type { SearchLibrary } from '../../../../src/extension/library/search-library.ts';
import { notBegun } from '../../../../src/extension/messages.ts';
import type { ApiKeys } from '../../../../src/extension/models/api-keys.ts';
import { KINDS } from '../../../../src/kinds/kinds.ts';
import { systemClock } from '../../../../src/store/system-ports.ts';
import { thoughtModel } from '../../../support/models/thought-model.ts';
import { thoughtFile } from '../../../support/searches/simulated-thoughts.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { EventEmitter, fake } from '../fake-vscode.ts';

const { SearchRunner } = await import('../../../../src/extension/library/search-runner.ts');
const { ModelOpener } = await import('../../../../src/extension/models/model-opener.ts');

const log = { info() {}, warn() {}, error() {}, debug() {} } as unknown as LogOutputChannel;
const NAME = 'anthropic/claude-none';

/** A window that has no key for its model, with a fleet. */
function aWindow(openFleet: OpenFleet, models?: string) {
  const workspace = temporaryFolder('by-fleet');
  const place = { folder: join(workspace, 'thought-trees', 'end'), workspace };
  const library = {
    search: () => undefined,
    scan: async () => undefined,
    tell: () => undefined,
    onDidChange: new EventEmitter<object>().event,
  } as unknown as SearchLibrary;
  const opener = new ModelOpener({ keyAt: async () => undefined } as unknown as ApiKeys);
  const runner = new SearchRunner(library, opener, log, KINDS, openFleet);
  const create = thoughtFile({
    prompt: 'Reach the end.',
    options: { maxDepth: 1, candidates: 2, ...(models && { models }) },
  });
  return { runner, place, run: () => runner.run({ place, model: NAME, create, isAgreed: true, concurrency: 2 }) };
}

/** A fleet whose workers answer at once. */
function aFleet(slots: number) {
  let closed = 0;
  const seen: string[] = [];
  const heard: string[] = [];
  const answers = thoughtModel({ clock: systemClock });
  const model: Model = {
    ...answers,
    name: NAME,
    generate: async (request, call) => {
      seen.push(request.purpose);
      return await answers.generate(request, call);
    },
    close: async () => void closed++,
  };
  const fleet: WindowFleet = {
    model: (name) => (name === NAME ? model : undefined),
    slots: { count: slots, areAllTaken: true, onChange: () => undefined, takeBack: () => undefined },
    concurrency: slots,
    secrets: [],
    hear: ({ type }) => heard.push(type),
    close: async () => void closed++,
  };
  return { fleet, seen, heard, closings: () => closed };
}

describe('a search of a window with a fleet', () => {
  beforeEach(() => fake.reset());

  it('has its calls made there, with the room that is there, and leaves it at its end', async () => {
    const { fleet, seen, heard, closings } = aFleet(7);
    const { runner, run } = aWindow(async (request) => {
      assert.deepEqual([request.title, request.model, request.concurrency], ['Reach the end.', NAME, 2]);
      return fleet;
    });
    const over = new Promise((resolve) => runner.onDidEnd(resolve));
    const search = await run();
    assert.equal(search.concurrency, 7);
    await over;
    assert.ok(seen.length > 0);
    assert.ok(heard.includes('search-finished'));
    assert.equal(closings(), 1);
  });

  it('has the calls of several models made there, and is bounded by what each of them costs', async () => {
    const { fleet } = aFleet(2);
    const chat = { id: 'small', name: 'Small', vendor: 'copilot', sendRequest: () => Promise.reject(new Error()) };
    fake.models = [{ ...chat, countTokens: async () => 1 }];
    const { runner, run } = aWindow(async ({ several }) => {
      assert.deepEqual(several, [NAME, 'vscode/small']);
      return fleet;
    }, `${NAME},vscode/small`);
    const search = await run();
    assert.equal(search.limits.guards.calls, 50);
    await runner.stopAll();
  });

  it('is not begun where the fleet cannot be opened: nothing is written', async () => {
    const { runner, place, run } = aWindow(async () => {
      throw new ThoughtTreeError('unreachable', notBegun());
    });
    await assert.rejects(run(), { reason: 'unreachable' });
    assert.equal(existsSync(place.folder), false);
    assert.equal(runner.isRunning(place.folder), false);
  });

  it('leaves the fleet if it cannot be begun', async () => {
    const { fleet, closings } = aFleet(1);
    const { run } = aWindow(async () => ({ ...fleet, model: () => undefined }));
    await assert.rejects(run(), { reason: 'bad-input' });
    assert.equal(closings(), 1);
  });
});
