import type { Message } from '../../../../core/messages/message.ts';
import { ThoughtTreeError } from '../../../../core/search/errors.ts';
import { withWord } from '../../evidence/combine.ts';
import { itemAt } from '../../evidence/item-at.ts';
import type { AtRest } from '../../graph/why-at-rest.ts';
import * as say from '../messages.ts';
import { planOf } from '../plan-of.ts';
import type { Word } from '../tree/own-fields.ts';
import { graphFrom } from '../tree/read-graph.ts';
import type { WorkSearch } from '../work-search.ts';

const MOST_NAMES = 10;

/** Pauses the search where only a person can go on. @throws ThoughtTreeError `at-rest`, saying why and what to do */
export async function rest(search: WorkSearch, why: AtRest): Promise<never> {
  throw new ThoughtTreeError('at-rest', await restOf(search, why));
}

async function restOf(search: WorkSearch, why: AtRest): Promise<Message> {
  switch (why.kind) {
    case 'exhausted':
      return say.noAlternative({ groups: listed(why.groups) });
    case 'iterations':
      return say.noIterations({ limit: why.limit });
    case 'stall':
      return say.stalled({ limit: why.limit, atoms: listed(why.atoms) });
    case 'person':
      return why.isGoal
        ? say.goalForPerson({ items: await itemsOfGoal(search, 'uncheckable') })
        : say.atomsForPerson({ atoms: listed(why.atoms) });
    case 'base-case':
      return say.baseCaseFails({ items: await itemsOfGoal(search, 'contradicted') });
    case 'stuck':
      return say.stuck({
        failed: listed(why.failed),
        never: listed(why.never.map(({ atom, waitsFor }) => `${atom} (${listed(waitsFor)})`)),
      });
  }
}

async function itemsOfGoal({ tree, store }: WorkSearch, word: Word): Promise<string> {
  const { base_case: items } = await planOf(store);
  const evidence = graphFrom(tree).goal?.own.evidence ?? [];
  return listed(withWord(evidence, word).map(({ item }) => itemAt(items, item)?.item ?? item));
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMES).map((name) => name.slice(0, 200));
  return shown.length === 0 ? '–' : shown.join(', ') + (names.length > shown.length ? ', …' : '');
}
