import type { Grade } from '../../core/ports/prompt-data.ts';
import { oneLine, yamlString } from '../../text/cut/markdown.ts';
import type { DocumentPlan } from '../../text/find/document-plan.ts';
import type { WorkspaceIndex } from '../../text/index/workspace-index.ts';

const FRONT = '---\n';

/** A document that also says in its front matter how much it found, and at its end where it looked. */
export function graded(document: string, grade: Grade, { quotes }: DocumentPlan, index: WorkspaceIndex): string {
  const word = grade.values.find(({ least }) => quotes.length >= least) ?? grade.values.at(-1);
  const field = word ? `${grade.field}: ${yamlString(word.value)}\n` : '';
  const places = Map.groupBy(quotes, ({ file }) => file.path);
  const looked = [...places].map(([path, found]) => {
    const rows = found.map(({ start, end }) => (end > start ? `${start + 1}-${end + 1}` : `${start + 1}`));
    return `- ${oneLine(path)} - lines ${rows.join(', ')}`;
  });
  const none = `- all ${index.files.length} files of this workspace - nothing that matches`;
  const references = `## References\n${looked.length > 0 ? looked.join('\n') : none}\n`;
  return `${FRONT}${field}${document.slice(FRONT.length)}\n${references}`;
}
