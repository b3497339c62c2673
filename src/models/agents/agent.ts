import { createHash } from 'node:crypto';
import type { Model, ModelAnswer, ModelCall, ModelRequest, Turn, Workplace } from '../../core/ports/model.ts';
import { isThoughtTreeError } from '../../core/search/errors.ts';

/** A question for an agent. It may make many requests of its own, and use tools, before it answers. */
export interface AgentQuestion {
  readonly system: string;
  readonly prompt: string;
  /** The session to fork, which stays unchanged; by default a new one is started. */
  readonly from?: string;
  /** Where it works; by default in the workspace, with the rights that the person gave. */
  readonly workplace?: Workplace;
  /** The id of the resulting session, a UUID; by default the agent's choice. */
  readonly id?: string;
  /** True if the resulting session may be forked later. */
  readonly isKept: boolean;
  /** The longest single answer, in tokens. */
  readonly maxOutputTokens: number;
}

/** The most that one question may use. */
export interface AgentLimits {
  /** Requests to its model. */
  readonly turns: number;
  /** Tokens of all these requests together. */
  readonly tokens: number;
  readonly usd: number;
}

/** Something an agent wants to do that nobody has allowed yet. */
export interface PermissionQuestion {
  readonly agent: string;
  /** The agent's name for it, such as `Read`. */
  readonly tool: string;
  /** The input of the tool, in one line for people. */
  readonly what: string;
}

/** Asks the person; false refuses. */
type AskPermission = (question: PermissionQuestion, signal: AbortSignal) => Promise<boolean>;

export interface AgentOptions {
  /** Folder of the agent's package, or one with a `node_modules` that contains it. */
  readonly path?: string;
  /** Asks the person whether a package that may have come with the workspace may be run; without it, none is. */
  readonly mayLoad?: (folder: string) => Promise<boolean>;
  /** The tools that it may use besides reading, in its own terms, as in `Bash(git log:*)`. */
  readonly allowedTools?: readonly string[];
  /** Answers its permission questions; without it, they are refused. */
  readonly askPermission?: AskPermission;
  readonly limits?: Partial<AgentLimits>;
  /** Asks the person whether an agent may be started that they were not asked about before; without it, none is. */
  readonly mayStart?: ((agent: StartedAgent) => Promise<boolean>) | undefined;
  /** The host of agents of the Agent Client Protocol; without it, none is started. */
  readonly acp?: AcpHost;
}

/** A program that a person is asked about before it is started as an agent. */
export interface StartedAgent {
  readonly name: string;
  readonly path: string;
  readonly version: string;
  /** The whole command. */
  readonly line: string;
}

/** An agent of the user's own settings. */
export interface OwnCommand {
  readonly command: readonly [string, ...string[]];
  /** Names of variables that it gets. */
  readonly env?: readonly string[] | undefined;
  /** Folders in which it may write in any role: its sessions. */
  readonly writes?: readonly string[] | undefined;
}

/** Where an agent works, and what it may write. */
interface HeldPlace {
  readonly workspace: string;
  readonly folder: string;
  /** Whether it may write in that folder. */
  readonly canWrite: boolean;
  /** Folders and files of its own, if they are there. */
  readonly state: readonly string[];
}

interface Program {
  readonly program: string;
  readonly args: readonly string[];
}

/** What agents of the Agent Client Protocol need of this computer and its person. */
export interface AcpHost {
  /** Returns the command of an agent as the user's own settings say it. */
  commandOf(name: string): OwnCommand | undefined;
  /** Tells whether the person agreed to exactly this program, now or before. */
  mayStart(agent: StartedAgent): Promise<boolean>;
  /** Returns the program inside of a sandbox; undefined where none holds it. */
  hold(program: Program, place: HeldPlace): Promise<Program | undefined>;
}

/** The default limits of a question. */
export const AGENT_LIMITS: AgentLimits = { turns: 20, tokens: 300_000, usd: 0.5 };

/** A complete agent: it keeps sessions of its own, and reads the workspace by itself. One file each. */
export interface Agent {
  /** `provider/model` */
  readonly name: string;
  readonly label: string;
  readonly limits: AgentLimits;
  /** True if the person let it change files of the workspace. */
  readonly changesWorkspace: boolean;
  /**
   * Tells whether a session can be forked on this machine.
   * @param workplace where it has to have been, if not in the workspace
   */
  hasSession(id: string, workplace?: Workplace): Promise<boolean>;
  /**
   * Asks in a separate process, which has ended when this returns or throws.
   * @returns the answer with the id of the new session; `length` if a limit stopped it
   * @throws ThoughtTreeError `not-found` if the session to fork is gone, else the kind of failure
   */
  ask(question: AgentQuestion, call: ModelCall): Promise<ModelAnswer>;
  /** Ends all running processes. */
  close(): Promise<void>;
}

