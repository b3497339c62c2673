import { open } from 'node:fs/promises';
import * as z from 'zod';

/** The number of bytes that are read of each end of a session: its lines have whole files in them. */
const MOST_READ = 1_000_000;

const Block = z.looseObject({ type: z.string(), text: z.string().optional() });
const Line = z.looseObject({
  type: z.string(),
  timestamp: z.string().optional(),
  agentId: z.string().optional(),
  message: z.looseObject({ content: z.union([z.string(), z.array(Block)]).optional() }).optional(),
});
type Line = z.infer<typeof Line>;

export interface AgentSession {
  /** The agent that it is of; missing if it does not say. */
  readonly agentId: string | undefined;
  /** When it was first asked something, in milliseconds since 1970; missing if it does not say. */
  readonly begunAt: number | undefined;
  /** All texts that it was asked. */
  readonly asked: string;
  /** True if its last word is the use of a tool, or what came of one. */
  readonly isUnderWay: boolean;
}

/** Reads the session of an agent; lines of unknown form are passed over. */
export async function readAgentSession(file: string): Promise<AgentSession> {
  const { head, tail } = await readEnds(file);
  // An agent that goes on from the conversation that spawned it begins with the call of that.
  const asked = head.filter(({ type }) => type === 'user');
  const times = asked.map(({ timestamp }) => Date.parse(timestamp ?? '')).filter(Number.isFinite);
  const last = tail.findLast(({ type }) => type === 'user' || type === 'assistant');
  return {
    agentId: asked.find(({ agentId }) => agentId !== undefined)?.agentId,
    begunAt: times[0],
    asked: asked.map(textOf).join('\n'),
    isUnderWay: !last || usesTools(last),
  };
}

function textOf({ message }: Line): string {
  const content = message?.content ?? '';
  return typeof content === 'string' ? content : content.map(({ text }) => text ?? '').join('\n');
}

function usesTools({ message }: Line): boolean {
  const content = message?.content ?? '';
  return typeof content !== 'string' && content.some(({ type }) => type === 'tool_use' || type === 'tool_result');
}

async function readEnds(file: string): Promise<{ head: Line[]; tail: Line[] }> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    const read = async (from: number): Promise<Line[]> => {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(Math.min(size, MOST_READ)), { position: from });
      return buffer.toString('utf8', 0, bytesRead).split('\n').flatMap(lineIn);
    };
    const head = await read(0);
    return { head, tail: size > MOST_READ ? await read(size - MOST_READ) : head };
  } finally {
    await handle.close();
  }
}

function lineIn(text: string): Line[] {
  try {
    return [Line.parse(JSON.parse(text))];
  } catch {
    return []; // cut off, or not ours to understand
  }
}
