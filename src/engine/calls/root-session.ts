/** The name of the root's own conversation: the root has no node.json that could name it. */
export const ROOT_SESSION = 'root';
