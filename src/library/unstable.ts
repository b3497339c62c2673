import type { Kind, Kinds } from '../engine/kind.ts';
import { KINDS } from '../kinds/kinds.ts';
import { runSearch } from './run-search.ts';
import type * as declared from './unstable-types.d.ts';

export const kinds: typeof declared.kinds = KINDS as unknown as typeof declared.kinds;

export const withStrategy: typeof declared.withStrategy = (kind, strategy) => ({
  ...kind,
  load: async () => {
    const own = (await kind.load()) as Kind;
    const open: Kind['open'] = async (context) => {
      const run = await own.open(context);
      return {
        ...run,
        strategy: strategy(run.strategy as unknown as declared.Strategy) as unknown as typeof run.strategy,
      };
    };
    return { ...own, open };
  },
});

export const search: typeof declared.search = ({ kinds: own = [], ...request }) => {
  const named = new Map((own as unknown as Kinds).map((kind) => [kind.descriptor.name, kind]));
  const known = KINDS.map((kind) => named.get(kind.descriptor.name) ?? kind);
  return runSearch(request, [...new Set([...known, ...named.values()])]);
};
