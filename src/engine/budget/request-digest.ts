import type { ModelRequest } from '../../core/ports/model.ts';
import { digest } from '../../core/text/digest.ts';

/**
 * A hash of what is sent as text, to tell the sendings of one question apart. What comes before the prompt is a conversation
 * that only grows, or is shortened: its length and last turn tell enough, and hashing all of it would take much longer.
 */
export function digestOf({ system, turns, prompt, toolResults }: ModelRequest): string {
  const length = turns.reduce((sum, turn) => sum + turn.text.length, system.length);
  const { text, toolCalls, toolResults: results } = turns.at(-1) ?? { text: '' };
  const tools = toolCalls || results || toolResults ? JSON.stringify([toolCalls, results, toolResults]) : '';
  return digest(`${turns.length} ${length}`, text, prompt, tools);
}
