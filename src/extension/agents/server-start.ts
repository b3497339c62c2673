/** Makes the editor's own program run as Node; Node itself ignores it. */
export const RUN_AS_NODE: Readonly<Record<string, string>> = { ELECTRON_RUN_AS_NODE: '1' };

/** A flag of our server: the window offers its agents the tools over searches itself. */
export const BESIDE_WINDOW = '--beside-window';
