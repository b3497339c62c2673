// A process that asks models all the time, and may be killed at any moment.
//   node purse-child.ts SERVER STATE-FOLDER WORKSPACE SEED
import { setTimeout as sleep } from 'node:timers/promises';
import { foreign } from '../../../src/core/messages/message.ts';
import type { Model, Price, Usage } from '../../../src/core/ports/model.ts';
import { isThoughtTreeError, ThoughtTreeError } from '../../../src/core/search/errors.ts';
import { AdoptableCalls, AnsweredCalls } from '../../../src/core/search/record/runs.ts';
import { SearchRecord } from '../../../src/core/search/record/search-record.ts';
import { History } from '../../../src/engine/history.ts';
import { ModelCaller } from '../../../src/engine/model-caller.ts';
import { researchPurposes } from '../../../src/kinds/research/purposes.ts';
import { OwnPurse } from '../../../src/searches/purse/purse.ts';
import { PurseFile } from '../../../src/searches/purse/purse-file.ts';
import { systemClock, systemRandom } from '../../../src/store/system-ports.ts';
import { createMemoryStore } from '../memory-store.ts';
import { QUESTION } from '../searches/simulated-search.ts';
import { seededRandom } from '../virtual-clock.ts';

const SLOTS = 4;
const [, , server = '', state = '', workspace = '', seed = '1'] = process.argv;
const random = seededRandom(Number(seed));

/** How the server answers: its usage if it tells one, and by how much the clock of this computer is wrong from then on. */
interface Reply {
  readonly usage?: Usage;
  readonly fault?: 'refused' | 'cut';
  readonly clock: number;
  readonly isOver: boolean;
}

let clock = 0;
let isOver = false;

async function ask(path: string, body: object): Promise<Reply> {
  const response = await fetch(`${server}/${path}`, { method: 'POST', body: JSON.stringify(body) });
  const reply = (await response.json()) as Reply;
  ({ clock, isOver } = reply);
  return reply;
}

/** Some cost a hundredth of a cent a call, some a few cents. */
function somePrice(): Price {
  const prompt = 10 ** (3 * random.next() - 1);
  return { prompt, cached: prompt / 10, completion: prompt * (1 + 5 * random.next()) };
}

function modelOf(price: Price): Model {
  const generate: Model['generate'] = async ({ prompt, maxOutputTokens }, { call }) => {
    const reply = await ask('call', { seed: Number(seed), call, price, prompt: prompt.length, maxOutputTokens });
    if (reply.fault === 'refused')
      throw new ThoughtTreeError('rate-limited', foreign({ text: 'later' }), { charged: false });
    if (reply.fault) throw new ThoughtTreeError('cut-off', foreign({ text: 'cut' }));
    return { text: 'It is.', finish: 'stop', ...(reply.usage && { usage: reply.usage }) };
  };
  return { name: 'a/b', label: 'B', free: false, price, generate };
}

const file = PurseFile.open(state, () => Date.now() + clock);
if (!file) throw new Error('no purse');
const purse = new OwnPurse(file, { folder: workspace, search: `thought-trees/${seed}` });
await ask('clock', {});
// The clock's timers keep no process alive, and a search has others that do.
setInterval(() => undefined, 60_000);

async function slot(): Promise<void> {
  const store = createMemoryStore(QUESTION);
  const past = new SearchRecord(new AdoptableCalls(), new AnsweredCalls());
  const history = new History(store, systemClock, () => undefined, past);
  let model = modelOf(somePrice());
  const caller = new ModelCaller({
    ...{ purposes: researchPurposes, modelFor: () => model, store, history, purse },
    ...{ clock: systemClock, random: systemRandom, timeoutMs: 60_000 },
    ...{ guards: () => ({}), keptForReport: () => undefined },
  });
  while (!isOver) {
    model = modelOf(somePrice());
    const prompt = 'word '.repeat(1 + Math.floor(random.next() * 400));
    const request = {
      ...{ purpose: 'document', node: 'a', system: '', turns: [], prompt },
      ...{ data: { question: '' }, maxOutputTokens: 10 + Math.floor(random.next() * 500) },
    };
    try {
      await caller.call(request, { question: systemRandom.id(), attempt: 1 }, new AbortController().signal);
    } catch (error) {
      if (!isThoughtTreeError(error, 'budget')) continue;
      await sleep(20);
      await ask('refused', {});
    }
  }
}

await Promise.all(Array.from({ length: SLOTS }, slot));
await purse.close();
process.exit(0);
