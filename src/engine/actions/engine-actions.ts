import type { KindRun } from '../kind/kind.ts';
import type { Actions } from './action.ts';
import { add } from './add.ts';
import { expand } from './expand.ts';
import { finish } from './finish.ts';
import { grow } from './grow.ts';
import { interim } from './interim.ts';
import { note } from './note.ts';
import { pause } from './pause.ts';
import { prune } from './prune.ts';
import { redo } from './redo.ts';
import { report } from './report.ts';
import { restore } from './restore.ts';
import { retry } from './retry.ts';

/** The actions of searches of all kinds. */
const ENGINE_ACTIONS: Actions = {
  pause,
  finish,
  report,
  interim,
  grow,
  prune,
  restore,
  expand,
  retry,
  redo,
  add,
  note,
};

/** The actions of a search. */
export function actionsOf({ actions }: Pick<KindRun, 'actions'>): Actions {
  return actions ? { ...ENGINE_ACTIONS, ...actions } : ENGINE_ACTIONS;
}
