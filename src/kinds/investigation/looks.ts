import type { Look } from '../../core/kind/kind-drawing.ts';
import { type KindMarks, lookOfStatus, type NodeMark, type NodeView } from '../../core/kind/kind-face.ts';

// The looks of leads, for every host: light, as faces are.

const OPEN: Look = { glyph: 'open', tone: 'plain' };
const END: Look = { glyph: 'end', tone: 'good' };
const BUSY: Look = { glyph: 'end', tone: 'busy' };
const CUT: Look = { glyph: 'cut', tone: 'dim' };

const LOOKS: Readonly<Record<string, Look>> = {
  EXPLORE: OPEN,
  DRILL: OPEN,
  FOUND: BUSY,
  VERIFY: END,
  VALID: END,
  SPEC: BUSY,
  EXHAUST: { glyph: 'aside', tone: 'dim' },
  DEAD: CUT,
};
const PENDING: Look = { glyph: 'aside', tone: 'plain' };
const REFUTED: Look = { glyph: 'failed', tone: 'bad' };

/** The fields of a node that its look depends on; its kind checks the rest. */
interface Own {
  readonly nodeId?: unknown;
  readonly round?: unknown;
  readonly state?: unknown;
  readonly outcome?: unknown;
  readonly role?: unknown;
  readonly commit?: unknown;
  readonly isVerified?: unknown;
  readonly receipt?: unknown;
}

function ownOf(own: unknown): Own {
  return typeof own === 'object' && own !== null ? own : {};
}

function stateOf({ state }: Own): string | undefined {
  return typeof state === 'string' && Object.hasOwn(LOOKS, state) ? state : undefined;
}

/** The outcomes of leads and checks, which say more than states, and the looks that differ from the states'. */
const OUTCOMES = ['settled', 'open', 'nothing', 'quoted', 'confirmed', 'in part', 'refuted', 'not checked'] as const;
const SPECIAL: Readonly<Record<string, Look>> = { 'in part': BUSY, refuted: REFUTED, 'not checked': BUSY };

function outcomeOf({ outcome }: Own): string {
  return OUTCOMES.find((each) => each === outcome) ?? '';
}

/** The look of a lead: its state's; a proposal looks pending until it is committed. */
export function lookOfLead(node: NodeView): Look {
  const own = ownOf(node.own);
  const below = node.below ?? [];
  const usual = lookOfStatus(node);
  if (own.nodeId === undefined || ['in-progress', 'pruned', 'failed'].includes(node.status)) return usual;
  const state = stateOf(own);
  if (state === undefined) return PENDING;
  if (isRefuted(own, below)) return REFUTED;
  const special = SPECIAL[outcomeOf(own)];
  if (special) return special;
  if (state === 'FOUND' && below.some((each) => ownOf(each).state === 'VERIFY')) return END;
  return LOOKS[state]?.glyph === 'open' && node.status === 'expanded' ? usual : (LOOKS[state] as Look);
}

/** Tells whether a check of a lead or a solution failed, and none held since. Leads below it check nothing. */
function isRefuted(own: Own, below: readonly unknown[]): boolean {
  const isLead = own.role === 'lead';
  if (own.state !== 'FOUND' && !isLead) return false;
  const last = (state: string): number =>
    Math.max(
      -1,
      ...below
        .map(ownOf)
        .map((each) => (each.state === state && isLead === (each.role === 'check') ? commitOf(each) : -1)),
    );
  const failed = last('DEAD');
  return failed > (isLead ? commitOf(own) : -1) && last('VERIFY') <= failed;
}

function commitOf({ commit }: Own): number {
  return Number(commit ?? 0);
}

const [PENDING_TEXT, REFUTED_TEXT, UNVERIFIED, UNCHECKED] = ['pending', 'refuted', 'unverified', 'unchecked'] as const;

/** Round, state, and what a person should know before believing it. */
export const leadMarks: KindMarks = {
  texts: [PENDING_TEXT, UNVERIFIED, UNCHECKED, ...OUTCOMES],
  of: (given, below, receipt) => {
    const own = ownOf(given);
    if (own.nodeId === undefined) return [];
    const round: NodeMark = { text: `R${Number(own.round ?? 0)}`, tone: 'dim' };
    const state = stateOf(own);
    if (state === undefined) return [round, { text: PENDING_TEXT, tone: 'busy' }];
    const outcome = outcomeOf(own);
    const { tone } = SPECIAL[outcome] ?? LOOKS[state] ?? OPEN;
    const isUnchecked =
      outcome === 'settled' && !below.some((each) => ownOf(each).role === 'check' && ownOf(each).state);
    const marks: NodeMark[] = [round, { text: isUnchecked ? UNCHECKED : outcome || state, tone }];
    if (isRefuted(own, below)) marks.push({ text: REFUTED_TEXT, tone: 'bad' });
    const isKnown =
      receipt === undefined ? own.receipt !== undefined || own.isVerified === true : receipt !== 'unverified';
    if (!isKnown) marks.push({ text: UNVERIFIED, tone: 'dim' });
    return marks;
  },
};
