const PROVIDERS: ReadonlySet<string> = new Set(['claude']);

/** Tells whether a model of this name is a complete agent, which works in a folder by itself. */
export function isAgent(name: string): boolean {
  return PROVIDERS.has(name.split('/', 1)[0] ?? '');
}
