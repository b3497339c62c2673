import { createInterface } from 'node:readline/promises';

/** Tells whether there is somebody at a terminal to ask. */
export function canAsk(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

/** Asks a yes-or-no question; anything but yes is no. */
export async function askYes(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await lines.question(`${question} [y/N] `).catch(() => '');
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    lines.close();
  }
}
