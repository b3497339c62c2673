import * as z from 'zod';
import { Said } from '../core/messages/said.ts';
import { ToolCall, ToolResult } from '../core/ports/tool.ts';

/** Both sides name it; a worker of another one is refused. */
export const PROTOCOL = 1;

const text = z.string().max(8 * 1024 * 1024);
const name = z.string().min(1).max(300);
const tokens = z.number().int().nonnegative().max(1e12);
const money = z.number().nonnegative().max(1e9);
const Finish = z.enum(['stop', 'length', 'refused', 'tools', 'other']);
const Doubt = z.enum(['nothing', 'prompt', 'reasoning', 'sums', 'length', 'endless', 'cost']);

const mac = z.string().regex(/^[0-9a-f]{64}$/);
/** Becomes the name of a file. */
export const SessionId = z.uuid();

/** One turn of a conversation. */
const Turn = z.object({
  role: z.enum(['user', 'assistant']),
  text,
  /** Of an agent's answer. */
  session: SessionId.optional(),
  toolCalls: z.array(ToolCall).max(1000).optional(),
  toolResults: z.array(ToolResult).max(1000).optional(),
});

/** The request: all that a model behind HTTP reads. Nothing in it names a server, a header or a file. */
const Request = z.object({
  /** Becomes a header. */
  purpose: z.string().regex(/^[\w.-]{1,100}$/),
  node: z.string().max(4000),
  system: text,
  turns: z.array(Turn).max(10_000),
  shared: z.number().int().nonnegative().optional(),
  prompt: text,
  toolResults: z.array(ToolResult).max(1000).optional(),
  tools: z
    .array(z.object({ name: z.string().max(200), description: text, parameters: z.record(z.string(), z.unknown()) }))
    .max(200)
    .optional(),
  toolsAreOver: z.boolean().optional(),
  isLast: z.boolean().optional(),
  maxOutputTokens: z.number().int().positive().max(10_000_000),
  effort: z.literal('low').optional(),
});
export type WireRequest = z.infer<typeof Request>;

/** One call, as the leader sends it: plain data. */
export const Call = z.object({
  protocol: z.literal(PROTOCOL),
  /** Of the job that carries it. */
  id: z.uuid(),
  /** The search whose answers it belongs to. */
  search: z.string().regex(/^[0-9a-f]{1,64}$/),
  /** `provider/model`. */
  model: name,
  /**
   * Of a server of one's own, such as `https://gpu.example:8080`; the worker's own settings must have the same. For an
   * agent, what names user, computer, folder and model to those who have the user's key.
   */
  origin: z.string().max(300).optional(),
  request: Request,
  /** The time that it may take, from the moment that a worker takes it. */
  seconds: z.number().positive().max(86_400),
  /** Known to the leader and to whoever took the call: an answer has to name it. An agent's worker makes it itself. */
  token: mac.optional(),
  /** Of a call to an agent: that it is from the same user on the same computer. */
  proof: mac.optional(),
});
export type Call = z.infer<typeof Call>;

/** Tokens as the worker's server counted them. */
const Usage = z.object({
  prompt: tokens,
  cached: tokens,
  completion: tokens,
  written: tokens.optional(),
  usd: money.optional(),
});
export type WireUsage = z.infer<typeof Usage>;

/** A session of an agent, and that it came of the call. */
const AgentSession = z.object({ id: SessionId, proof: mac });
export type AgentSession = z.infer<typeof AgentSession>;

const Answered = z.object({
  outcome: z.literal('answer'),
  text,
  finish: Finish,
  toolCalls: z.array(ToolCall).max(1000).optional(),
  agentSession: AgentSession.optional(),
  usage: Usage.optional(),
  doubts: z.array(Doubt).max(10).optional(),
});

/** The reasons for which a worker may say that a call failed; others are not its to give. */
export const Failed = z.object({
  outcome: z.literal('failure'),
  reason: z.enum([
    'unreachable',
    'rate-limited',
    'server-error',
    'key-refused',
    'quota-exceeded',
    'unknown-model',
    'redirected',
    'bad-request',
    'timed-out',
    'cut-off',
    'refused',
    'bad-answer',
    'aborted',
    'internal',
  ]),
  message: z.string().max(4000),
  say: Said,
  retryAfterMs: z.number().nonnegative().max(86_400_000).optional(),
  charged: z.boolean(),
  isTooLong: z.boolean().optional(),
  refusesTools: z.boolean().optional(),
  asksOtherwise: z.boolean().optional(),
  contextTokens: z.number().int().positive().max(1e9).optional(),
  doubts: z.array(Doubt).max(10).optional(),
});

