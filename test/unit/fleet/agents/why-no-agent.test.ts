import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentPlace } from '../../../../src/fleet/agents.ts';
import { lookAtFleet } from '../../../../src/fleet/look-at-fleet.ts';
import { AGENT, agentFolder, agentPlace, fakeAgent, SAID } from '../../../support/fleet/fake-agent.ts';
import { callFor, FakeFleet, modelOf, requestFor } from '../../../support/fleet/fake-fleet.ts';
import { until } from '../../../support/until.ts';

describe('a search whose agent nobody runs is told why', () => {
  let fleet: FakeFleet;
  let folder: string;
  let place: AgentPlace;
  beforeEach(async () => {
    fleet = new FakeFleet();
    folder = agentFolder();
    place = await agentPlace(folder);
  });
  afterEach(() => fleet.close());

  async function why(): Promise<string> {
    const leader = fleet.leader();
    fleet.agent(AGENT, place, leader);
    await leader.meet(0);
    return fleet.notices.join();
  }

  it('no worker runs agents', async () => {
    await fleet.worker(modelOf(async () => SAID));
    assert.match(await why(), /no worker of the fleet runs agents\. .* --agents \S+workspace\.$/);
  });

  it('they are of other computers or users', async () => {
    await fleet.worker(fakeAgent(), { agents: await agentPlace(folder, { key: 'another' }) });
    await fleet.worker(fakeAgent(), { agents: await agentPlace(folder, { host: 'elsewhere' }) });
    assert.match(await why(), /on other computers or for other users/);
  });

  it('they work in other folders', async () => {
    mkdirSync(join(folder, 'other'));
    await fleet.worker(fakeAgent(), { agents: await agentPlace(join(folder, 'other')) });
    assert.match(await why(), /run agents for other folders/);
  });

  it('they are others', async () => {
    await fleet.worker(fakeAgent({ name: 'claude/opus' }), { agents: place });
    assert.match(await why(), /but not claude\/sonnet: .* --model claude\/sonnet\.$/);
    const { unserved } = await lookAtFleet(fleet.queue());
    assert.deepEqual(unserved, [{ model: AGENT, title: 'Why?' }]);
  });

  it('they are about to end', async () => {
    const stop = new AbortController();
    const worker = await fleet.worker(
      fakeAgent({
        generate: (_request, { signal }) =>
          new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('stopped')))),
      }),
      { agents: place },
    );
    const asked = fleet.agent(AGENT, place).generate(requestFor('Why?'), callFor('q', stop.signal));
    await until(() => worker.underWay === 1);
    const drained = worker.drain();
    await until(() =>
      [...fleet.board.registrations.values()].some(({ card }) => 'state' in card && card.state === 'draining'),
    );
    assert.match(await why(), /take no calls now/);
    stop.abort();
    await assert.rejects(asked);
    await drained;
  });

  it('and nothing where somebody does', async () => {
    await fleet.worker(fakeAgent(), { agents: place });
    assert.equal(await why(), '');
    assert.deepEqual((await lookAtFleet(fleet.queue())).unserved, []);
  });
});
