/** Under which name the root's own exchange is kept: the root has no node.json that could name it. */
export const ROOT_SESSION = 'root';
