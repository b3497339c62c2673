import { walk } from '../../../src/core/tree/tree.ts';
import type { Search } from '../../../src/engine/search.ts';
import { momentOf } from '../../../src/kinds/investigation/led/led-investigation.ts';
import { type Step, stepsOf } from '../../../src/kinds/investigation/led/led-strategy.ts';
import { type Investigation, roundOf, suffixOf } from '../../../src/kinds/investigation/protocol/investigation.ts';
import { profileOf, statesOf } from '../../../src/kinds/investigation/protocol/profiles.ts';
import { ownFieldsOf } from '../../../src/kinds/investigation/run/kept-data.ts';
import { investigationIn } from '../../../src/kinds/investigation/run/read-investigation.ts';

/** Returns the investigation of an open search, as the protocol sees it. */
export function investigationOf({ file, tree, record }: Search): Investigation {
  return investigationIn(file, tree, record);
}

/** Returns what is left to do in an investigation that the engine leads. */
export function leftIn({ file, tree, record: past, limits }: Search, byRule = false): Step[] {
  return stepsOf(momentOf({ file, tree, history: { past }, limits: { now: limits }, byRule } as never));
}

/**
 * Returns what in an investigation that the engine led does not hold together, in words: nothing, whatever was
 * answered.
 */
export function problemsIn(search: Search): string[] {
  const at = investigationOf(search);
  const owns = [...walk(search.tree.root)].flatMap((node) => ownFieldsOf(node.file?.own) ?? []);
  const suffixes = owns.map(({ nodeId }) => suffixOf(nodeId));
  const twice = suffixes
    .filter((suffix, i) => suffixes.indexOf(suffix) < i)
    .map((suffix) => `${suffix} is there twice`);
  const rounds = owns.filter(({ nodeId, round }) => roundOf(nodeId) !== round).map(({ nodeId }) => `${nodeId}: round`);
  const nodes = [...at.nodes.values()].flatMap(({ id, parent, state, round }) => {
    const above = parent === null ? undefined : at.nodes.get(parent);
    return [
      statesOf(profileOf(at)).includes(state) ? '' : `${id} is ${state}`,
      above && round <= above.round ? `${id} is below ${above.id}` : '',
      above && !suffixOf(id).startsWith(suffixOf(above.id)) ? `${id} does not extend ${above.id}` : '',
    ].filter((text) => text !== '');
  });
  return [...twice, ...rounds, ...nodes];
}
