import type { ModelRequest } from '../../src/core/ports/model.ts';
import type { Picker } from '../../src/kinds/research/research-search.ts';
import { simulate } from '../../test/support/searches/simulated-search.ts';
import { Beginnings, blocksOf } from './prefix-share.ts';
import { latencies, QUESTION, type Shape, simulatedTree } from './simulated-tree.ts';

/** The results of one search over the whole tree of 900 nodes. */
export interface SimulatedRun {
  readonly nodes: number;
  /** Its time over the shortest possible: all calls except picks, in sequence, divided by the slots. */
  readonly ratio: number;
  readonly picks: number;
  readonly promptTokens: number;
  /** The picker's share of the prompt tokens, from 0 to 1. */
  readonly pickerShare: number;
  /** The share of the requests' bytes that are a prefix of an earlier request, from 0 to 1. */
  readonly sent: number;
  /** The same, counting only requests that had been answered when this one was sent. */
  readonly answered: number;
  /** The same as `sent`, if a prefix may extend into the answer: for servers that cache what they wrote. */
  readonly written: number;
}

/** Runs the tree of 900 nodes to its end, in virtual time and with the store in memory. */
export async function simulatedRun(
  picker: Picker,
  concurrency: number,
  seed: number,
  shape: Shape = 'deep',
): Promise<SimulatedRun> {
  const tree = simulatedTree(seed, shape);
  const latencyOf = latencies(seed);
  const beginnings = { sent: new Beginnings(), answered: new Beginnings(), written: new Beginnings() };
  const total = { work: 0, bytes: 0, sent: 0, answered: 0, written: 0 };
  const latencyMs = (request: ModelRequest): number => {
    const ms = latencyOf(request);
    if (request.purpose !== 'pick') total.work += ms;
    const blocks = blocksOf(request);
    total.bytes += blocks.bytes;
    for (const rule of ['sent', 'answered', 'written'] as const) total[rule] += beginnings[rule].sharedBytes(blocks);
    beginnings.sent.remember(blocks);
    beginnings.written.remember(blocks);
    void simulation.clock.sleep(ms).then(() => {
      beginnings.answered.remember(blocks);
      if (request.purpose !== 'pick') beginnings.written.remember(blocksOf(withAnswer(request)));
    });
    return ms;
  };
  const withAnswer = (request: ModelRequest): ModelRequest => {
    const call = { n: 0, attempt: 1, model: '', messages: [], maxTokens: undefined };
    const text = tree.answer({ ...call, purpose: request.purpose, node: request.node, prompt: request.prompt });
    const turns = [...request.turns, { role: 'user', text: request.prompt }, { role: 'assistant', text }] as const;
    return { ...request, turns, prompt: '' };
  };
  const simulation = await simulate({
    model: { tree, latencyMs, free: true },
    search: { options: { picker }, concurrency, limits: { size: 'all' } },
    file: { prompt: QUESTION },
    seed,
  });
  const begun = simulation.clock.now();
  await simulation.run();
  const { log } = simulation.model;
  const picks = log.filter(({ purpose }) => purpose === 'pick');
  const promptTokens = tokensOf(log);
  return {
    nodes: simulation.search.tree.finished,
    ratio: (simulation.clock.now() - begun) / (total.work / concurrency),
    picks: picks.length,
    promptTokens,
    pickerShare: tokensOf(picks) / promptTokens,
    sent: total.sent / total.bytes,
    answered: total.answered / total.bytes,
    written: total.written / total.bytes,
  };
}

function tokensOf(log: readonly { prompt: number }[]): number {
  return log.reduce((sum, { prompt }) => sum + prompt, 0);
}
