/** Makes the editor's own program a Node; another Node ignores it. */
export const RUN_AS_NODE: Readonly<Record<string, string>> = { ELECTRON_RUN_AS_NODE: '1' };

/** A flag of our server: the window offers its agents the tools over searches itself. */
export const BESIDE_WINDOW = '--beside-window';
