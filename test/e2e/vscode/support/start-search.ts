import type { Workbench } from '../../../host/workbench.ts';

interface Started {
  /** The model to choose, where none was chosen before. */
  readonly model?: string;
  /** The folder of several that it is about. */
  readonly folder?: string;
}

/** Begins a search on a question by the palette, as far as the person is asked. */
export async function startResearch(window: Workbench, question: string, started: Started = {}): Promise<void> {
  const { model, folder } = started;
  await window.command('Thought Tree: Start Tree Search');
  await window.answer('What do you want to know', question);
  if (folder !== undefined) await window.pick(new RegExp(`^${folder}, `));
  if (model !== undefined) await window.pick(model);
  await window.pick('Medium: 60 topics');
}
