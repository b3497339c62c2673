import type { KindFace } from '../../core/kind/kind-face.ts';
import { COMMANDS, type CommandEntry, has } from './command-table.ts';
import { SHARE_MENU } from './contributed-commands.ts';
import { kindCommands, startCommands } from './kind-commands.ts';
import { ARRANGE_MENU, listCommands } from './list-commands.ts';
import { SELECTION } from './selection.ts';

const VIEW = 'view == thoughtTree.searches';

/**
 * Returns what package.json contributes for the commands: made from the one table, so that nothing is forgotten.
 * @param faces the kinds, each of which may add or rename actions
 */
export function commandContributions(faces: readonly KindFace[]): {
  commands: unknown[];
  submenus: unknown[];
  menus: Record<string, unknown[]>;
  keybindings: unknown[];
} {
  const entries: [string, CommandEntry][] = [
    ...Object.entries(COMMANDS),
    ...[...startCommands(faces), ...kindCommands(faces), ...listCommands()].map(
      ({ id, entry }): [string, CommandEntry] => [id, entry],
    ),
  ];
  return {
    commands: entries.map(([command, { icon, enablement }]) => ({
      command,
      title: `%command.${nameOf(command)}%`,
      category: 'Thought Tree',
      ...(icon ? { icon: `$(${icon})` } : {}),
      ...(enablement ? { enablement } : {}),
    })),
    submenus: [
      { id: SHARE_MENU, label: '%submenu.share%' },
      { id: ARRANGE_MENU, label: '%submenu.arrange%' },
    ],
    menus: {
      commandPalette: entries.flatMap(([command, { palette }]) => (palette ? [{ command, when: palette }] : [])),
      'view/title': [
        ...inMenu(entries, 'view/title'),
        { submenu: ARRANGE_MENU, when: `${VIEW} && thoughtTree.any`, group: '1_arrange@1' },
      ],
      'view/item/context': [
        ...inMenu(entries, 'view/item/context'),
        { submenu: SHARE_MENU, when: `${VIEW} && ${has('search')}`, group: '5_export@4' },
      ],
      [SHARE_MENU]: inMenu(entries, SHARE_MENU),
      'editor/context': inMenu(entries, 'editor/context'),
      'explorer/context': inMenu(entries, 'explorer/context'),
      'editor/title': inMenu(entries, 'editor/title'),
      'editor/title/context': inMenu(entries, 'editor/title/context'),
      [ARRANGE_MENU]: inMenu(entries, ARRANGE_MENU),
    },
    keybindings: entries.flatMap(([command, { keybinding }]) =>
      keybinding
        ? [{ ...keybinding, ...(/focusedView/.test(keybinding.when) ? onFocused(command) : { command }) }]
        : [],
    ),
  };
}

/** The arrow keys move the focus but not the selection, and extensions only see the selection. */
function onFocused(command: string): { command: string; args: unknown } {
  return { command: 'runCommands', args: { commands: ['list.selectAndPreserveFocus', { command, args: SELECTION }] } };
}

function inMenu(entries: [string, CommandEntry][], menu: string): unknown[] {
  return entries.flatMap(([command, { menus = [] }]) =>
    menus
      .filter((place) => place.menu === menu)
      .map(({ group, when }) => {
        const conditions = [
          ...(menu.startsWith('view/') || menu === SHARE_MENU ? [VIEW] : []),
          ...(when ? [when] : []),
        ];
        return { command, when: conditions.join(' && '), group };
      }),
  );
}

/** The last part of a command's id, which identifies its title in package.nls.json. */
function nameOf(command: string): string {
  return command.slice('thoughtTree.'.length);
}
