import type { GraphDetails } from '../../../src/protocol/graph-node.ts';

/** What a host knows of a node that was worked on. */
export const DETAILS: Omit<GraphDetails, 'path'> = {
  document:
    '# Sessions\n\nThe server keeps **no state**; see [the map](../map.md#L3).\n\n- one\n- two\n\n```ts\nconst a = 1;\n```\n',
  reasoning: 'It covers what every request passes.',
  votes: [7, 8.5],
  note: 'Look at the cookie too.',
  calls: [
    {
      number: 1,
      purpose: 'document',
      model: 'a/b',
      attempt: 1,
      time: '2026-11-01T10:00:00Z',
      outcome: 'ok',
      ms: 5321,
      prompt: 12_000,
      cached: 9000,
      completion: 800,
      usd: 0.02,
    },
    {
      number: 2,
      purpose: 'children',
      model: 'a/b',
      attempt: 2,
      time: '2026-11-01T10:00:09Z',
      outcome: 'rate-limited',
      message: 'Too many.',
      ms: 900,
      worst: 9000,
    },
  ],
  steered: [{ time: '2026-11-01T10:00:00Z', by: 'vscode', message: 'It is expanded next.' }],
};
