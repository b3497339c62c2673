import { createInterface } from 'node:readline/promises';

/** Whether there is somebody at a terminal to ask. */
export function canAsk(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

/** Asks a question that is answered with yes or no; anything but yes is no. */
export async function askYes(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await lines.question(`${question} [y/N] `).catch(() => '');
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    lines.close();
  }
}
