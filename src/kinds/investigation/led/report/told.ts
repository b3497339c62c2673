import { isPruned } from '../../../../core/tree/tree.ts';
import type { Lead } from '../../run/read-investigation.ts';
import { type Claim, type Known, readKnown } from '../claims.ts';
import { isCheck, type LedSearch, type Moment, momentOf, rootLeadOf, type Standing } from '../led-investigation.ts';

/** Everything that a report tells of an investigation. */
export interface Told {
  readonly moment: Moment;
  readonly known: readonly Known[];
  /** The findings of all of them, in that order: their numbers are their places, from 1. */
  readonly claims: readonly Claim[];
  readonly standing: Standing | undefined;
  /** Findings that cannot both be true, of which none was refuted. */
  readonly contradictions: readonly (readonly [Claim, Claim])[];
  /** Leads that nobody looked into. */
  readonly untouched: readonly Lead[];
}

/** Reads what an investigation has found so far. */
export async function readTold(ctx: LedSearch): Promise<Told> {
  const moment = momentOf(ctx);
  const known = await readKnown(ctx.store, moment);
  const claims = known.flatMap((each) => each.claims);
  const standing = rootLeadOf(moment)?.own.standing;
  const find = ({ node, claim }: Standing['contradictions'][number][number]): Claim | undefined =>
    claims.find(({ lead, place }) => lead.own.nodeId === node && place === claim);
  const contradictions = (standing?.contradictions ?? []).flatMap(([a, b]): (readonly [Claim, Claim])[] => {
    const [one, other] = [find(a), find(b)];
    return one && other && isStanding(one) && isStanding(other) ? [[one, other]] : [];
  });
  const untouched = moment.leads.filter(
    (lead) => lead.own.state === undefined && !isCheck(lead) && !isPruned(lead.node),
  );
  return { moment, known, claims, standing, contradictions, untouched };
}

function isStanding({ verdict }: Claim): boolean {
  return verdict?.outcome !== 'refuted';
}
