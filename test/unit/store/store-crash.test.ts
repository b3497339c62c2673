import assert from 'node:assert/strict';
import type { Store } from '../../../src/core/ports/store.ts';
import type { JournalEvent } from '../../../src/core/search/events.ts';
import type { SearchFile } from '../../../src/core/search/search-file.ts';
import { type Files, toFileError } from '../../../src/store/files/files.ts';
import { createSearchJson } from '../../../src/store/json/search-json.ts';
import { SearchStore } from '../../../src/store/search-store.ts';
import { CrashingFiles } from '../../support/crashing-files.ts';
import { PLACES, removeFolders, systemError } from './support/places.ts';

const SEARCH: SearchFile = { version: 1, kind: 'research', title: 'T', prompt: 'P', options: {} };
const right = { check: () => undefined, release: async () => undefined };
const event = (seq: number): JournalEvent => ({ seq, time: 't', type: 'search-running' });
const turn = { role: 'user' as const, text: 'x'.repeat(100), purpose: 'document' };

/** Everything a store writes for one node; each step with what is true from its end on, and never before its begin. */
const STEPS: readonly { do: (store: Store) => Promise<unknown>; made: (store: Store) => Promise<boolean> }[] = [
  {
    do: (store) => store.append(event(1)),
    made: async (store) => (await store.readJournal()).length > 0,
  },
  {
    do: (store) => store.writeNode('a', { title: 'A', status: 'in-progress', sessionId: 's' }),
    made: async (store) => (await store.readNodeFile('a'))?.sessionId === 's',
  },
  {
    do: (store) => store.writeConversation({ id: 's', turns: [turn] }),
    made: async (store) => (await store.readConversation('s')) !== undefined,
  },
  {
    do: (store) => store.writeDocument('a', 'the document'),
    made: async (store) => (await store.readDocument('a')) === 'the document',
  },
  {
    do: (store) => store.writeConversation({ id: 's', turns: [turn, turn] }),
    made: async (store) => (await store.readConversation('s'))?.turns.length === 2,
  },
  {
    do: (store) => store.writeChildren('a', [{ title: 'B', slug: 'b' }]),
    made: async (store) => (await store.readNode('a'))?.children?.[0]?.slug === 'b',
  },
  {
    do: (store) => store.writeNode('a/b', { title: 'B' }),
    made: async (store) => (await store.readNodeFile('a/b')) !== undefined,
  },
  {
    do: (store) => store.writeNode('a', { status: 'expanded' }),
    made: async (store) => (await store.readNodeFile('a'))?.status === 'expanded',
  },
  {
    do: (store) => store.append(event(2)),
    made: async (store) => (await store.readJournal()).length === 2,
  },
];

async function play(store: Store): Promise<number> {
  let done = 0;
  for (const step of STEPS) {
    await step.do(store);
    done++;
  }
  return done;
}

async function madeOf(store: Store): Promise<boolean[]> {
  return await Promise.all(STEPS.map((step) => step.made(store)));
}

for (const { name, open } of PLACES)
  describe(`a store ${name} whose process dies`, () => {
    after(removeFolders);

    it('leaves every step undone or done, at whichever change it dies, and continues from there', async () => {
      let crashed = true;
      for (let n = 1; crashed; n++)
        for (const made of [false, true]) {
          const files = await prepared(open);
          const watched = watch(files);
          const crashing = new CrashingFiles(watched.files, n, made);
          let done = 0;
          const counted = STEPS.map((step) => ({ ...step, do: (s: Store) => step.do(s).then(() => done++) }));
          const work = (async () => {
            const store = new SearchStore(crashing, right);
            for (const step of counted) await step.do(store);
          })();
          // Where nothing is left to die of, nobody goes on waiting for that.
          let isOver = false;
          await Promise.race([work.finally(() => (isOver = true)), dead(crashing, watched.busy, () => isOver)]);
          crashed = crashing.crashed;
          const reopened = new SearchStore(files, right);
          const found = await madeOf(reopened);
          const steps = found.lastIndexOf(true) + 1;
          assert.ok(found.slice(0, steps).every(Boolean), `at ${n}: ${found}`);
          assert.ok(steps === done || steps === done + 1, `at ${n}: ${steps} steps exist, ${done} were done`);
          assert.deepEqual(reopened.problems, []);
          await reopened.close();
        }
    });

    it('says so at whichever change the disk is full, and continues when there is room again', async () => {
      for (const code of ['ENOSPC', 'EACCES'])
        for (let n = 1, failed = true; failed; n++) {
          const files = await prepared(open);
          const failing = failingAt(files, n, code);
          const store = new SearchStore(failing.files, right);
          const reason = code === 'ENOSPC' ? 'disk-full' : 'not-writable';
          failed = await play(store).then(
            () => false,
            (error: { reason: string }) => error.reason === reason || Promise.reject(error),
          );
          assert.equal(failed, failing.count() >= n);
          failing.heal();
          await play(store);
          const again = new SearchStore(files, right);
          assert.deepEqual((await madeOf(again)).slice(0, -1), Array(STEPS.length - 1).fill(true));
          assert.deepEqual(again.problems, []);
        }
    });
  });

async function prepared(open: () => Promise<Files>): Promise<Files> {
  const files = await open();
  await createSearchJson(files, SEARCH);
  await files.makeFolder('.search');
  return files;
}

/** Resolves when the process is dead and the last change it began has come to its end. */
async function dead(files: CrashingFiles, busy: () => boolean, isOver: () => boolean): Promise<void> {
  while (!isOver() && (!files.crashed || busy())) await new Promise(setImmediate);
}

function watch(files: Files): { files: Files; busy: () => boolean } {
  let underWay = 0;
  const proxy = new Proxy(files, {
    get: (target, key) => {
      const method = Reflect.get(target, key) as unknown;
      if (typeof method !== 'function') return method;
      return (...args: unknown[]) => {
        const result = method.apply(target, args) as unknown;
        if (!(result instanceof Promise)) return result;
        underWay++;
        return result.finally(() => underWay--);
      };
    },
  });
  return { files: proxy, busy: () => underWay > 0 };
}

/** Files whose n-th change fails, and all after it; an append leaves a half of its text. */
function failingAt(files: Files, n: number, code: string): { files: Files; count: () => number; heal: () => void } {
  let count = 0;
  let healed = false;
  const changes = ['writeAtomic', 'append', 'truncate', 'createExclusive', 'copy', 'makeFolder'];
  const proxy = new Proxy(files, {
    get: (target, key) => {
      const method = Reflect.get(target, key) as unknown;
      if (typeof method !== 'function') return method;
      if (typeof key === 'symbol' || !changes.includes(key)) return method.bind(target);
      return async (path: string, text: string, ...rest: unknown[]) => {
        if (healed || ++count < n) return await method.call(target, path, text, ...rest);
        if (key === 'append') await target.append(path, text.slice(0, text.length / 2));
        throw toFileError(systemError(code), path, 'write');
      };
    },
  });
  return {
    files: proxy,
    count: () => count,
    heal: () => {
      healed = true;
    },
  };
}
