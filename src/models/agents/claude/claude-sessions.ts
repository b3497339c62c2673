import { open, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { SessionId } from './claude-messages.ts';

/** Bytes at the end of a session's file that contain its costs. */
const TAIL = 256 * 1024;

const CostState = z.looseObject({ type: z.literal('cost-state'), totalCostUSD: z.number().nonnegative() });

export interface FoundSession {
  /** Its cost so far in US dollars, including everything it was forked from; undefined if its file does not say. */
  readonly usd: number | undefined;
}

/**
 * Finds the file of a session in the place where Claude Code keeps those of a folder.
 * @param env the environment of its process
 * @returns undefined if it is not there
 */
export async function findSession(
  id: string,
  folder: string,
  env: Readonly<Record<string, string>>,
): Promise<FoundSession | undefined> {
  if (!SessionId.safeParse(id).success) return undefined; // ids come from files, and so may come from a clone
  try {
    const home = env['CLAUDE_CONFIG_DIR'] ?? join(env['HOME'] ?? homedir(), '.claude');
    const name = (await realpath(folder)).replace(/[^a-zA-Z0-9]/g, '-');
    return { usd: lastCost(await readTail(join(home, 'projects', name, `${id}.jsonl`))) };
  } catch {
    return undefined; // missing or unreadable
  }
}

async function readTail(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const length = Math.min(size, TAIL);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, size - length);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

function lastCost(text: string): number | undefined {
  const line = text.split('\n').findLast((each) => each.includes('"cost-state"'));
  if (line === undefined) return undefined;
  try {
    return CostState.parse(JSON.parse(line)).totalCostUSD;
  } catch {
    return undefined;
  }
}
