import type { ModelAnswer, ModelCall } from '../../core/ports/model.ts';

/** What an agent is asked. It may make many requests of its own, and use tools, before it answers. */
export interface AgentQuestion {
  readonly system: string;
  readonly prompt: string;
  /** The session to fork; it is not changed by that. A fresh one without. */
  readonly from?: string;
  /** Whether the session that comes of it may be forked later. */
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
  /** As the agent calls it, as in `Read`. */
  readonly tool: string;
  /** What it is to be used on, in one line made for people. */
  readonly what: string;
}

/** Asks the person; false refuses. */
type AskPermission = (question: PermissionQuestion, signal: AbortSignal) => Promise<boolean>;

/** What the person who runs an agent decides. */
export interface AgentOptions {
  /** Folder of the agent's package, or one with a `node_modules` that holds it. */
  readonly path?: string;
  /** Whether code that lies in the workspace may be run. */
  readonly isTrusted?: boolean;
  /** What it may use beside reading, in its own words, as in `Bash(git log:*)`. */
  readonly allowedTools?: readonly string[];
  /** Answers its questions; where nobody does, what it asks for is refused. */
  readonly askPermission?: AskPermission;
  readonly limits?: Partial<AgentLimits>;
}

/** What binds a question unless told. */
export const AGENT_LIMITS: AgentLimits = { turns: 20, tokens: 300_000, usd: 0.5 };

/** A whole agent: it keeps sessions of its own, and reads the workspace by itself. One file each. */
export interface Agent {
  /** `provider/model` */
  readonly name: string;
  readonly label: string;
  readonly limits: AgentLimits;
  /** Whether a session can be forked on this machine. */
  hasSession(id: string): Promise<boolean>;
  /**
   * Asks in a process of its own, which has ended when this returns or throws.
   * @returns the answer with the id of the new session; `length` where a limit stopped it
   * @throws ThoughtTreeError `not-found` where the session to fork is gone, else what kind of failure it was
   */
  ask(question: AgentQuestion, call: ModelCall): Promise<ModelAnswer>;
  /** Ends what runs. */
  close(): Promise<void>;
}
