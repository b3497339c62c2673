import '../use-fake-vscode.ts';
import type { SecretStorage } from 'vscode';

const { ApiKeys } = await import('../../../../src/extension/models/api-keys.ts');

/** Keys in a storage that a test can look into. */
export function keysIn(secrets: Map<string, string>): InstanceType<typeof ApiKeys> {
  const storage = {
    get: async (key: string) => secrets.get(key),
    store: async (key: string, value: string) => void secrets.set(key, value),
    delete: async (key: string) => void secrets.delete(key),
  };
  return new ApiKeys(storage as unknown as SecretStorage);
}
