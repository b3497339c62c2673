import type { RunCheck } from '../../../engine/kind/kind-hooks.ts';
import type { Task, ThoughtPath } from './task.ts';

/**
 * A command decides: a path is a solution if it exits with code 0. It receives the problem and the thoughts as JSON on its
 * standard input, `{"problem": "…", "thoughts": ["…"]}`, and never as command-line arguments.
 */
export function commandTask(runCheck: RunCheck): Task {
  return {
    name: 'command',
    defaults: {},
    solved: async (path, signal) => (await runCheck(inputOf(path), signal)).exitCode === 0,
  };
}

function inputOf({ problem, thoughts }: ThoughtPath): string {
  return `${JSON.stringify({ problem, thoughts: thoughts.map(({ content }) => content) })}\n`;
}
