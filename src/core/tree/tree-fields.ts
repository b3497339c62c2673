import { oneLine } from '../text/text.ts';
import type { NodeData } from './node-file.ts';
import type { NodeFields } from './tree.ts';

/**
 * A node in memory, from its file. A field that does not apply to its status (why a pruned branch once failed) stays in
 * `file` only, so that restoring the node finds it there.
 */
export function toTreeFields(file: NodeData): NodeFields & { title: string } {
  const { status } = file;
  return {
    file,
    title: oneLine(file.title, 1000) || 'Untitled',
    status,
    summary: file.summary,
    evaluation: file.evaluation,
    leafReason: status === 'leaf' ? (file.leafReason ?? 'model') : undefined,
    prunedBy: status === 'pruned' ? (file.prunedBy ?? 'user') : undefined,
    failure: status === 'failed' ? file.failure : undefined,
    sessionId: file.sessionId,
    model: file.model,
    selected: file.selected,
    sameAs: file.sameAs,
    citations: file.citations,
    unscored: file.unscored,
    state: file.state,
  };
}
