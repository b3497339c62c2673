import type { Purposes } from '../../core/ports/model.ts';

/** The purposes of a search's requests to models. */
export const thoughtPurposes = {
  decompose: {
    conversation: 'own',
    when: 'slot',
    guess: { prompt: 900, completion: 500 },
    doing: 'taking apart',
    brief: 'taking apart',
  },
  generate: {
    shared: true,
    conversation: 'own',
    when: 'slot',
    guess: { prompt: 1600, completion: 700 },
    doing: 'generating',
    brief: 'generating',
  },
  evaluate: {
    judged: true,
    conversation: 'own',
    last: true,
    effort: 'low',
    when: 'slot',
    guess: { prompt: 2000, completion: 600 },
    doing: 'evaluating',
    brief: 'evaluating',
  },
  'compare-solutions': {
    judged: true,
    conversation: 'own',
    last: true,
    when: 'slot',
    guess: { prompt: 3000, completion: 600 },
    doing: 'comparing solutions',
    brief: 'comparing',
  },
  synthesize: {
    conversation: 'none',
    last: true,
    when: 'end',
    guess: { prompt: 4000, completion: 1500 },
    doing: 'writing the report',
    brief: 'reporting',
  },
  review: {
    judged: true,
    conversation: 'none',
    last: true,
    when: 'end',
    guess: { prompt: 4500, completion: 900 },
    doing: 'reading the answer',
    brief: 'reviewing',
  },
} as const satisfies Purposes;
