import { ThoughtTreeError } from '../../../core/search/errors.ts';
import type { KindHooks, OwnHooks } from '../../../engine/kind/kind-hooks.ts';
import type { ThoughtOptions } from '../face.ts';
import { taskNameTaken } from '../messages.ts';
import { findTask, findTaskOrStandIn, findTaskWith } from './find-task.ts';
import { readUserTask } from './user-task.ts';

/** Hooks of this kind are tasks. */
export const taskHooks: KindHooks = {
  shipped: findTask,
  standIn: findTaskOrStandIn,
  named: (options) => (options as ThoughtOptions).task,
  with({ runCheck, exported }: OwnHooks) {
    const task = exported === undefined ? undefined : readUserTask(exported);
    if (task && (task.name === 'command' || findTask(task.name)))
      throw new ThoughtTreeError('bad-input', taskNameTaken({ task: task.name }));
    return { find: findTaskWith({ runCheck, tasks: task ? [task] : [] }), name: task?.name };
  },
};
