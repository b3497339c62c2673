import type { Topic } from '../../../core/ports/prompt-data.ts';
import { lineageOf, pathOf, type TreeNode } from '../../../core/tree/tree.ts';
import type { ResearchSearch } from '../research-search.ts';
import type { ChildrenData, DocumentData } from './prompt-data.ts';

/** Returns what a document's prompt is made from. */
export function documentData(search: ResearchSearch, node: TreeNode): DocumentData {
  const { surveys, together, maxChildren, limits } = search;
  const hasList = together && node.depth < limits.now.maxDepth;
  return {
    purpose: 'document',
    ...topicData(search, node),
    why: node.evaluation?.reasoning,
    isForked: surveys,
    subtopics: hasList ? maxChildren : undefined,
  };
}

/** Returns what the prompt for a list of children is made from. */
export function childrenData(search: ResearchSearch, node: TreeNode): ChildrenData {
  const { maxChildren, surveys } = search;
  return {
    purpose: 'children',
    maxChildren,
    surveys: surveys && node.parent === undefined,
    ...topicData(search, node),
  };
}

function topicData(search: ResearchSearch, node: TreeNode): { question: string; folder: string; lineage: Topic[] } {
  const folder = [search.folder, pathOf(node)].filter((part) => part !== '').join('/');
  return { question: search.file.prompt, folder, lineage: topicsOf(node) };
}

/** The topics from the first level down to a node, as models see them. */
function topicsOf(node: TreeNode): Topic[] {
  return lineageOf(node).map((each) => ({
    title: each.title,
    siblings: (each.parent?.children ?? []).map((sibling) => sibling.title),
    index: each.index,
  }));
}
