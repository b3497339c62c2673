import type { Purposes } from '../../core/ports/purpose.ts';

/** What a search asks its models for. */
export const thoughtPurposes = {
  decompose: {
    conversation: 'own',
    when: 'slot',
    guess: { prompt: 800, completion: 400 },
    doing: 'taking apart',
  },
  generate: {
    conversation: 'own',
    when: 'slot',
    guess: { prompt: 1200, completion: 500 },
    doing: 'generating',
  },
  evaluate: {
    judged: true,
    conversation: 'own',
    last: true,
    when: 'slot',
    guess: { prompt: 1200, completion: 300 },
    doing: 'evaluating',
  },
  synthesize: {
    conversation: 'none',
    last: true,
    when: 'end',
    guess: { prompt: 6000, completion: 700 },
    doing: 'writing the report',
  },
} as const satisfies Purposes;
