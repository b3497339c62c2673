import type { ActionDescriptors } from '../../core/actions/action-descriptor.ts';
import {
  type KindDescriptor,
  type KindMarks,
  type Look,
  lookOfStatus,
  type NodeMark,
  type NodeView,
  type OptionDescriptor,
  type OptionsOf,
  PLAIN_DESCRIPTOR,
} from '../../core/kind/kind-descriptor.ts';
import type { Purposes } from '../../core/ports/model.ts';

// The looks of leads, for every host: light, as descriptors are.

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

/** The words for states, where no outcome says more. */
const STATE_WORDS: Readonly<Record<string, string>> = {
  EXPLORE: 'looked into',
  DRILL: 'followed up',
  FOUND: 'found',
  VERIFY: 'confirmed',
  VALID: 'holds',
  SPEC: 'a theory',
  EXHAUST: 'exhausted',
  DEAD: 'led nowhere',
};

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

/** Returns the look of a lead: its state's; a proposal looks pending until it is committed. */
function lookOfLead(node: NodeView): Look {
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
const leadMarks: KindMarks = {
  texts: [...new Set([PENDING_TEXT, UNVERIFIED, UNCHECKED, REFUTED_TEXT, ...OUTCOMES, ...Object.values(STATE_WORDS)])],
  of: (given, below, receipt) => {
    const own = ownOf(given);
    if (own.nodeId === undefined) return [];
    const number = Number(own.round ?? 0);
    const round: NodeMark = { text: `R${number}`, tone: 'dim', ...(Number.isSafeInteger(number) && { round: number }) };
    const state = stateOf(own);
    if (state === undefined) return [round, { text: PENDING_TEXT, tone: 'busy' }];
    const outcome = outcomeOf(own);
    const { tone } = SPECIAL[outcome] ?? LOOKS[state] ?? OPEN;
    const isUnchecked =
      outcome === 'settled' && !below.some((each) => ownOf(each).role === 'check' && ownOf(each).state);
    const marks: NodeMark[] = [
      round,
      { text: isUnchecked ? UNCHECKED : outcome || (STATE_WORDS[state] as string), tone },
    ];
    if (isRefuted(own, below)) marks.push({ text: REFUTED_TEXT, tone: 'bad' });
    const isKnown =
      receipt === undefined ? own.receipt !== undefined || own.isVerified === true : receipt !== 'unverified';
    if (!isKnown) marks.push({ text: UNVERIFIED, tone: 'dim' });
    return marks;
  },
};

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

/** Agents make these calls; people have no use for them. */
const BY_NAME = { on: 'search', when: () => false, isForClients: true } as const;

/** The calls of the protocol, as actions on an investigation. */
const INVESTIGATION_ACTIONS = {
  propose: {
    ...BY_NAME,
    name: 'propose',
    title: 'Propose leads…',
    help: 'propose the next nodes: all of them, or none',
    args: [
      { name: 'nodes', type: 'json', required: true, help: 'a list of {"id", "parent", "title", "plannedAction"}' },
    ],
  },
  commit: {
    ...BY_NAME,
    name: 'commit',
    title: 'Commit findings…',
    help: 'commit what was found: all of it, or nothing',
    args: [{ name: 'results', type: 'json', required: true, help: 'a list of {"nodeId", "state", "findings"}' }],
  },
  reclassify: {
    ...BY_NAME,
    name: 'reclassify',
    title: 'Reclassify lead…',
    help: 'give a node another state',
    args: [
      { name: 'id', type: 'text', required: true, help: 'the id of the node, such as R2.A1', most: 100 },
      { name: 'state', type: 'text', required: true, help: 'its new state', most: 20 },
    ],
  },
  conclude: {
    ...BY_NAME,
    name: 'conclude',
    title: 'Conclude investigation',
    help: 'end it with its report, if the rules allow it',
    args: [],
  },
} as const satisfies ActionDescriptors;

/** The formats of an investigation: the file of older servers, which can be read again; its graph, and its references. */
export const INVESTIGATION_FORMATS = ['tree-of-thoughts', 'dot', 'references'] as const;

/** The most rounds that may be asked for. */
export const MOST_ROUNDS = 20;

const INVESTIGATION_OPTIONS = [
  {
    name: 'profile',
    type: 'choice',
    choices: ['strict', 'g1', 'g2', 'g3'],
    default: 'strict',
    help: 'its rules: ours, or those of an older server (default: strict)',
    hidden: true,
  },
  {
    name: 'minRounds',
    type: 'integer',
    least: 0,
    most: MOST_ROUNDS,
    flag: 'min-rounds',
    value: 'n',
    help: 'rounds that it has at least (default: 0; for agents 5)',
    forPeople: true,
  },
  {
    name: 'requireAgents',
    type: 'boolean',
    default: false,
    help: 'refuse results without an agent whose session was found',
    hidden: true,
  },
  { name: 'sessionId', type: 'text', most: 100, help: 'its id for clients', hidden: true },
  { name: 'projectDir', type: 'text', most: 1000, help: 'the folder that its agents work in', hidden: true },
  { name: 'minRoots', type: 'integer', least: 1, most: 1000, help: 'roots that the first round needs', hidden: true },
  { name: 'mode', type: 'choice', choices: ['smoke', 'deep', 'exhaustive'], help: 'how far it goes', hidden: true },
  { name: 'allowEarlyTerminal', type: 'boolean', help: 'whether branches may end early', hidden: true },
] as const satisfies readonly OptionDescriptor[];

/** The options of an investigation in search.json, in addition to those of all kinds. */
export type InvestigationOptions = OptionsOf<typeof INVESTIGATION_OPTIONS>;

/** The beginnings of questions about what is true, or what a trouble comes from. */
const TO_FIND_OUT = [
  /^\s*(?:(?:please )?(?:investigate|debug|find out (?:why|whether|if)|check (?:whether|if)|prove|disprove)\b|is it true\b|what (?:is the root cause|causes|is wrong|goes wrong)\b|what's wrong\b|(?:is|are) there (?:an?|any|some) (?:\w+ )?(?:bug|leak|race condition|mistake|error)s?\b)/i,
  /^\s*(?:why\b|(?:i|we) (?:think|believe|guess)\b).{0,200}(?:\b(?:bug|leak|race condition|mistake|error|fail|crash|hang|slow|flak|tim(?:e|es|ing) out|broken|wrong|incorrect|not work)\w{0,4}\b|n't (?:[\w-]+ ){0,4}work\b)/i,
  /^\s*(?:(?:i|we) suspect|(?:(?:i|we) have )?(?:(?:a|the|my|our) )?suspicion)\b/i,
  /^\s*(?:请|帮我|请帮我)?(?:调查|查明|查清|排查|验证是否)|^\s*(?:我|我们)(?:怀疑|猜测)|^\s*为什么.{0,100}(?:失败|出错|错误|崩溃|很慢|变慢|太慢|卡住|超时|泄漏|不对|不工作)|^\s*是否?有.{0,20}(?:bug|错误|漏洞|泄漏)/i,
  /疑って|疑いが|ではないか|調査して|原因を調べ|^\s*(?:なぜ|どうして).{0,100}(?:失敗|エラー|落ち|クラッシュ|遅い|遅く|タイムアウト|リーク|間違|動かない|おかしい)|バグ(?:が|は)あ/i,
];

/** "Investigate a question": rounds of nodes that agents propose, research, check and commit, by the rules of a protocol. */
export const investigationDescriptor: KindDescriptor = {
  ...PLAIN_DESCRIPTOR,
  name: 'investigation',
  purposes: investigationPurposes,
  words: {
    title: 'Investigate a question',
    detail: 'Leads, each looked into by somebody who knows nothing else; others try to refute what was found.',
    icon: 'search',
    about: 'investigate a question in rounds',
    question: 'What do you want to have investigated?',
    example: 'Why do some requests time out?',
    node: 'lead',
    nodes: 'leads',
    one: '1 lead',
    several: '{0} leads',
    progress: '{0} done, {1} open',
    untouched: '{0} open',
    label: 'Leads',
    addNode: 'Add a lead',
    addPrompt: 'What should be looked into?',
    whichNode: 'Which lead?',
    notOneNode: 'This can be done with a lead, not with a whole investigation.',
    findNodes: 'Find leads',
    beginning: 'Waiting for the first lead',
    finished: '"{0}" is finished: {1}.',
  },
  options: INVESTIGATION_OPTIONS,
  guess: (question) => (TO_FIND_OUT.some((form) => form.test(question)) ? {} : undefined),
  traits: { ...PLAIN_DESCRIPTOR.traits, mayTry: true },
  // One that an agent leads has an id for its calls, since the server gives it one at its start.
  isLedOutside: ({ sessionId }) => Boolean(sessionId),
  actions: INVESTIGATION_ACTIONS,
  formats: INVESTIGATION_FORMATS,
  look: lookOfLead,
  marks: leadMarks,
};
