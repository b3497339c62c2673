import { createHmac, timingSafeEqual } from 'node:crypto';
import { realpath, stat } from 'node:fs/promises';
import type { Message } from '../core/messages/message.ts';
import { ThoughtTreeError } from '../core/search/errors.ts';
import { inOneOrder } from '../core/text/loose-json.ts';
import * as say from './messages.ts';
import { tokenOf } from './names.ts';
import type { AgentMarks, AgentSession, Call, Result, WorkerRegistration } from './protocol.ts';

/** Calls that a worker remembers to have begun. */
const MOST_BEGUN = 10_000;

export interface AgentPlaceOptions {
  /** This user's own, which nothing but their programs on this computer can read. */
  readonly key: string;
  /** Of this computer, as long as it runs. */
  readonly host: string;
  readonly folder: string;
}

/** Which folder it is, however its path was typed: another one that takes its place is not the same. */
interface FolderIdentity {
  readonly path: string;
  readonly device: string;
  readonly inode: string;
}

/**
 * The folder in which a user's agents work, for the two sides of a fleet: the search that has it as its workspace, and a
 * worker that was started for it. Both know each other by a key that only programs of this user on this computer have, so
 * that no other process can name the place, or ask or answer anything there.
 */
export class AgentPlace {
  /** By these the same user sees on the same computer what a worker is for. To others they say nothing. */
  readonly marks: AgentMarks;
  readonly #key: string;
  readonly #host: string;
  readonly #identity: FolderIdentity;
  readonly #begun = new Set<string>();

  private constructor({ key, host }: AgentPlaceOptions, identity: FolderIdentity) {
    this.#key = key;
    this.#host = host;
    this.#identity = identity;
    const { path, device, inode } = identity;
    this.marks = { host: this.#mark('host'), folder: this.#mark('folder', path, device, inode) };
  }

  /** @throws ThoughtTreeError `bad-input` if there is no such folder */
  static async open(options: AgentPlaceOptions): Promise<AgentPlace> {
    const identity = await identify(options.folder);
    if (!identity) throw new ThoughtTreeError('bad-input', say.noAgentFolder({ folder: options.folder }));
    return new AgentPlace(options, identity);
  }

  /** The folder itself, behind links. */
  get folder(): string {
    return this.#identity.path;
  }

  /** Names an agent's calls there, in place of a server's origin: nobody without the key can make it for a model. */
  origin(model: string): string {
    return `agent:${this.#mark('agent', this.marks.host, this.marks.folder, model)}`;
  }

  /** Shows that a call is from the same user on the same computer, with everything in it. */
  prove(call: Omit<Call, 'proof'>): string {
    return this.#proof('call', call);
  }

  isProven({ proof, ...call }: Call): boolean {
    return isSame(proof, this.prove(call));
  }

  /** Returns the token that an answer has to name. It does not travel with the call, so that nobody else can answer. */
  token(job: string): string {
    return tokenOf(this.#key, job);
  }

  /** Returns a session that came of a call, for its answer. */
  kept(job: string, id: string): AgentSession {
    return { id, proof: this.#proof('session', job, id) };
  }

  isKept(job: string, { id, proof }: AgentSession): boolean {
    return isSame(proof, this.#proof('session', job, id));
  }

  /** Tells whether the folder is still the one that it was. */
  async isThere(): Promise<boolean> {
    const now = await identify(this.folder);
    const { path, device, inode } = this.#identity;
    return now?.path === path && now.device === device && now.inode === inode;
  }

  /** Notes that a call is carried out: once is enough, whoever puts it into the queue again. */
  begin(job: string): void {
    this.#begun.add(job);
    const [oldest] = this.#begun;
    if (this.#begun.size > MOST_BEGUN && oldest !== undefined) this.#begun.delete(oldest);
  }

  hasBegun(job: string): boolean {
    return this.#begun.has(job);
  }

  #mark(...parts: readonly string[]): string {
    return this.#proof('mark', this.#host, ...parts).slice(0, 32);
  }

  /** The first part says what it is for, so that none of them is good for anything else. */
  #proof(purpose: string, ...parts: readonly unknown[]): string {
    const what = JSON.stringify(['fleet agent', purpose, ...parts.map(inOneOrder)]);
    return createHmac('sha256', this.#key).update(what).digest('hex');
  }
}

async function identify(folder: string): Promise<FolderIdentity | undefined> {
  try {
    const path = await realpath(folder);
    const about = await stat(path, { bigint: true });
    return about.isDirectory() ? { path, device: String(about.dev), inode: String(about.ino) } : undefined;
  } catch {
    return undefined;
  }
}

function isSame(given = '', wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Why a worker does not let an agent carry out a call. */
export interface RefusedCall {
  readonly reason: Extract<Result, { outcome: 'failure' }>['reason'];
  readonly why: Message;
}

/** Undefined if the agent may carry it out. */
export async function refusedCall(call: Call, place: AgentPlace): Promise<RefusedCall | undefined> {
  if (!place.isProven(call)) return { reason: 'bad-request', why: say.agentOfOthers() };
  // Of the search that sent it, it makes a new call.
  if (place.hasBegun(call.id)) return { reason: 'aborted', why: say.agentTwice() };
  if (!(await place.isThere())) return { reason: 'unreachable', why: say.agentFolderGone() };
  return undefined;
}

/** Says why no worker runs an agent for a search, by the worker that comes nearest. */
export function whyNoAgent(workers: readonly WorkerRegistration[], place: AgentPlace, model: string): Message {
  const { host, folder } = place.marks;
  const told = { model, folder: place.folder };
  const agents = workers.flatMap((worker) => (worker.agents ? { ...worker.agents, state: worker.state } : []));
  const here = agents.filter((each) => each.host === host);
  const there = here.filter((each) => each.folder === folder);
  if (there.some(({ state }) => state === 'working')) return say.agentNotServed(told);
  if (there.length > 0) return say.agentWorkersRest(told);
  if (here.length > 0) return say.agentsForOtherFolders(told);
  return agents.length > 0 ? say.agentsElsewhere(told) : say.noAgents(told);
}
