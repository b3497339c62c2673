import { walk } from '../../../src/core/tree/tree.ts';
import type { Search } from '../../../src/engine/search.ts';
import { misfit } from '../../../src/kinds/investigation/protocol/commit.ts';
import { type Investigation, suffixOf } from '../../../src/kinds/investigation/protocol/investigation.ts';
import { profileOf, ruleOf, statesOf } from '../../../src/kinds/investigation/protocol/profiles.ts';
import { ownFieldsOf } from '../../../src/kinds/investigation/run/own-fields.ts';
import { investigationIn } from '../../../src/kinds/investigation/run/read-investigation.ts';

/** The investigation of an open search, as the protocol sees it. */
export function investigationOf({ file, tree, record }: Search): Investigation {
  return investigationIn(file, tree, record);
}

/** What in an investigation is against the rules of `strict`, in words: nothing, whoever led it. */
export function problemsIn(search: Search): string[] {
  const at = investigationOf(search);
  const profile = profileOf(at);
  const ids = [...walk(search.tree.root)].flatMap((node) => ownFieldsOf(node.file?.own)?.nodeId ?? []);
  const twice = ids.filter((id, i) => ids.indexOf(id) < i).map((id) => `${id} is there twice`);
  const roots = [...at.nodes.values()].filter(({ parent }) => parent === null).map(({ id }) => id);
  const nodes = [...at.nodes.values()].flatMap(({ id, parent, state, round }) => {
    const above = parent === null ? undefined : at.nodes.get(parent);
    const { from = 0, early } = ruleOf(profile, state);
    return [
      statesOf(profile).includes(state) ? '' : `${id} is ${state}`,
      above && round !== above.round + 1 ? `${id} is below ${above.id}` : '',
      above && !suffixOf(id).startsWith(suffixOf(above.id)) ? `${id} does not extend ${above.id}` : '',
      early && round < from ? `${id} is ${state} in round ${round}` : '',
      misfit(profile, state, above?.state, parent === null) && state !== 'VERIFY'
        ? `${id} is ${state} below ${above?.state}`
        : '',
    ].filter((text) => text !== '');
  });
  return [...twice, ...(roots.some((id) => id !== 'R1.A') ? [`roots are ${roots}`] : []), ...nodes];
}
