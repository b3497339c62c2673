/**
 * The name of this program on the command line: its own, or as set by whatever started it, so that the commands it
 * suggests can be typed as they are.
 */
export function commandName(env: NodeJS.ProcessEnv = process.env): string[] {
  const words = env['THOUGHT_TREE_COMMAND']?.split(' ').filter((word) => word !== '') ?? [];
  return words.length > 0 ? words : ['thought-tree'];
}