/** The answer that a worker gives back. */
export const Answer = z.object({
  protocol: z.literal(PROTOCOL),
  id: z.uuid(),
  token: z.string().max(64),
  worker: z.string().max(200),
  /** When a call is taken twice, its two answers differ in this. */
  taken: z.uuid(),
  /** The bytes that arrived from the server. */
  received: z.number().int().nonnegative(),
  result: z.discriminatedUnion('outcome', [Answered, Failed]),
});
export type Answer = z.infer<typeof Answer>;
export type Result = Answer['result'];

const rate = z.number().nonnegative().max(1_000_000);
const Rates = { prompt: rate, cached: rate, completion: rate, cacheWrite: rate.optional() };
const Thinking = z.object({ usual: tokens, low: tokens });

/** A model that a worker serves. */
export const ServedModel = z.object({
  /** Of the queue for its calls. */
  queue: name,
  name,
  price: z.object({ ...Rates, long: z.object({ ...Rates, above: tokens }).optional() }).optional(),
  contextTokens: z.number().int().positive().max(1e9).optional(),
  thinking: Thinking.optional(),
  free: z.boolean(),
  tools: z.boolean(),
  warmsCache: z.boolean(),
  /** Of an agent that may change files: one call is made at a time. */
  changesWorkspace: z.boolean().optional(),
  /** Tells servers with their keys apart, without telling the key. */
  account: z.string().max(64).optional(),
});
export type ServedModel = z.infer<typeof ServedModel>;

/** A search's name in the queue. */
const searchName = z.string().regex(/^[0-9a-f]{1,64}$/);

const mark = z.string().regex(/^[0-9a-f]{32}$/);
/** Where a worker runs agents, as only programs of the same user on the same computer can tell. */
const AgentMarks = z.object({ host: mark, folder: mark });
export type AgentMarks = z.infer<typeof AgentMarks>;

/** The state that a worker shows of itself, again every few seconds. */
export const WorkerRegistration = z.object({
  kind: z.literal('worker'),
  protocol: z.number().int(),
  version: z.string().max(50),
  id: z.string().min(1).max(100),
  host: z.string().max(200),
  pid: z.number().int(),
  slots: z.number().int().min(0).max(10_000),
  state: z.enum(['working', 'draining', 'capped']),
  models: z.array(ServedModel).max(200),
  /** If it runs agents. */
  agents: AgentMarks.optional(),
  /** The calls that it works on now. */
  calls: z
    .array(
      z.object({
        model: name,
        node: z.string().max(4000),
        purpose: z.string().max(100),
        since: z.number(),
        /** Whose call it is. */
        search: searchName.optional(),
      }),
    )
    .max(10_000),
  /** Today. */
  spent: z.object({ calls: tokens, tokens, usd: money }),
});
export type WorkerRegistration = z.infer<typeof WorkerRegistration>;

/** The state that a leader shows: which models its search asks for. */
export const LeaderRegistration = z.object({
  kind: z.literal('leader'),
  protocol: z.number().int(),
  id: z.string().min(1).max(100),
  version: z.string().max(50).optional(),
  title: z.string().max(300),
  /** Once it has sent something. */
  search: searchName.optional(),
  /** `queue`: of the calls for it, which is kept as long as a registration names it. */
  models: z.array(z.object({ name, origin: z.string().max(300).optional(), queue: name.optional() })).max(20),
  underWay: z.number().int().nonnegative(),
  /** So many slots it asks for at most. */
  share: z.number().int().nonnegative().optional(),
});
export type LeaderRegistration = z.infer<typeof LeaderRegistration>;

/** The part that is read of another protocol's registration: all versions have so much. */
const OtherRegistration = z.object({
  kind: z.enum(['worker', 'leader']),
  protocol: z.number().int(),
  version: z.string().max(50).optional(),
  id: z.string().min(1).max(100),
  host: z.string().max(200).optional(),
});
export interface OtherRegistration extends Omit<z.infer<typeof OtherRegistration>, 'kind'> {
  readonly kind: 'other';
  readonly of: 'worker' | 'leader';
}

export type OwnRegistration = WorkerRegistration | LeaderRegistration;
export type Registration = OwnRegistration | OtherRegistration;

/** Reads what somebody wrote as a registration; undefined if it has no form of one. */
export function readRegistration(value: unknown): Registration | undefined {
  const other = OtherRegistration.safeParse(value).data;
  if (!other) return undefined;
  if (other.protocol !== PROTOCOL) return { ...other, kind: 'other', of: other.kind };
  return z.discriminatedUnion('kind', [WorkerRegistration, LeaderRegistration]).safeParse(value).data;
}
