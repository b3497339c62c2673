import { GROUP_BY, type GroupBy, SORT_BY, type SortBy } from '../sidebar/arrange-searches.ts';
import type { CommandEntry } from './command-table.ts';

/** The submenu of the view's title in which they are. */
export const ARRANGE_MENU = 'thoughtTree.arrange';

/** A command that has the searches listed in another way. */
export interface ListCommand {
  readonly id: string;
  /** In English. */
  readonly title: string;
  readonly by: { readonly groupBy: GroupBy } | { readonly sortBy: SortBy };
  readonly entry: CommandEntry;
}

const GROUP_TITLES: Readonly<Record<GroupBy, string>> = {
  none: 'No Groups',
  status: 'Group by Status',
  kind: 'Group by Kind',
  date: 'Group by Date',
  folder: 'Group by Folder',
};
const SORT_TITLES: Readonly<Record<SortBy, string>> = {
  date: 'Newest First',
  title: 'Sort by Title',
  status: 'Sort by Status',
};

/** All of them, each twice: extensions cannot check an entry of a menu, so the one that applies has a title with a check. */
export function listCommands(): ListCommand[] {
  return [
    ...GROUP_BY.flatMap((groupBy, i) => pair(`groupBy ${groupBy}`, GROUP_TITLES[groupBy], { groupBy }, `1_group@${i}`)),
    ...SORT_BY.flatMap((sortBy, i) => pair(`sortBy ${sortBy}`, SORT_TITLES[sortBy], { sortBy }, `2_sort@${i}`)),
  ];
}

/** @param what the context key and its value */
function pair(what: string, title: string, by: ListCommand['by'], group: string): ListCommand[] {
  const [key = '', value = ''] = what.split(' ');
  const several = value === 'folder' ? ' && workspaceFolderCount > 1' : '';
  const when = (is: string): string => `thoughtTree.${key} ${is} ${value}${several}`;
  const entry = (is: string, palette: string): CommandEntry => ({
    palette,
    menus: [{ menu: ARRANGE_MENU, group, when: when(is) }],
  });
  const id = `thoughtTree.${key}.${value}`;
  return [
    { id, title, by, entry: entry('!=', `thoughtTree.any && ${when('!=')}`) },
    { id: `${id}.checked`, title: `✓ ${title}`, by, entry: entry('==', 'false') },
  ];
}
