import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Half } from './code-bases.ts';
import type { Lines } from './counting.ts';

const path = z.string().min(1).max(500);
const question = z.strictObject({
  id: z.string().min(1).max(100),
  question: z.string().min(1).max(1000),
  /** Whether the question uses a name of its answer. */
  named: z.boolean(),
  /** The files that a colleague would open, all equally right. */
  files: z.array(path).min(1).max(20),
  /** The lines that decide, as `path:12-15` or `path:12`, from 1. */
  lines: z
    .array(z.string().regex(/^.{1,500}:\d{1,7}(-\d{1,7})?$/))
    .min(1)
    .max(20),
});

/** A question about a code base, and where its answer is. */
export type Question = Readonly<z.infer<typeof question>>;

/** Questions of a half, or those about the held-out code bases that were written for what is shown first. */
export type QuestionSet = Half | 'shown';

/** Returns the questions about a code base; none where they have not been written yet. */
export async function questionsAbout(name: string, set: QuestionSet): Promise<Question[]> {
  const file = join(import.meta.dirname, 'questions', set, `${name}.json`);
  return existsSync(file) ? z.array(question).parse(JSON.parse(await readFile(file, 'utf8'))) : [];
}

/** Returns the places that a question's `lines` name. */
export function decidingLines({ lines }: Question): Lines[] {
  return lines.map((text) => {
    const colon = text.lastIndexOf(':');
    const [start = 0, end = start] = text
      .slice(colon + 1)
      .split('-')
      .map(Number);
    return { path: text.slice(0, colon), start, end };
  });
}
