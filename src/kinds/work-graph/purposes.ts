import type { Purposes } from '../../core/ports/purpose.ts';

/** The purposes of a work graph's requests to models. */
export const workGraphPurposes = {
  align: {
    conversation: 'own',
    when: 'slot',
    guess: { prompt: 3000, completion: 1200 },
    doing: 'making the goal clear',
    brief: 'aligning',
  },
  plan: {
    conversation: 'own',
    when: 'slot',
    guess: { prompt: 4000, completion: 2500 },
    doing: 'planning the work',
    brief: 'planning',
  },
  probe: {
    conversation: 'own',
    when: 'slot',
    guess: { prompt: 6000, completion: 600 },
    doing: 'finding out whether it can be done',
    brief: 'probing',
  },
  'work-on': {
    conversation: 'own',
    when: 'slot',
    guess: { prompt: 20_000, completion: 3000 },
    doing: 'working on an atom',
    brief: 'working',
  },
  'judge-quality': {
    judged: true,
    conversation: 'own',
    when: 'slot',
    guess: { prompt: 6000, completion: 400 },
    doing: 'judging the quality of work',
    brief: 'judging',
  },
  decompose: {
    conversation: 'own',
    when: 'slot',
    guess: { prompt: 3000, completion: 800 },
    doing: 'splitting an atom',
    brief: 'splitting',
  },
} as const satisfies Purposes;

export type WorkGraphPurpose = keyof typeof workGraphPurposes;
