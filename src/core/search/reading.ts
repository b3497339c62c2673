/**
 * The parts of the workspace that models may see: nothing at all, passages that are quoted in their prompts, or also
 * what they look up themselves with tools.
 */
export const READS = ['nothing', 'quotes', 'tools'] as const;
export type Read = (typeof READS)[number];

/** The setting of new searches. */
export const USUAL_READ: Read = 'tools';
/** The setting of searches that say nothing: they were begun before there was one. */
export const FORMER_READ: Read = 'quotes';

/** The setting as a person or a file says it: by `read`, or by the two options from before it existed. */
export interface SaidReading {
  readonly read?: Read | undefined;
  /** False if prompts are to contain nothing of the workspace. */
  readonly context?: boolean | undefined;
  readonly tools?: boolean | undefined;
}

/** The setting once it is decided. */
export interface Reading {
  readonly context: boolean;
  readonly tools: boolean;
}

/**
 * Decides a reading. The two options alone mean what they always did: without `tools`, a `context` of false means that
 * nothing is seen. Beside `read` they only take something away.
 * @param usual the default
 */
export function readingOf({ read, context, tools }: SaidReading, usual: Read): Reading {
  if (read !== undefined)
    return { context: read !== 'nothing' && context !== false, tools: read === 'tools' && tools !== false };
  if (context === false) return { context, tools: tools ?? false };
  return { context: usual !== 'nothing' || tools === true, tools: tools ?? usual === 'tools' };
}

/** Tells whether any of the three options is given. */
export function saysReading({ read, context, tools }: SaidReading): boolean {
  return read !== undefined || context !== undefined || tools !== undefined;
}

/** Returns the name of a reading, by the most of it. */
export function readNamed({ context, tools }: Reading): Read {
  if (tools) return 'tools';
  return context ? 'quotes' : 'nothing';
}
