/** The argument of a key in the sidebar: the selected row, whatever is open in the editor. */
export const SELECTION = 'selection';
