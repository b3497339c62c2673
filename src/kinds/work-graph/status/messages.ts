import { counted, message } from '../../../core/messages/message.ts';

// Next steps

export const ready = message('work.row-ready', 'Ready');
export const running = message('work.row-running', 'Running');
export const forPerson = message('work.row-person', 'For you');
export const waiting = message('work.row-waiting', 'Waiting');
export const goal = message('work.row-goal', 'Goal');
export const atom = message('work.row-atom', '{name} {title}');
export const atomTried = message('work.row-atom-tried', '{name} {title} (last try: {why})');
export const outside = message('work.row-outside', 'Outside');
export const changedOutside = message(
  'work.row-changed-outside',
  '{name} {title} changed files that it does not name: {paths}',
);
export const waitsFor = message('work.row-waits-for', '{name} {title} (waits for {names})');
export const waitsForEver = message(
  'work.row-waits-for-ever',
  '{name} {title} (can never be ready: it waits for {names})',
);
export const more = message('work.row-more', '… {count:number} more');

/** The items of a checklist, by how sure they are. */
export const items = {
  verified: counted('work.items-verified', '1 item is verified', '{count:number} items are verified'),
  checked: counted('work.items-checked', '1 item is checked', '{count:number} items are checked'),
  reported: counted('work.items-reported', '1 item is reported', '{count:number} items are reported'),
  contradicted: counted('work.items-contradicted', '1 item does not hold', '{count:number} items do not hold'),
  uncheckable: counted(
    'work.items-uncheckable',
    '1 item cannot be checked here',
    '{count:number} items cannot be checked here',
  ),
};
