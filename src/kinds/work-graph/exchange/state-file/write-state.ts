import { isCollection, isMap, isNode } from 'yaml';
import { isAllResolved } from '../../graph/resolved.ts';
import { graphFrom } from '../../run/tree/read-graph.ts';
import { asSaid } from '../../yaml/as-said.ts';
import { editYaml } from '../../yaml/edit-yaml.ts';
import { afterMark, entriesOf, nameIn } from '../../yaml/places.ts';
import { blockYaml } from '../../yaml/print-yaml.ts';
import { readYaml, type YamlSource } from '../../yaml/read-yaml.ts';
import { fieldOf, isFields, isSame } from '../../yaml/same.ts';
import { type StateText, splitState } from './front-matter.ts';
import { searchOfState } from './plan-state-import.ts';
import { readState } from './read-state.ts';
import type { State } from './state.ts';
import { bindingsIn } from './state-bindings.ts';
import { type StateOf, stateValue } from './state-value.ts';

/** The name in errors of a file that a search keeps. */
const FILE = 'the state file';

export interface StateWishes {
  /**
   * `stopped`, so that the hook of the original system stops approving; a mirror says what is so. Where the goal is reached,
   * `completed` is written instead, for which it does the same.
   */
  readonly status: string;
}

/**
 * A search as a state file.
 * @param original the file that it came from: every byte stays but of what changed since, and of the status
 */
export function writeState(now: StateOf, original: string | undefined, wishes: StateWishes): string {
  if (original === undefined) {
    const value = stateValue(now);
    const body = `# Original Prompt\n\n${now.plan.goal}\n`;
    return `---\n${blockYaml(withStatus(value, statusOf(now, wishes)))}---\n\n${body}`;
  }
  const { state, yaml } = readState(original, FILE);
  const { plan, tree, documents } = searchOfState(state);
  const before = stateValue({ plan, tree, bindings: bindingsIn(documents), earlier: state.trail });
  const after = stateValue({ ...now, earlier: state.trail });
  const value = withoutRunning(merged(yaml.value, before, after, state.iteration), yaml.value);
  const text = splitState(original, FILE);
  const source = { file: FILE, linesBefore: text.linesBefore };
  const status = statusOf(now, wishes, state);
  const edited = editYaml(text.yaml, withStatus(value, status), source);
  return joinedState({ ...text, yaml: withBareStatus(edited, status, source) });
}

/** A file that said that its goal is reached is believed as long as nobody looked, and nothing is to be done. */
function statusOf({ tree }: StateOf, { status }: StateWishes, said?: State): string {
  const { goal, graph } = graphFrom(tree);
  const isBelieved = said?.isCompleted === true && goal?.own.tries === undefined && isAllResolved(graph);
  return status === 'stopped' && (goal?.node.status === 'leaf' || isBelieved) ? 'completed' : status;
}

/** A file with another status; all else in it stays. */
export function withState(original: string, status: string): string {
  const text = splitState(original, FILE);
  const source = { file: FILE, linesBefore: text.linesBefore };
  const { value } = readYaml(text.yaml, source);
  const edited = editYaml(text.yaml, isFields(value) ? withStatus({ ...value }, status) : value, source);
  return joinedState({ ...text, yaml: withBareStatus(edited, status, source) });
}

function joinedState({ head, yaml, tail }: StateText): string {
  return head + yaml + tail;
}

/** Returns what the file says, with what changed since it was read. */
function merged(said: unknown, before: object, after: object, iteration: number): Record<string, unknown> {
  const value = asSaid(said, before, after, after) as Record<string, unknown>;
  const [earlier, now] = [before, after].map((each) => fieldOf(fieldOf(each, 'objective'), 'base_case'));
  const objective = fieldOf(value, 'objective');
  const saidCase = fieldOf(fieldOf(said, 'objective'), 'base_case');
  // Checks are said in several forms, which must not be mixed.
  const baseCase = isSame(earlier, now) ? saidCase : now;
  const ran = fieldOf(fieldOf(after, 'control'), 'iteration');
  const control = fieldOf(value, 'control');
  return {
    ...value,
    objective: isFields(objective) ? { ...objective, base_case: baseCase } : objective,
    control: {
      ...(isFields(control) ? control : {}),
      ...(typeof ran === 'number' && ran > 0 ? { iteration: iteration + ran } : {}),
    },
  };
}

/** Nobody works on an atom of a file: what was under way is pending. */
function withoutRunning(value: Record<string, unknown>, said: unknown): Record<string, unknown> {
  const atoms = fieldOf(value, 'atoms') ?? fieldOf(said, 'atoms');
  if (!Array.isArray(atoms)) return value;
  return {
    ...value,
    atoms: atoms.map((atom: unknown) =>
      isFields(atom) && atom['status'] === 'in_progress' ? { ...atom, status: 'pending' } : atom,
    ),
  };
}

function withStatus(value: Record<string, unknown>, status: string): Record<string, unknown> {
  const control = fieldOf(value, 'control');
  return { ...value, control: { ...(isFields(control) ? control : {}), status } };
}

/** The hook takes a line to its end, so that nothing but the status may be there: no comment, no quotes. */
function withBareStatus(yaml: string, status: string, source: YamlSource): string {
  const root = readYaml(yaml, source).document.contents;
  const control = entriesOf(root as never).find(({ key }) => nameIn(key) === 'control')?.value;
  if (!isMap(control) || (isCollection(root) && root.flow) || control.flow) return yaml;
  const entry = entriesOf(control).find(({ key }) => nameIn(key) === 'status');
  const mark = entry && afterMark(entry.token);
  const value = entry?.value;
  if (mark === undefined || !isNode(value) || !value.range) return yaml;
  const [from, to] = value.range;
  const end = lineEnd(yaml, to);
  const isOnLine = !yaml.slice(mark, from).includes('\n');
  return isOnLine
    ? yaml.slice(0, from) + status + yaml.slice(end)
    : `${yaml.slice(0, mark)} ${status}${yaml.slice(end)}`;
}

function lineEnd(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  if (end < 0) return text.length;
  return text[end - 1] === '\r' ? end - 1 : end;
}
