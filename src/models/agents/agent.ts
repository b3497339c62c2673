import type { ModelAnswer, ModelCall, Workplace } from '../../core/ports/model.ts';

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
