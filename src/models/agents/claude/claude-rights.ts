import type { Workplace } from '../../../core/ports/model.ts';
import { isOfGit, placeWithin } from '../../../text/files/real-place.ts';
import type { Permission, QueryOptions } from './claude-sdk.ts';

// These are the rights of Claude Code: its own tools, by the place it works in. In a workplace, what the person allowed
// besides reading does not let it write anywhere else.

/** The tools that it may use without asking, on files of the folder that it works in. */
const READING = ['Read', 'Grep', 'Glob'];
const EDITING = ['Edit', 'Write'];
/** Tools that change a file wherever they are told to. */
const CHANGES_FILES: ReadonlySet<string> = new Set([...EDITING, 'MultiEdit', 'NotebookEdit']);

/** Tools that change no file, whatever they are given. */
const HARMLESS: ReadonlySet<string> = new Set([...READING, 'WebFetch', 'WebSearch', 'TodoWrite']);

const OUTSIDE =
  'That is outside of the folder in which you work, or belongs to git. Only files of that folder can be changed.';

const READS = 'Nothing may be changed here.';

/** The part of the SDK's options that says what may be used. */
export type Rights = Pick<QueryOptions, 'tools' | 'allowedTools' | 'settingSources'>;

/**
 * @param workplace where it works; undefined: in the workspace
 * @param allowed what the person allowed besides reading, as in `Bash(git log:*)`
 */
export function rightsIn(workplace: Workplace | undefined, allowed: readonly string[]): Rights {
  // Not the workspace's own settings: they can name programs to run, and may have come with a clone.
  if (!workplace) return { tools: toolsOf(allowed), allowedTools: allowed, settingSources: ['user'] };
  // The person's settings may allow edits everywhere, which then would not be looked at.
  if (workplace.rights === 'read' || workplace.folder === undefined)
    return { tools: READING, allowedTools: [], settingSources: [] };
  const others = allowed.filter((rule) => !CHANGES_FILES.has(toolOf(rule)));
  return { tools: [...new Set([...toolsOf(others), ...EDITING])], allowedTools: others, settingSources: [] };
}

/** Tells whether what a person allowed can change files: commands can, and tools that are not known. */
export function mayChangeFiles(allowed: readonly string[]): boolean {
  return allowed.some((rule) => !HARMLESS.has(toolOf(rule)));
}

function toolsOf(rules: readonly string[]): string[] {
  // Reading is not allowed by a rule: in its folder it needs no permission, and outside it has to be asked for.
  return [...new Set([...READING, ...rules.map(toolOf)])];
}

function toolOf(rule: string): string {
  return rule.replace(/\(.*$/s, '');
}

/** Tells whether it may change a file, by where that leads to; undefined if it wants none, or is in no workplace. */
export function mayChange(
  workplace: Workplace | undefined,
  tool: string,
  input: Readonly<Record<string, unknown>>,
): Permission | undefined {
  if (!workplace || !CHANGES_FILES.has(tool)) return undefined;
  const path = input['file_path'] ?? input['notebook_path'];
  const { folder, rights } = workplace;
  if (rights !== 'write' || folder === undefined) return { behavior: 'deny', message: READS };
  const place = typeof path === 'string' && !/^\s*~/.test(path) ? placeWithin(folder, path) : undefined;
  const isAllowed = place !== undefined && !isOfGit(place);
  return isAllowed ? { behavior: 'allow', updatedInput: input } : { behavior: 'deny', message: OUTSIDE };
}
