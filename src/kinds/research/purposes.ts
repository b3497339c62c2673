import type { Purposes } from '../../core/ports/purpose.ts';

/** What a search asks its models for. */
export const researchPurposes = {
  document: {
    conversation: 'node',
    when: 'slot',
    guess: { prompt: 700, completion: 900 },
    doing: 'writing',
  },
  children: {
    conversation: 'node',
    when: 'slot',
    guess: { prompt: 1700, completion: 300 },
    doing: 'finding subtopics',
  },
  pick: {
    judged: true,
    conversation: 'none',
    last: true,
    when: 'beside',
    guess: { prompt: 3000, completion: 300 },
    doing: 'picking',
  },
  synthesize: {
    conversation: 'none',
    last: true,
    when: 'end',
    guess: { prompt: 6000, completion: 700 },
    doing: 'writing the report',
  },
} as const satisfies Purposes;
