import type * as vscode from 'vscode';

/** What the editor remembers for an extension. */
export function fakeMemento(
  kept: Record<string, unknown> = {},
): vscode.Memento & vscode.ExtensionContext['globalState'] {
  return {
    get: (key: string) => kept[key],
    keys: () => Object.keys(kept),
    update: async (key: string, value: unknown) => void Object.assign(kept, { [key]: value }),
    setKeysForSync: () => undefined,
  } as unknown as vscode.Memento & vscode.ExtensionContext['globalState'];
}
