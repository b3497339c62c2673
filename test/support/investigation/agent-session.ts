import { mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';

/** An agent's session, as its client writes it. */
interface Session {
  /** What it was asked. */
  readonly asked?: string;
  /** In milliseconds since 1970; now by default. */
  readonly begunAt?: number;
  /** Whether its last word is the use of a tool. */
  readonly isUnderWay?: boolean;
  /** Whether it goes on from the conversation that spawned it: its first line is then the call of that. */
  readonly isFork?: boolean;
  /** The agent, by default the one that its file is named after. */
  readonly agentId?: string;
}

/** Writes the session of an agent to a file, and makes the folders of that. */
export async function writeAgentSession(
  file: string,
  {
    asked = '',
    begunAt = Date.now(),
    isUnderWay,
    isFork,
    agentId = basename(file).slice('agent-'.length, -'.jsonl'.length),
  }: Session = {},
) {
  const at = (seconds: number): object => ({
    timestamp: new Date(begunAt + 1000 * seconds).toISOString(),
    isSidechain: true,
    agentId,
  });
  const spawn = { type: 'tool_use', id: 't0', name: 'Agent', input: {} };
  const task = isFork
    ? [
        { type: 'tool_result', tool_use_id: 't0' },
        { type: 'text', text: asked },
      ]
    : asked;
  const use = { type: 'tool_use', id: 't1', name: 'Read', input: { file_path: 'notes.md' } };
  const lines = [
    { type: 'fork-context-ref', agentId },
    ...(isFork ? [{ type: 'assistant', ...at(-60), message: { role: 'assistant', content: [spawn] } }] : []),
    { type: 'user', ...at(0), message: { role: 'user', content: task } },
    { type: 'assistant', ...at(1), message: { role: 'assistant', content: [{ type: 'text', text: 'Reading.' }, use] } },
    { type: 'user', ...at(2), message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1' }] } },
    ...(isUnderWay
      ? []
      : [{ type: 'assistant', ...at(3), message: { role: 'assistant', content: [{ type: 'text', text: 'Done.' }] } }]),
    { type: 'last-prompt' },
  ];
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${lines.map((line) => JSON.stringify(line)).join('\n')}\n{"cut o`);
}
