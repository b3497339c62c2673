import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { costOf } from '../../../../src/core/money/price.ts';
import type { Price, Usage } from '../../../../src/core/ports/model.ts';
import { type About, nanoOf, PurseFile, scopesOf } from '../../../../src/searches/purse/purse-file.ts';
import { effort } from '../../../support/effort.ts';
import { seededRandom } from '../../../support/virtual-clock.ts';
import { newFolder, removeFolders } from '../../store/support/places.ts';

const CHILD = fileURLToPath(new URL('../../../support/purse/purse-child.ts', import.meta.url));
const PROCESSES = 8;
const CALLS = effort(10_000);
/** Starting the next process takes longer than all that it asks for. */
const CALLS_A_KILL = 30;
const HOUR = 3_600_000;
const CALLS_A_DAY = CALLS / 60;
/** So that each is reached again and again, however many calls there are. */
const LIMITS = { day: CALLS / 500, month: CALLS / 100, folder: CALLS / 120 };

/** What the server was asked for, and what that cost. */
interface Served {
  readonly nano: number;
  /** The process was told what was used. */
  readonly isTold: boolean;
}

/** A provider that counts by itself what it is owed, and moves the clock of the computers that ask. */
class Provider {
  readonly served = new Map<string, Served>();
  /** The processes that were heard of, by their seeds. */
  readonly heard = new Set<number>();
  twice = 0;
  refused = 0;
  clock = 0;
  isOver = false;
  readonly #random = seededRandom(40);
  readonly #server: Server = createServer((request, response) => void this.#answer(request, response));

  async listen(): Promise<string> {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Forward by up to a day and a half, back by up to two days, and seldom by a month. */
  moveClock(): void {
    const by = this.#random.next() < 0.05 ? 30 * 24 * HOUR : (84 * this.#random.next() - 48) * HOUR;
    this.clock += Math.round(by);
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const piece of request) body += String(piece);
    const asked = JSON.parse(body);
    if (request.url === '/refused') this.refused++;
    if (request.url === '/call') this.heard.add(asked.seed);
    const reply = request.url === '/call' ? this.#serve(asked) : {};
    response.end(JSON.stringify({ ...reply, clock: this.clock, isOver: this.isOver }));
  }

  /** Refuses some calls, is cut off in others after the work was done, and does not say what some cost. */
  #serve(call: { call: string; price: Price; prompt: number; maxOutputTokens: number }): object {
    const chance = this.#random.next();
    if (chance < 0.1) return { fault: 'refused' };
    const prompt = Math.ceil(call.prompt * this.#random.next());
    const cached = Math.floor(prompt * this.#random.next());
    const usage: Usage = { prompt, cached, completion: Math.ceil(call.maxOutputTokens * this.#random.next()) };
    if (this.served.has(call.call)) this.twice++;
    this.served.set(call.call, { nano: nanoOf(costOf(usage, call.price)), isTold: chance >= 0.3 });
    if (chance < 0.2) return { fault: 'cut' };
    return chance < 0.3 ? {} : { usage };
  }
}

describe('a purse that eight processes use, one of which is killed again and again', () => {
  const provider = new Provider();
  let folder = '';
  let kills = 0;
  let file: PurseFile;

  before(async function () {
    this.timeout(1_200_000);
    folder = await newFolder();
    const first = PurseFile.open(join(folder, 'state'));
    assert.ok(first);
    await first.alone(() => {
      first.setLimit('day', nanoOf(LIMITS.day));
      first.setLimit('month', nanoOf(LIMITS.month));
      first.setLimit('folder /work/a', nanoOf(LIMITS.folder));
    });
    first.close();
    const address = await provider.listen();
    let seed = 0;
    const start = (workspace: string): { child: ChildProcess; seed: number; workspace: string } => {
      const args = [CHILD, address, join(folder, 'state'), workspace, String(++seed)];
      return { child: spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] }), seed, workspace };
    };
    const children = Array.from({ length: PROCESSES }, (_, n) => start(n % 2 === 0 ? '/work/a' : '/work/b'));
    for (let [last, refused, moved, killedAt] = [0, 0, 0, 0]; provider.served.size < CALLS; ) {
      await sleep(250);
      const { size } = provider.served;
      // Where most is refused, only another day helps. Days pass by what is asked, so that a slow machine reaches limits, too.
      const isStuck = provider.refused - refused > size - last;
      if (isStuck) provider.clock += 20 * HOUR;
      if (isStuck || size - moved >= CALLS_A_DAY) {
        provider.moveClock();
        moved = size;
      }
      [last, refused] = [size, provider.refused];
      if (size - killedAt < CALLS_A_KILL) continue;
      const n = children.findIndex((each) => provider.heard.has(each.seed));
      const [killed] = n < 0 ? [] : children.splice(n, 1);
      if (!killed) continue;
      assert.equal(killed.child.exitCode, null, 'nobody ends by itself');
      killed.child.kill('SIGKILL');
      await once(killed.child, 'exit');
      kills++;
      killedAt = size;
      // In the same folder: one whose money is all spent gets no more, and the other ones have to go on.
      children.push(start(killed.workspace));
    }
    provider.isOver = true;
    const ends = await Promise.all(children.map(async ({ child }) => child.exitCode ?? (await once(child, 'exit'))[0]));
    assert.deepEqual(new Set(ends), new Set([0]));
    const opened = PurseFile.open(join(folder, 'state'));
    assert.ok(opened);
    file = opened;
  });
  after(async () => {
    provider.close();
    file?.close();
    await removeFolders();
  });

  it('is never over a limit, and its sums are those of what is in it', () => {
    const all: (About & { nano: number })[] = [...file.spent(''), ...file.openCalls()];
    const sums = new Map<string, number>();
    for (const each of all) for (const scope of scopesOf(each)) sums.set(scope, (sums.get(scope) ?? 0) + each.nano);
    const days = [...sums].filter(([scope]) => scope.startsWith('day'));
    assert.ok(days.length > 1 && provider.refused > 0, `${days.length} days, ${provider.refused} refused`);
    for (const [scope, nano] of sums) {
      assert.equal(file.total(scope), nano, scope);
      const most = scope.startsWith('day') ? LIMITS.day : scope.startsWith('month') ? LIMITS.month : LIMITS.folder;
      if (scope !== 'folder /work/b') assert.ok(nano <= nanoOf(most), `${scope}: ${nano}`);
    }
  });

  it('has each call of the server once, at what it cost, or at its worst case where nobody told', () => {
    const open = new Map(file.openCalls().map((call) => [call.call, call.nano]));
    const settled = [...provider.served].filter(([call]) => !open.has(call));
    const spent = file.spent('');
    const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
    assert.equal(provider.twice, 0);
    assert.equal(sum(spent.map(({ calls }) => calls)), settled.length);
    const told = settled.filter(([, { isTold }]) => isTold).map(([, { nano }]) => nano);
    assert.equal(sum(spent.map(({ nano, booked }) => nano - booked)), sum(told));
    const untold = settled.filter(([, { isTold }]) => !isTold).map(([, { nano }]) => nano);
    assert.ok(untold.length > 0 && sum(spent.map(({ booked }) => booked)) >= sum(untold));
    // What a killed process had under way is at its worst case, whether it was served or not.
    assert.ok(open.size > 0 && open.size <= kills * 4, `${open.size} of ${kills} kills`);
    for (const [call, nano] of open) assert.ok((provider.served.get(call)?.nano ?? 0) <= nano);
  });
});
