/** The scheme of files as they were, or are, in the work of a search. */
export const WORK_SCHEME = 'thought-tree-work';
