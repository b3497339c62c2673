/** The provider part of the names of the editor's own models. */
export const EDITOR_PROVIDER = 'vscode';
