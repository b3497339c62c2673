import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** An agent's session, as its client writes it. */
interface Session {
  /** What it was asked. */
  readonly asked?: string;
  /** In milliseconds since 1970; now by default. */
  readonly begunAt?: number;
  /** Whether its last word is the use of a tool. */
  readonly isUnderWay?: boolean;
}

/** Writes the session of an agent to a file, and makes the folders of that. */
export async function writeAgentSession(file: string, { asked = '', begunAt = Date.now(), isUnderWay }: Session = {}) {
  const at = (seconds: number): { timestamp: string; isSidechain: true } => ({
    timestamp: new Date(begunAt + 1000 * seconds).toISOString(),
    isSidechain: true,
  });
  const use = { type: 'tool_use', id: 't1', name: 'Read', input: { file_path: 'notes.md' } };
  const lines = [
    { type: 'fork-context-ref', agentId: 'a1' },
    { type: 'user', ...at(0), message: { role: 'user', content: asked } },
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
