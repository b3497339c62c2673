import type { Model } from '../../core/ports/model.ts';
import { agentReads } from '../../searches/messages.ts';
import { terminalOf } from '../terminal/terminal.ts';
import { inWords } from '../terminal/translation.ts';

/** An agent reads files by itself: what is left out of all other models' prompts, it sees. */
export function sayAgents(models: readonly (Model | undefined)[]): void {
  const names = new Set(models.flatMap((model) => (model?.most ? [model.name] : [])));
  for (const name of names) terminalOf(process).err.line(inWords(agentReads({ model: name })));
}
