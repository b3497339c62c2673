import { type KindMarks, type Look, lookOfStatus, type NodeMark, type NodeView } from '../../core/kind/kind-face.ts';

// How leads look, in every host: light, as faces are.

const OPEN: Look = { glyph: 'open', tone: 'plain' };
const END: Look = { glyph: 'end', tone: 'good' };
const CUT: Look = { glyph: 'cut', tone: 'dim' };

const LOOKS: Readonly<Record<string, Look>> = {
  EXPLORE: OPEN,
  DRILL: OPEN,
  FOUND: { glyph: 'end', tone: 'busy' },
  VERIFY: END,
  VALID: END,
  SPEC: { glyph: 'end', tone: 'busy' },
  EXHAUST: { glyph: 'aside', tone: 'dim' },
  DEAD: CUT,
};
const PENDING: Look = { glyph: 'aside', tone: 'plain' };
const REFUTED: Look = { glyph: 'failed', tone: 'bad' };

/** What a node's own fields say, as far as its look depends on it; its kind checks the rest. */
interface Own {
  readonly nodeId?: unknown;
  readonly round?: unknown;
  readonly state?: unknown;
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

/** The look of a lead: its state's; a proposal looks pending until it is committed. */
export function lookOfLead(node: NodeView): Look {
  const own = ownOf(node.own);
  const usual = lookOfStatus(node);
  if (own.nodeId === undefined || ['in-progress', 'pruned', 'failed'].includes(node.status)) return usual;
  const state = stateOf(own);
  if (state === undefined) return PENDING;
  if (isRefuted(own, node.below ?? [])) return REFUTED;
  if (state === 'FOUND' && node.below?.some((each) => ownOf(each).state === 'VERIFY')) return END;
  return LOOKS[state] === OPEN && node.status === 'expanded' ? usual : (LOOKS[state] as Look);
}

/** A solution below which a check failed, and none held since. */
function isRefuted(own: Own, below: readonly unknown[]): boolean {
  if (own.state !== 'FOUND') return false;
  const last = (state: string): number =>
    Math.max(-1, ...below.map(ownOf).map((each) => (each.state === state ? Number(each.commit ?? 0) : -1)));
  return last('DEAD') >= 0 && last('VERIFY') <= last('DEAD');
}

const TEXTS = { pending: 'pending', refuted: 'refuted', unverified: 'unverified' } as const;

/** Round, state, and what a person should know before believing it. */
export const leadMarks: KindMarks = {
  texts: Object.values(TEXTS),
  of: (given, below, receipt) => {
    const own = ownOf(given);
    if (own.nodeId === undefined) return [];
    const round: NodeMark = { text: `R${Number(own.round ?? 0)}`, tone: 'dim' };
    const state = stateOf(own);
    if (state === undefined) return [round, { text: TEXTS.pending, tone: 'busy' }];
    const marks: NodeMark[] = [round, { text: state, tone: LOOKS[state]?.tone ?? 'plain' }];
    if (isRefuted(own, below)) marks.push({ text: TEXTS.refuted, tone: 'bad' });
    const isKnown =
      receipt === undefined ? own.receipt !== undefined || own.isVerified === true : receipt !== 'unverified';
    if (!isKnown) marks.push({ text: TEXTS.unverified, tone: 'dim' });
    return marks;
  },
};
