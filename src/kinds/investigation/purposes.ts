import type { Purposes } from '../../core/ports/purpose.ts';

/** The purposes of an investigation's requests to models, where the engine leads it. */
export const investigationPurposes = {
  investigate: {
    conversation: 'own',
    isDocument: true,
    when: 'slot',
    guess: { prompt: 2500, completion: 700 },
    doing: 'looking into a lead',
    brief: 'investigating',
  },
  'verify-finding': {
    judged: true,
    conversation: 'own',
    isDocument: true,
    when: 'slot',
    guess: { prompt: 1500, completion: 500 },
    doing: 'checking what was found',
    brief: 'checking',
  },
  'propose-leads': {
    conversation: 'own',
    when: 'slot',
    guess: { prompt: 3000, completion: 400 },
    doing: 'proposing leads',
    brief: 'proposing leads',
  },
  synthesize: {
    conversation: 'none',
    last: true,
    when: 'end',
    guess: { prompt: 4000, completion: 700 },
    doing: 'writing the report',
    brief: 'reporting',
  },
} as const satisfies Purposes;

export type InvestigationPurpose = keyof typeof investigationPurposes;
