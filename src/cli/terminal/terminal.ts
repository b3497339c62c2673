import pc from 'picocolors';
import { Output } from './output.ts';
import type { Palette } from './row.ts';

/** Where a command writes. */
export interface Terminal {
  readonly out: Output;
  readonly err: Output;
  /** A stream on which a frame can be redrawn in place; undefined if there is none. */
  readonly live: NodeJS.WriteStream | undefined;
}

type Streams = Pick<NodeJS.Process, 'stdout' | 'stderr' | 'env'>;

let terminal: Terminal | undefined;

/** The one terminal of this process. */
export function terminalOf(process: Streams): Terminal {
  terminal ??= {
    out: new Output(process.stdout, coloursFor(process.stdout, process.env)),
    err: new Output(process.stderr, coloursFor(process.stderr, process.env)),
    live: process.stderr.isTTY && process.env['TERM'] !== 'dumb' ? process.stderr : undefined,
  };
  return terminal;
}

function coloursFor(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv): Palette {
  return pc.createColors(wantsColour(stream, env));
}

/**
 * Tells whether text for people is coloured on a stream. Never undefined, in which case picocolors would guess: it
 * colours what a CI job pipes into a file. The variables are those of https://no-color.org and https://force-color.org.
 */
export function wantsColour(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv): boolean {
  if (env['NO_COLOR']) return false;
  if (env['FORCE_COLOR']) return env['FORCE_COLOR'] !== '0';
  return stream.isTTY === true && env['TERM'] !== 'dumb';
}
