import type { JournalEvent } from '../../../src/core/search/events.ts';
import { callOfJob, jobOf } from '../../../src/fleet/names.ts';
import type { LoggedRequest } from '../servers/scripted-server.ts';

/** How often a question was asked and answered, by the server's own count and by the search's. */
export interface QuestionCount {
  readonly asked: string;
  /** Requests that the server got. */
  served: number;
  /** Those that it answered whole. */
  answered: number;
  /** Calls that count as spent: ended, at their worst case, or further deliveries. */
  counted: number;
  /** Of those, the ones whose answer the search has. */
  used: number;
}

/**
 * The counts of each question.
 * @param search its name in the queue, by which further deliveries are told
 */
export function countQuestions(
  search: string,
  journal: readonly JournalEvent[],
  log: readonly LoggedRequest[],
): QuestionCount[] {
  const counts = new Map<string, QuestionCount>();
  const of = ({ purpose, node }: { purpose: string; node: string }): QuestionCount => {
    const asked = `${purpose} ${node}`;
    const count = counts.get(asked) ?? { asked, served: 0, answered: 0, counted: 0, used: 0 };
    counts.set(asked, count);
    return count;
  };
  for (const request of log) {
    of(request).served++;
    if (request.outcome === 'answered') of(request).answered++;
  }
  const byCall = new Map<string, { purpose: string; node: string }>();
  for (const event of journal) {
    if (event.type === 'call-started') {
      of(event).counted++;
      byCall.set(callOfJob(jobOf(search, event.call, 'any')), event);
    }
    if (event.type === 'call-ended' && !event.charged) of(event).counted--;
    if (event.type === 'call-ended' && event.usage) of(event).used++;
    const further = event.type === 'spend-remembered' && event.job ? byCall.get(callOfJob(event.job)) : undefined;
    if (further) of(further).counted++;
  }
  return [...counts.values()];
}
