import type { OptionFace } from '../../core/kind/kind-face.ts';
import { FORMER_READ, type Read, type Reading, readingOf, type SaidReading } from '../../core/search/reading.ts';
import type { SearchFile } from '../../core/search/search-file.ts';
import type { Allowed } from './search-use.ts';

/** The number of slots of a search that says nothing else. */
const USUAL_CONCURRENCY = 4;

/** This person's choices for this run; the rest follows from search.json, as far as they allow it. */
export interface GivenOptions {
  readonly read?: Read | undefined;
  readonly tools?: boolean | undefined;
  readonly context?: boolean | undefined;
  readonly concurrency?: number | undefined;
  /** Options of its kind. */
  readonly options?: object | undefined;
}

/** The options that hold for a run. */
export interface RunOptions {
  readonly tools: boolean;
  readonly context: boolean;
  readonly concurrency: number;
  readonly options: object;
}

/** Returns what a search may ask for that this user did not begin here. */
export function allowedByDefault(
  faces: readonly OptionFace[],
  settings: SaidReading & Partial<Pick<Allowed, 'concurrency'>> = {},
): Allowed {
  return {
    ...readingOf(settings, FORMER_READ),
    concurrency: settings.concurrency ?? USUAL_CONCURRENCY,
    options: Object.fromEntries(
      faces.flatMap(({ name, bounded, default: usual }) => (bounded ? [[name, Number(usual)]] : [])),
    ),
  };
}

/** Returns what a search asks for that this user begins. */
export function allowedByStart(faces: readonly OptionFace[], file: SearchFile): Allowed {
  const usual = allowedByDefault(faces);
  const { concurrency = usual.concurrency } = file.options;
  return {
    ...readingOf(file.options, FORMER_READ),
    concurrency,
    options: { ...usual.options, ...numbersAt(Object.keys(usual.options), file.options) },
  };
}

/** Returns the options of a run: this person's, else those of search.json, as far as they are allowed. */
export function withinAllowed(allowed: Allowed, { options: asked }: SearchFile, given: GivenOptions): RunOptions {
  const wanted = readingOf(asked, FORMER_READ);
  const own = { context: wanted.context && allowed.context, tools: wanted.tools && allowed.tools };
  const numbers = Object.entries(numbersAt(Object.keys(allowed.options), asked));
  const bounded = numbers.map(([name, value]) => [name, Math.min(value, allowed.options[name] ?? value)]);
  return {
    ...(given.read === undefined ? { ...own, ...onlyGiven(given, wanted) } : readingOf(given, given.read)),
    concurrency: given.concurrency ?? Math.min(asked.concurrency ?? USUAL_CONCURRENCY, allowed.concurrency),
    options: { ...Object.fromEntries(bounded), ...given.options },
  };
}

/** Returns what this person says now; no `context` means no `tools`, unless they chose just that before. */
function onlyGiven({ context, tools }: GivenOptions, wanted: Reading): Partial<Pick<RunOptions, 'context' | 'tools'>> {
  const looksUp = tools ?? (context === false && wanted.context ? false : undefined);
  return { ...(context !== undefined && { context }), ...(looksUp !== undefined && { tools: looksUp }) };
}

/** Returns what is allowed after a run with these options: what was allowed once stays so. */
export function widened(allowed: Allowed, run: RunOptions): Allowed {
  const names = Object.keys(allowed.options);
  const used = numbersAt(names, run.options as Readonly<Record<string, unknown>>);
  return {
    tools: allowed.tools || run.tools,
    context: allowed.context || run.context,
    concurrency: Math.max(allowed.concurrency, run.concurrency),
    options: Object.fromEntries(names.map((name) => [name, Math.max(allowed.options[name] ?? 0, used[name] ?? 0)])),
  };
}

function numbersAt(names: readonly string[], options: Readonly<Record<string, unknown>>): Record<string, number> {
  return Object.fromEntries(
    names.flatMap((name) => (typeof options[name] === 'number' ? [[name, options[name]] as const] : [])),
  );
}
