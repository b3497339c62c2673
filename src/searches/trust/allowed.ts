import type { OptionFace } from '../../core/kind/kind-face.ts';
import type { SearchFile } from '../../core/search/search-file.ts';
import type { Allowed } from './search-use.ts';

/** The number of slots of a search that says nothing else. */
const USUAL_CONCURRENCY = 4;

/** What this person sets for this run; the rest follows from search.json, as far as they allow it. */
export interface GivenOptions {
  readonly tools?: boolean | undefined;
  readonly context?: boolean | undefined;
  readonly concurrency?: number | undefined;
  /** Options of its kind. */
  readonly options?: object | undefined;
}

/** What holds for a run. */
export interface RunOptions {
  readonly tools: boolean;
  readonly context: boolean;
  readonly concurrency: number;
  readonly options: object;
}

/** What a search may ask for that this user did not begin here. */
export function allowedByDefault(faces: readonly OptionFace[], settings: Partial<Allowed> = {}): Allowed {
  return {
    tools: settings.tools ?? false,
    context: settings.context ?? true,
    concurrency: settings.concurrency ?? USUAL_CONCURRENCY,
    options: Object.fromEntries(
      faces.flatMap(({ name, bounded, default: usual }) => (bounded ? [[name, Number(usual)]] : [])),
    ),
  };
}

/** What a search asks for that this user begins. */
export function allowedByStart(faces: readonly OptionFace[], file: SearchFile): Allowed {
  const usual = allowedByDefault(faces);
  const { tools = usual.tools, context = usual.context, concurrency = usual.concurrency } = file.options;
  return {
    tools,
    context,
    concurrency,
    options: { ...usual.options, ...numbersAt(Object.keys(usual.options), file.options) },
  };
}

/** What holds for a run: what this person sets, else what search.json asks for, as far as it is allowed. */
export function withinAllowed(allowed: Allowed, { options: asked }: SearchFile, given: GivenOptions): RunOptions {
  const numbers = Object.entries(numbersAt(Object.keys(allowed.options), asked));
  const bounded = numbers.map(([name, value]) => [name, Math.min(value, allowed.options[name] ?? value)]);
  return {
    tools: given.tools ?? (asked.tools === true && allowed.tools),
    context: given.context ?? (asked.context !== false && allowed.context),
    concurrency: given.concurrency ?? Math.min(asked.concurrency ?? USUAL_CONCURRENCY, allowed.concurrency),
    options: { ...Object.fromEntries(bounded), ...given.options },
  };
}

/** What is allowed once a run with these options was: what was allowed once stays so. */
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
