import type { Purposes } from '../../core/ports/model.ts';

/** The purposes of a search's requests to models. */
export const researchPurposes = {
  document: {
    conversation: 'node',
    isDocument: true,
    when: 'slot',
    guess: { prompt: 550, completion: 480 },
    doing: 'writing the document',
    brief: 'writing',
  },
  children: {
    conversation: 'node',
    effort: 'low',
    when: 'slot',
    guess: { prompt: 1100, completion: 120 },
    doing: 'listing topics',
    brief: 'finding subtopics',
  },
  pick: {
    judged: true,
    conversation: 'none',
    last: true,
    effort: 'low',
    when: 'alongside',
    guess: { prompt: 3000, completion: 300 },
    doing: 'choosing what comes next',
    brief: 'picking',
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