/**
 * An agent as a model. A request continues in a fork of the last session that its turns name and that exists here; what
 * was said since then, or everything if there is none, is sent as text. In a workplace, a question that was stopped, even
 * with its process, continues in the session that was begun for it.
 */
export function agentModel(agent: Agent): Model {
  return {
    name: agent.name,
    label: agent.label,
    free: false,
    worksByItself: true,
    changesWorkspace: agent.changesWorkspace,
    most: { tokens: agent.limits.tokens, usd: agent.limits.usd },
    async generate(request, call) {
      const begun = await begunSessions(agent, request, call);
      const place = await lastSession(agent, request);
      try {
        return await agent.ask(questionFrom(request, place, begun), call);
      } catch (error) {
        // It existed a moment ago, or belongs to another folder.
        const wasForked = place !== undefined || begun?.last !== undefined;
        if (!wasForked || !isThoughtTreeError(error, 'not-found')) throw error;
        return agent.ask(questionFrom(request, undefined, begun && { next: begun.next }), call);
      }
    },
    close: () => agent.close(),
  };
}

/** The sessions that were begun for a question in a workplace: the last that exists, and the id for the next one. */
interface Begun {
  readonly last?: string;
  readonly next: string;
}

/** The most sessions for one question. */
const MOST_SESSIONS = 100;

async function begunSessions(
  agent: Agent,
  { workplace, isLast }: ModelRequest,
  { question }: ModelCall,
): Promise<Begun | undefined> {
  if (!workplace || isLast) return undefined;
  let last: string | undefined;
  for (let nth = 0; nth < MOST_SESSIONS; nth++) {
    const id = sessionId(question, nth);
    if (!(await agent.hasSession(id, workplace))) return { ...(last !== undefined && { last }), next: id };
    last = id;
  }
  return undefined;
}

/** Returns a UUID by what it is for, so that nobody has to keep it. */
function sessionId(question: string, nth: number): string {
  const hex = createHash('sha256').update(`${question} ${nth}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Returns the index of the last turn whose session exists here. */
async function lastSession(agent: Agent, { turns, workplace }: ModelRequest): Promise<number | undefined> {
  for (let place = turns.length - 1; place >= 0; place--) {
    const session = turns[place]?.session;
    if (session !== undefined && (await agent.hasSession(session, workplace))) return place;
  }
  return undefined;
}

function questionFrom(request: ModelRequest, place: number | undefined, begun: Begun | undefined): AgentQuestion {
  const { turns, system, prompt, workplace, isLast = false, maxOutputTokens } = request;
  const named = place === undefined ? undefined : turns[place]?.session;
  // A session of this very question got at least as far as those that its turns name.
  const from = begun?.last ?? named;
  const isStopped = from !== undefined && from !== named;
  const since = turns.slice(place === undefined ? 0 : place + 1);
  return {
    system,
    prompt: isStopped ? `${STOPPED}${prompt}` : `${asText(since)}${prompt}`,
    ...(from === undefined ? {} : { from }),
    ...(workplace && { workplace }),
    ...(begun && { id: begun.next }),
    isKept: !isLast,
    maxOutputTokens,
  };
}

const STOPPED =
  'You were stopped in the middle of this. What you did is still there: look at it, and go on. This was asked:\n\n';

/** Returns the previous turns, for a session that does not contain them. */
export function asText(turns: readonly Turn[]): string {
  if (turns.length === 0) return '';
  const said = turns.map(({ role, text }) => `<${role}>\n${text}\n</${role}>`).join('\n');
  return `This was said before in our conversation:\n<conversation>\n${said}\n</conversation>\n\nGo on from there.\n\n`;
}

const AGENT_PROVIDERS: ReadonlySet<string> = new Set(['acp', 'claude']);

/** Tells whether a model of this name is a complete agent, which works in a folder by itself. */
export function isAgent(name: string): boolean {
  return AGENT_PROVIDERS.has(name.split('/', 1)[0] ?? '');
}
