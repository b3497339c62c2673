import type { Format } from '../../../engine/kind/kind-format.ts';
import { THOUGHT_TREE } from '../face.ts';
import { takeTries } from '../record/tries.ts';
import { planImport } from './plan-import.ts';
import { isSnapshot, readSnapshot } from './read-snapshot.ts';
import { snapshotOf, type ThoughtTree } from './snapshot.ts';
import { writePlanned } from './write-planned.ts';

/** The ThoughtTree of the system that this kind comes from. */
export const thoughtTreeFormat: Format = {
  name: THOUGHT_TREE,
  write(search) {
    takeTries(search.tree, search.record);
    return snapshotOf(search);
  },
  fileName(written) {
    const { task_id: task } = written as ThoughtTree;
    return `tree-snapshot-${/^\w[\w.-]{0,99}$/.test(task) ? task : 'task'}.json`;
  },
  reads: {
    is: isSnapshot,
    read(value, wishes) {
      const planned = planImport(readSnapshot(value), wishes);
      const writeTo = writePlanned.bind(undefined, planned, wishes);
      return { file: planned.file, nodes: planned.nodes.length, writeTo };
    },
  },
};
