/**
 * How this program is called here, as words of a command line: by its own name, or as whatever started it says, so
 * that the commands it advises can be typed as they are.
 */
export function commandName(env: NodeJS.ProcessEnv = process.env): string[] {
  const words = env['THOUGHT_TREE_COMMAND']?.split(' ').filter((word) => word !== '') ?? [];
  return words.length > 0 ? words : ['thought-tree'];
}
