import { exitCodeOfError } from '../../../src/cli/exit-codes.ts';
import { runProgram } from '../../../src/cli/run-cli.ts';
import { toThoughtTreeError } from '../../../src/core/search/errors.ts';
import { KINDS } from '../../../src/kinds/kinds.ts';
import type { Ended, RunCommand } from './place.ts';

/** Runs the command line in this process, from its source: what the built one does, sooner. One command at a time. */
export const inThisProcess: RunCommand = async (args, { cwd, env }) => {
  const variables = { ...process.env };
  const folder = process.cwd();
  const [out, err] = [taken(process.stdout), taken(process.stderr)];
  for (const name of Object.keys(process.env)) if (name.startsWith('THOUGHT_TREE_')) delete process.env[name];
  Object.assign(process.env, env);
  process.chdir(cwd);
  let code: Ended['code'];
  let failure = '';
  try {
    code = await runProgram(KINDS, args);
  } catch (error) {
    code = exitCodeOfError(error);
    failure = toThoughtTreeError(error).message;
  } finally {
    process.chdir(folder);
    for (const name of Object.keys(process.env)) if (!Object.hasOwn(variables, name)) delete process.env[name];
    Object.assign(process.env, variables);
    out.giveBack();
    err.giveBack();
  }
  return { code, stdout: out.text(), stderr: `${err.text()}${failure}` };
};

/** Takes what is written to a stream, until it is given back. */
function taken(stream: NodeJS.WriteStream): { text: () => string; giveBack: () => void } {
  const { write } = stream;
  // Each command waits for it in a process of its own.
  stream.setMaxListeners(0);
  let text = '';
  stream.write = (piece: string | Uint8Array, ...more: unknown[]): boolean => {
    text += typeof piece === 'string' ? piece : Buffer.from(piece).toString();
    const done = more.find((each): each is () => void => typeof each === 'function');
    if (done) queueMicrotask(done);
    return true;
  };
  return {
    text: () => text,
    giveBack: () => {
      stream.write = write;
    },
  };
}
