import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { ClaudeSdk } from '../../../../src/models/agents/claude-sdk.ts';

/**
 * Takes the place of the Claude Agent SDK where its 370 MB are not to be installed: a process of its own answers each
 * question by rules, keeps sessions where Claude Code does, and notes what it was asked in the home folder.
 */
export const query: ClaudeSdk['query'] = async function* ({ prompt, options }) {
  const { spawnClaudeCodeProcess, canUseTool: _, env, ...plain } = options;
  const child = spawnClaudeCodeProcess({
    command: process.execPath,
    args: ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, 'agent.ts')],
    cwd: options.cwd,
    env,
  });
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(JSON.stringify({ ...plain, prompt }));
  if (!child.stdout) throw new Error('it has no output');
  for await (const line of createInterface({ input: child.stdout })) yield JSON.parse(line);
};
