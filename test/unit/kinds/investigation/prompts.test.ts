import {
  checkPrompt,
  leadPrompt,
  planPrompt,
  systemText,
  verdictPrompt,
} from '../../../../src/kinds/investigation/led/prompts.ts';
import { describeGolden } from '../golden-prompts.ts';

const QUESTION = 'Why do files stay locked?';
const root = {
  ...{ id: 'R1.A', title: QUESTION, result: 'open' },
  claims: [
    {
      ...{ number: 1, text: '`open` takes the lock before it reads the file.', cites: ['src/lock.ts:12-15'] },
      verdict: 'CONFIRMED',
    },
  ],
  open: ['Whether the lock is released after an error.'],
};
const lead = {
  ...{ id: 'R2.A1', title: 'Release after an error', result: 'settled' },
  claims: [
    {
      ...{ number: 2, text: 'After an error in `read`, `release` is not called.', cites: ['src/read.ts:40-52'] },
      verdict: 'HOLDS IN PART: only where the error is thrown before line 44. (src/read.ts:44)',
    },
    {
      ...{ number: 3, text: 'A lock is given up after 30 s.', cites: ['src/lock.ts:30'] },
      verdict: 'REFUTED: 30 s is how long `open` waits; a lock is never given up. (src/lock.ts:28-33)',
    },
  ],
  open: [],
};
const answer = 'A lock is taken at open [1]; who releases it is not known.';

describe('the prompts of an investigation', () => {
  describeGolden('investigation', 'The prompts of an investigation', {
    system: systemText(QUESTION),
    root: leadPrompt({
      ...{ id: root.id, title: root.title, round: 1, lastRound: 5, plannedAction: '', wrongIf: '', answer: '' },
      ...{ above: undefined, others: [], reads: true, tries: false },
    }),
    lead: leadPrompt({
      ...{ id: lead.id, title: lead.title, round: 2, lastRound: 5, answer, above: root, reads: true, tries: false },
      plannedAction: 'Look at every way out of `read`, and at who calls `release`.',
      wrongIf: '`release` is called in a `finally`, or by the caller of `read`.',
      others: [{ id: 'R2.A2', title: 'Locks of processes that ended' }],
    }),
    check: checkPrompt({
      claims: lead.claims.map((claim, at) => ({ ...claim, number: at + 1, verdict: '' })),
      reads: true,
      tries: true,
    }),
    plan: planPrompt({
      ...{ round: 3, lastRound: 5, minRounds: 0, most: 5, left: 16, answer, leads: [root, lead], further: 0 },
      weakest: 'Nobody looked at the callers of `read`.',
      failed: [{ id: 'R2.A2', title: 'Locks of processes that ended' }],
    }),
    verdict: verdictPrompt({
      ...{ answer, leads: [root, lead], further: 0, contradictions: [[1, 3]], notes: '', reads: true },
      untouched: [{ id: 'R2.A2', title: 'Locks of processes that ended' }],
    }),
  });
});
