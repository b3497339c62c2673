/** Whether a model of this name is a complete agent, which works in a folder by itself. */
export function isAgent(name: string): boolean {
  return name.startsWith('claude/');
}
