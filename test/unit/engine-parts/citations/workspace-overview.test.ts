import assert from 'node:assert/strict';
import type { OverviewRequest } from '../../../../src/core/ports/workspace-text.ts';
import { workspaceOverview } from '../../../../src/engine-parts/citations/workspace-context.ts';
import { simulatedModel } from '../../../support/models/simulated-model.ts';
import { scriptedTree } from '../../../support/servers/server-tree.ts';
import { VirtualClock } from '../../../support/virtual-clock.ts';
import { heldText } from './held-text.ts';

type Surveying = Parameters<typeof workspaceOverview>[0];

const never = new AbortController().signal;

describe('the overview for a search', () => {
  const clock = new VirtualClock();
  const model = simulatedModel({ tree: scriptedTree({ fanout: () => 2, documentWords: 30 }), clock });
  const asked: OverviewRequest[] = [];
  const text = {
    ...heldText({}),
    overview: async (request: OverviewRequest): Promise<string> => {
      asked.push(request);
      return 'jobs 1.0.0';
    },
  };
  const file = { version: 1, kind: 'research', title: 'T', prompt: 'How are jobs run?', options: {} } as const;
  const search: Surveying = { workspaceText: text, quotesContext: true, model, judge: undefined, clock, file };

  beforeEach(() => asked.splice(0));

  it('is asked for with the question, and at most 1,500 tokens', async () => {
    assert.equal(await workspaceOverview(search, never), 'jobs 1.0.0');
    assert.deepEqual(asked, [{ question: 'How are jobs run?', maxTokens: 1500 }]);
  });

  it('takes at most 15 % of the shorter context of its two models', async () => {
    const of = async (own: number, judges?: number): Promise<number | undefined> => {
      const judge = judges === undefined ? undefined : { ...model, contextTokens: judges };
      await workspaceOverview({ ...search, model: { ...model, contextTokens: own }, judge }, never);
      return asked.pop()?.maxTokens;
    };
    assert.equal(await of(4096), 614);
    assert.equal(await of(200_000), 1500);
    assert.equal(await of(200_000, 8000), 1200);
  });

  it('is not asked for where there is no workspace, none is wanted, the model reads no prose, or is never asked', async () => {
    for (const without of [
      { workspaceText: undefined },
      { quotesContext: false },
      { model: { ...model, prose: false } },
      { model: { ...model, isSilent: true } },
    ] satisfies Partial<Surveying>[])
      assert.equal(await workspaceOverview({ ...search, ...without }, never), '');
    assert.deepEqual(asked, []);
  });

  it('is empty where it fails or takes too long: no search fails because of it', async () => {
    const failing = { ...text, overview: () => Promise.reject(new Error('the thread ended')) };
    assert.equal(await workspaceOverview({ ...search, workspaceText: failing }, never), '');
    const endless = { ...text, overview: () => new Promise<string>(() => undefined) };
    assert.equal(await clock.run(workspaceOverview({ ...search, workspaceText: endless }, never)), '');
  });
});
