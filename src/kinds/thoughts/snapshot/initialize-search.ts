import * as z from 'zod';

/** The source's first message. Its problem, settings and ids are checked as those of a snapshot are. */
const InitializeSearch = z.looseObject({
  type: z.literal('initialize_search'),
  payload: z.looseObject({ problem: z.string(), decomposition_result: z.unknown().optional() }),
});

const DecompositionResult = z.looseObject({ type: z.literal('decomposition_result'), payload: z.unknown() });

/** The beginning of a search in the source's words. */
interface Beginning {
  /** A snapshot whose root is all there is. */
  readonly snapshot: object;
  /** The problem taken apart, if somebody did; not checked yet. */
  readonly decomposition: unknown;
}

/** Reads the source's message `initialize_search`; undefined where a value is something else. */
export function beginningIn(value: unknown): Beginning | undefined {
  const { data } = InitializeSearch.safeParse(value);
  if (!data) return undefined;
  const { decomposition_result: result, problem, ...others } = data.payload;
  const root = { id: 'root', parent_id: null, content: problem, evaluation: null, status: 'pending' };
  return {
    snapshot: { ...others, problem, nodes: { root }, root_id: 'root' },
    decomposition: DecompositionResult.safeParse(result).data?.payload ?? result,
  };
}
