import type { IncomingHttpHeaders } from 'node:http';
import type { Usage } from '../../../../src/core/ports/model.ts';

/** A request as it came over the wire. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The body, byte for byte. */
  readonly raw: string;
  readonly body: Record<string, unknown>;
}

/** What a request says, whatever the protocol. */
export interface Said {
  readonly model: string;
  readonly system: string;
  readonly turns: readonly { readonly role: string; readonly text: string }[];
  readonly maxTokens: unknown;
  readonly key: string | undefined;
  /** The part of the body that grows with a conversation, as received, without cache marks. */
  readonly bytes: string;
}

/** Tokens as the server counts them. */
export interface Counts {
  /** Of the prompt, those that no cache had to do with. */
  readonly fresh: number;
  readonly cached: number;
  readonly written: number;
  readonly completion: number;
}

/** One whole answer. */
export interface WireAnswer {
  readonly model: string;
  readonly pieces: readonly string[];
  readonly finish: 'stop' | 'length' | 'refused';
  readonly counts: Counts;
}

export type ErrorKind = 'rate-limit' | 'crash' | 'overloaded' | 'bad-key' | 'no-quota' | 'no-model' | 'too-long';

interface WireError {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: object;
}

/** How a provider's server speaks; what is written here follows the provider's own documentation. */
export interface Protocol {
  /** The media type of a stream. */
  readonly type: string;
  /** Where it answers, behind `http://host:port`. */
  readonly basePath: string;
  /** What is wrong with a request; undefined where it is one. */
  readonly refuse: (request: Received) => string | undefined;
  readonly read: (request: Received) => Said;
  /** What comes before the first piece of text, what carries a piece, what comes after the last one. */
  readonly begin: (answer: WireAnswer) => string;
  readonly piece: (answer: WireAnswer, text: string, index: number) => string;
  readonly end: (answer: WireAnswer) => string;
  /** The same answer where no stream was asked for. */
  readonly whole: (answer: WireAnswer) => object;
  readonly errors: (message: string) => Readonly<Record<ErrorKind, WireError>>;
  /** An error in the middle of a stream: too much to do, and a rate limit where the protocol can tell it apart. */
  readonly within: { readonly overloaded: string; readonly 'rate-limit'?: string };
  /** An event that cannot be read. */
  readonly malformed: string;
  readonly usage: (counts: Counts) => Usage;
  /** Answers to questions other than the requests for an answer, by path. */
  readonly besides?: Readonly<Record<string, object>>;
}

/** A server-sent event. */
export function event(data: object, name?: string): string {
  return `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;
}

/** Returns the usage of a server that says what its cache held. */
export function usageWithCache({ fresh, cached, written, completion }: Counts): Usage {
  return { prompt: fresh + cached + written, cached, completion };
}

/** Returns what is wrong with a list of turns: they have to alternate, and to begin and end with the person. */
export function refuseTurns(turns: Said['turns'], answerer: string): string | undefined {
  const wrong = turns.findIndex(({ role }, at) => role !== (at % 2 === 0 ? 'user' : answerer));
  if (wrong >= 0) return `turn ${wrong} is not the other side's`;
  return turns.length % 2 === 0 ? 'the last turn is not a user turn' : undefined;
}
