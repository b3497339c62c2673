/**
 * What models may see of the workspace: nothing at all, passages that are quoted in their prompts, or also what they look up
 * themselves with tools.
 */
export const READS = ['nothing', 'quotes', 'tools'] as const;
export type Read = (typeof READS)[number];

/** What new searches begin with. */
export const USUAL_READ: Read = 'tools';
/** What those mean that say nothing: they are from before. */
export const FORMER_READ: Read = 'quotes';

/** How a person or a file says it: at once, or by the two options from before there was one. */
export interface SaidReading {
  readonly read?: Read | undefined;
  /** False if prompts are to contain nothing of the workspace. */
  readonly context?: boolean | undefined;
  /** Whether tools may be used. */
  readonly tools?: boolean | undefined;
}

/** The same, decided. */
export interface Reading {
  readonly context: boolean;
  readonly tools: boolean;
}

/**
 * What follows from what is said. The two options alone mean what they always did: without `tools`, a `context` of false means
 * that nothing is seen. Beside `read` they only take something away.
 * @param usual what holds where nothing is said
 */
export function readingOf({ read, context, tools }: SaidReading, usual: Read): Reading {
  if (read !== undefined)
    return { context: read !== 'nothing' && context !== false, tools: read === 'tools' && tools !== false };
  if (context === false) return { context, tools: tools ?? false };
  return { context: usual !== 'nothing' || tools === true, tools: tools ?? usual === 'tools' };
}

/** Whether anything is said. */
export function saysReading({ read, context, tools }: SaidReading): boolean {
  return read !== undefined || context !== undefined || tools !== undefined;
}

/** What a reading is called, by the most of it. */
export function readNamed({ context, tools }: Reading): Read {
  if (tools) return 'tools';
  return context ? 'quotes' : 'nothing';
}
