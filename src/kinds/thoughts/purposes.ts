import type { Purposes } from '../../core/ports/purpose.ts';

/** The purposes of a search's requests to models. */
export const thoughtPurposes = {
  decompose: {
    conversation: 'own',
    when: 'slot',
    guess: { prompt: 800, completion: 400 },
    doing: 'taking apart',
    brief: 'taking apart',
  },
  generate: {
    conversation: 'own',
    when: 'slot',
    guess: { prompt: 1200, completion: 500 },
    doing: 'generating',
    brief: 'generating',
  },
  evaluate: {
    judged: true,
    conversation: 'own',
    last: true,
    effort: 'low',
    when: 'slot',
    guess: { prompt: 1200, completion: 300 },
    doing: 'evaluating',
    brief: 'evaluating',
  },
  synthesize: {
    conversation: 'none',
    last: true,
    when: 'end',
    guess: { prompt: 6000, completion: 700 },
    doing: 'writing the report',
    brief: 'reporting',
  },
} as const satisfies Purposes;
