import pLimit from 'p-limit';
import type { Format, IncomingWishes, MirrorAsk, WholeSearch } from '../../../core/kind/kind-format.ts';
import type { Message } from '../../../core/messages/message.ts';
import type { Store } from '../../../core/ports/store.ts';
import { isThoughtTreeError } from '../../../core/search/errors.ts';
import type { SearchFile } from '../../../core/search/search-file.ts';
import { quotedForDot, quotedForMermaid } from '../../../core/text/graph-text.ts';
import { isSameJson } from '../../../core/text/loose-json.ts';
import { oneLine } from '../../../core/text/text.ts';
import type { NodeData } from '../../../core/tree/node-file.ts';
import { listOf, pathOf, Tree, type TreeNode, walk } from '../../../core/tree/tree.ts';
import { planWarnings } from '../plan/check-plan.ts';
import { PlanFile } from '../plan/plan.ts';
import { readPlan, writePlan } from '../plan/plan-file.ts';
import { idOf, laidOut } from '../run/lay-out.ts';
import { graphFrom, worstWord } from '../run/read-graph.ts';
import { chosenOf } from '../show/looks.ts';
import { fieldOf, readYaml } from '../yaml/read-yaml.ts';
import { fileOfState, type PlannedState, planOfState, searchOfState } from './import-state.ts';
import * as say from './messages.ts';
import { isStateText, readState, splitState } from './read-state.ts';
import type { State, StateAtom } from './state.ts';
import { bindingsIn, type StateOf, withState, writeState } from './write-state.ts';

/** An atom as it is drawn. */
interface DrawnAtom {
  /** Made of a letter and digits, so that it means nothing in any language. */
  readonly id: string;
  /** Its name, its title, and how far it is, in lines. */
  readonly lines: readonly string[];
  readonly state: 'pending' | 'done' | 'resolved' | 'failed';
  /** False for alternatives that are not chosen. */
  readonly isChosen: boolean;
}

/** A group of alternatives as it is drawn. */
interface DrawnGroup {
  readonly id: string;
  readonly title: string;
  readonly atoms: readonly DrawnAtom[];
}

interface DrawnEdge {
  readonly from: string;
  readonly to: string;
  readonly type: 'depends-on' | 'if-failed' | 'discovered-from' | 'part-of';
}

/** A work graph as other programs draw it. */
interface DrawnGraph {
  /** Those that are no alternatives. */
  readonly atoms: readonly DrawnAtom[];
  readonly groups: readonly DrawnGroup[];
  /** Ends are ids of atoms or groups; each leads from what comes first. */
  readonly edges: readonly DrawnEdge[];
}

const LONGEST_TITLE = 80;

function drawnGraph(tree: Tree): DrawnGraph {
  const { graph, atoms, groups, names } = graphFrom(tree);
  const ids = new Map([...names.keys()].map((node, i) => [node, `n${i + 1}`]));
  const idOf = (node: TreeNode) => ids.get(node.id) ?? 'n0';
  const drawn = (name: string, isChosen: boolean): DrawnAtom[] => {
    const atom = atoms.get(name);
    if (!atom) return [];
    const { state = 'pending' } = graph.atoms.get(name) ?? {};
    const word = worstWord(atom.own?.evidence);
    const lines = [name, oneLine(atom.node.title, LONGEST_TITLE), word === undefined ? state : `${state}, ${word}`];
    return [{ id: idOf(atom.node), lines, state, isChosen }];
  };
  const alone = [...graph.atoms.values()].filter(({ group }) => group === undefined);
  // Waiting for one alternative is waiting for the group.
  const source = (node: TreeNode) =>
    idOf(node.parent && groups.has(names.get(node.parent.id) ?? '') ? node.parent : node);
  const edges = [...atoms.values(), ...groups.values()].flatMap(({ node }) => {
    const links = tree.links.from(node).flatMap(({ type, to }) => {
      const isKnown = type === 'depends-on' || type === 'if-failed' || type === 'discovered-from';
      return isKnown && to && ids.has(to.id)
        ? [{ from: type === 'depends-on' ? source(to) : idOf(to), to: idOf(node), type } as const]
        : [];
    });
    const above = node.parent && ids.has(node.parent.id) ? node.parent : undefined;
    const isAlternative = above && groups.has(names.get(above.id) ?? '');
    return above && !isAlternative
      ? [...links, { from: idOf(node), to: idOf(above), type: 'part-of' as const }]
      : links;
  });
  return {
    atoms: alone.flatMap(({ name }) => drawn(name, true)),
    groups: [...groups].map(([name, { node, own }]) => {
      const chosen = chosenOf(
        node.children.map(({ status, file }) => ({ status, own: file?.own })),
        own,
      );
      const selected = chosen?.own?.['name'];
      const below = node.children.flatMap((child) => names.get(child.id) ?? []);
      return {
        id: idOf(node),
        title: oneLine(name, LONGEST_TITLE),
        atoms: below.flatMap((each) => drawn(each, each === selected)),
      };
    }),
    edges: [...new Map(edges.map((edge) => [JSON.stringify(edge), edge])).values()],
  };
}

const COLOURS = { pending: 'white', done: 'lightyellow', resolved: 'palegreen', failed: 'mistyrose' } as const;
const STYLES: Readonly<Record<DrawnEdge['type'], string>> = {
  'depends-on': 'style=solid',
  'if-failed': 'style=dashed, label="if it fails"',
  'discovered-from': 'style=dotted, label="led to"',
  'part-of': 'style=solid, arrowhead=diamond',
};

/** Returns a work graph in the language of Graphviz: alternatives in a box, the chosen one solid. */
export function workGraphDot(tree: Tree): string {
  const { atoms, groups, edges } = drawnGraph(tree);
  const clusters = new Map(groups.map((group) => [group.id, group]));
  return [
    'digraph Work {',
    '  rankdir=LR;',
    '  compound=true;',
    '  node [shape=box, fontname="Arial"];',
    '  edge [fontname="Arial", fontsize=10];',
    ...atoms.map((atom) => `  ${dotNode(atom)}`),
    ...groups.flatMap(cluster),
    ...edges.map((edge) => `  ${edge.from} -> ${edge.to} [${attributes(edge, clusters)}];`),
    '}',
    '',
  ].join('\n');
}

function dotNode({ id, lines, state, isChosen }: DrawnAtom): string {
  const label = lines.map(quotedForDot).join('\\n');
  const style = isChosen ? 'filled,rounded,solid' : 'filled,rounded,dashed';
  return `${id} [label="${label}", fillcolor=${COLOURS[state]}, style="${style}"];`;
}

/** The group itself is a point in its box, at which edges end. */
function cluster({ id, title, atoms }: DrawnGroup): string[] {
  return [
    `  subgraph cluster_${id} {`,
    `    label="${quotedForDot(title)}";`,
    '    style=rounded;',
    `    ${id} [shape=point, label=""];`,
    ...atoms.map((atom) => `    ${dotNode(atom)}`),
    '  }',
  ];
}

function attributes({ from, to, type }: DrawnEdge, clusters: ReadonlyMap<string, unknown>): string {
  const ends = [
    ...(clusters.has(from) ? [`ltail=cluster_${from}`] : []),
    ...(clusters.has(to) ? [`lhead=cluster_${to}`] : []),
  ];
  return [STYLES[type], ...ends].join(', ');
}

const ARROWS: Readonly<Record<DrawnEdge['type'], string>> = {
  'depends-on': '-->',
  'if-failed': '-. if it fails .->',
  'discovered-from': '-. led to .->',
  'part-of': '--o',
};

/** Returns a work graph in the language of Mermaid: alternatives in a box, the chosen one solid. */
export function workGraphMermaid(tree: Tree): string {
  const { atoms, groups, edges } = drawnGraph(tree);
  const all = [...atoms, ...groups.flatMap((group) => group.atoms)];
  const classes = (['pending', 'done', 'resolved', 'failed'] as const).flatMap((state) => {
    const ids = all.filter((atom) => atom.state === state).map(({ id }) => id);
    return ids.length === 0 ? [] : [`  class ${ids.join(',')} ${state}`];
  });
  const others = all.filter(({ isChosen }) => !isChosen).map(({ id }) => `  style ${id} stroke-dasharray: 4 3`);
  return [
    'flowchart LR',
    ...atoms.map((atom) => `  ${mermaidNode(atom)}`),
    ...groups.flatMap(({ id, title, atoms: below }) => [
      `  subgraph ${id}["${quotedForMermaid(title)}"]`,
      ...below.map((atom) => `    ${mermaidNode(atom)}`),
      '  end',
    ]),
    ...edges.map(({ from, to, type }) => `  ${from} ${ARROWS[type]} ${to}`),
    '  classDef pending fill:#fff,stroke:#888,color:#222',
    '  classDef done fill:#fff8d6,stroke:#a98b00,color:#222',
    '  classDef resolved fill:#dcf5dc,stroke:#2e7d32,color:#222',
    '  classDef failed fill:#fde2e2,stroke:#b3261e,color:#222',
    ...classes,
    ...others,
    '',
  ].join('\n');
}

function mermaidNode({ id, lines }: DrawnAtom): string {
  return `${id}["${lines.map(quotedForMermaid).join('<br/>')}"]`;
}

const FILE = 'the state file';
type Change = MirrorAsk['changes'][number];

/**
 * Finds what a state file asks for that we wrote as `ours`, and that others may have changed. Whatever they changed is
 * proposed as redirects, which a person accepts or not.
 */
export function mirrorAsks(ours: string, found: string): MirrorAsk {
  if (ours === found) return { stop: false, redirect: false, changes: [], notes: [] };
  let states: readonly [State, State];
  try {
    states = [readState(ours, FILE).state, readState(found, FILE).state];
  } catch (error) {
    if (!isThoughtTreeError(error)) throw error;
    return { stop: false, redirect: true, changes: [], notes: [say.mirrorUnreadable({ why: error.say })] };
  }
  const [stop, redirect] = [isAsked(found, 'stop_requested'), isAsked(found, 'redirect_requested')];
  const [before, now] = states;
  const changes = [...goalChanges(before, now), ...graphChanges(before, now), ...bindingChanges(before, now)];
  const names = statusesIn(before, now);
  const notes = [
    ...(names.length > 0 ? [say.mirrorStatuses({ names: names.join(', ') })] : []),
    ...(!redirect && !stop && changes.length === 0 && names.length === 0 ? [say.mirrorOthers()] : []),
  ];
  const isOnlyStop = stop && !redirect && changes.length === 0 && names.length === 0;
  return { stop, redirect: !isOnlyStop, changes, notes };
}

function isAsked(text: string, name: string): boolean {
  const { value } = readYaml(splitState(text, FILE).yaml, { file: FILE });
  return fieldOf(fieldOf(value, 'control'), name) === true;
}

/** Fields of the plan that differ, as one redirect each for the goal and for its limits. */
function goalChanges(before: State, now: State): Change[] {
  const [earlier, later] = [planOfState(before), planOfState(now)];
  const differing = (names: readonly (keyof typeof later)[]): Record<string, unknown> =>
    Object.fromEntries(
      names.filter((name) => !isSameJson(earlier[name], later[name])).map((name) => [name, later[name]]),
    );
  const objective = differing(['goal', 'background', 'deliverables', 'done', 'in_scope', 'out_of_scope', 'base_case']);
  const constraint = differing(['constraints', 'limits']);
  return [
    ...(Object.keys(objective).length > 0 ? [{ type: 'objective', change: objective }] : []),
    ...(Object.keys(constraint).length > 0 ? [{ type: 'constraint', change: constraint }] : []),
  ];
}

function graphChanges(before: State, now: State): Change[] {
  const earlier = new Map(before.atoms.map((atom) => [atom.id, atom]));
  const later = new Map(now.atoms.map((atom) => [atom.id, atom]));
  const planned = new Map(planOfState(now).atoms.map((atom) => [atom.id, atom]));
  const add = now.atoms.flatMap(({ id }) => (earlier.has(id) ? [] : withoutDefaults(planned.get(id))));
  const drop = before.atoms.flatMap(({ id }) => (later.has(id) ? [] : [id]));
  const change = Object.fromEntries(
    now.atoms.flatMap((atom) => {
      const fields = changedFields(earlier.get(atom.id), atom, planned.get(atom.id));
      return fields ? [[atom.id, fields]] : [];
    }),
  );
  if (add.length + drop.length + Object.keys(change).length === 0) return [];
  const all = { ...(add.length > 0 && { add }), ...(drop.length > 0 && { drop }) };
  return [{ type: 'graph', change: { ...all, ...(Object.keys(change).length > 0 && { change }) } }];
}

function changedFields(
  earlier: StateAtom | undefined,
  atom: StateAtom,
  planned: { title: string; does?: string | undefined } | undefined,
): object | undefined {
  if (!earlier || !planned) return undefined;
  const isOther = earlier.description !== atom.description;
  const hasMoved = !isSameJson(earlier.dependsOn, atom.dependsOn);
  if (!isOther && !hasMoved) return undefined;
  return {
    ...(isOther && { title: planned.title, does: planned.does ?? null }),
    ...(hasMoved && { depends_on: [...atom.dependsOn] }),
  };
}

function withoutDefaults(atom: object | undefined): object[] {
  if (!atom) return [];
  const kept = Object.entries(atom).filter(
    ([, value]) => value !== false && !(Array.isArray(value) && value.length === 0),
  );
  return [Object.fromEntries(kept)];
}

/** Returns changed words about what came of atoms that both say are resolved. */
function bindingChanges(before: State, now: State): Change[] {
  const resolved = new Set(before.atoms.flatMap(({ id, isResolved }) => (isResolved ? id : [])));
  return now.atoms.flatMap(({ id, isResolved }) => {
    const binding = now.bindings.get(id);
    if (!isResolved || !resolved.has(id) || !binding || isSameJson(binding, before.bindings.get(id))) return [];
    const { summary, artifacts } = binding;
    return [{ type: 'binding', change: { atom: id, ...(summary.trim() !== '' && { summary }), artifacts } }];
  });
}

function statusesIn(before: State, now: State): string[] {
  const earlier = new Map(before.atoms.map(({ id, isResolved }) => [id, isResolved]));
  return now.atoms.flatMap(({ id, isResolved }) => (earlier.get(id) === !isResolved ? [id] : []));
}

// The hook of the original system approves every edit and every command as long as it does not read `stopped` or `completed`.
// It knows no YAML: between two lines of hyphens it takes the first line that begins with two blanks and `status:`, to its end.

const STATUS = /^ {2}status:(.*)$/;
const HARMLESS: ReadonlySet<string> = new Set(['stopped', 'completed']);

/** The status that the hook reads, and its line. */
export interface HookReads {
  readonly status: string | undefined;
  /** From 1. */
  readonly line: number | undefined;
}

/** Reads a file as the hook does. */
export function hookReads(text: string): HookReads {
  const all = text.split('\n');
  // The last part has no line feed.
  const end = all[0] === '---' ? all.indexOf('---', 1) : -1;
  if (end < 0 || end === all.length - 1) return { status: undefined, line: undefined };
  const at = all.findIndex((line, i) => i > 0 && i < end && STATUS.test(line));
  if (at < 0) return { status: undefined, line: undefined };
  return { status: STATUS.exec(all[at] ?? '')?.[1]?.replace(/^ +/, ''), line: at + 1 };
}

/** Tells a person of a file that was written that the hook is armed all the same, where it is. */
export function hookNotes(text: string): Message[] {
  const { status, line } = hookReads(text);
  if (status !== undefined && HARMLESS.has(status)) return [];
  const why = line === undefined ? say.hookReadsNothing() : say.hookReadsOther({ line: String(line) });
  return [say.hookArmed({ why })];
}

/** Files that are read or written at the same time. */
const FILES_AT_ONCE = 32;

/** The state file of the system that work graphs come from, schema 1.3. */
const aotState: Format = {
  name: 'aot-state',
  write: async (search) => writeState(await stateOf(search), await search.store.readImported(), { status: 'stopped' }),
  fileName: () => 'aot-loop-state.md',
  notes: hookNotes,
  mirror: {
    warning: say.mirrorArms(),
    program: 'ralph-wiggum-aot',
    write: async (search, status) => writeState(await stateOf(search), await search.store.readImported(), { status }),
    stopped: (found) => withState(found, 'stopped'),
    asks: mirrorAsks,
  },
  reader: {
    of: 'text',
    is: (text) => isStateText(String(text)),
    read(content, wishes, file) {
      const text = String(content);
      const { state } = readState(text, file);
      const planned = searchOfState(state);
      return {
        file: fileOfState(state, wishes),
        nodes: planned.tree.size,
        notes: planWarnings(planned.plan),
        writeTo: (store, signal) => writePlanned(planned, text, wishes, store, signal),
      };
    },
  },
};

/** Returns the data from which a search's state follows. */
async function stateOf({ file, tree, store }: Pick<WholeSearch, 'file' | 'tree' | 'store'>): Promise<StateOf> {
  const text = await store.readPlan();
  const plan = text === undefined ? planOfTree(file, tree) : readPlan(text);
  const limit = pLimit(FILES_AT_ONCE);
  const paths = [...walk(tree.root)].filter(({ parent, status }) => parent && status === 'leaf').map(pathOf);
  const read = async (path: string): Promise<[string, string | undefined]> => [path, await store.readDocument(path)];
  const documents = await limit.map(paths, read);
  const found = documents.flatMap(([path, document]) => (document === undefined ? [] : [[path, document] as const]));
  // Before the plan is accepted, there are no nodes.
  if (tree.size === 0) return { plan, tree: treeOfPlan(plan), bindings: new Map() };
  return { plan, tree, bindings: bindingsIn(new Map(found)) };
}

/** Writes the files of a search that only has a search.json. */
async function writePlanned(
  { plan, tree, documents }: PlannedState,
  original: string,
  { newId }: Pick<IncomingWishes, 'newId'>,
  store: Store,
  signal?: AbortSignal,
): Promise<void> {
  await store.writeImported(original);
  await store.writePlan(writePlan(plan));
  const limit = pLimit(FILES_AT_ONCE);
  for (const level of levelsOf(tree))
    await limit.map(level, async (node) => {
      signal?.throwIfAborted();
      const path = pathOf(node);
      await store.writeNode(path, { ...node.file, id: node.fileId ?? newId(), slug: node.slug });
      const document = documents.get(path);
      if (document !== undefined) await store.writeDocument(path, document);
      const hasList = node.children.length > 0 || node.status === 'leaf' || node.status === 'expanded';
      if (hasList) await store.writeChildren(path, listOf(node));
    });
  await store.writeChildren('', listOf(tree.root));
}

function levelsOf({ root }: Tree): TreeNode[][] {
  const levels: TreeNode[][] = [];
  for (let level = [...root.children]; level.length > 0; level = level.flatMap(({ children }) => children))
    levels.push(level);
  return levels;
}

/** The graph, for Graphviz. */
const dot: Format = {
  name: 'dot',
  write: ({ tree }) => Promise.resolve(workGraphDot(tree)),
  fileName: () => 'work-graph.dot',
  notes: () => [],
};

/** The graph, for Mermaid, as it is drawn on many sites. */
const mermaid: Format = {
  name: 'mermaid',
  write: ({ tree }) => Promise.resolve(workGraphMermaid(tree)),
  fileName: () => 'work-graph.mmd',
  notes: () => [],
};

export const workGraphFormats: readonly Format[] = [aotState, dot, mermaid];

/** The nodes that a plan will have once it is laid out. */
export function treeOfPlan(plan: PlanFile): Tree {
  const tree = new Tree('');
  const below = Map.groupBy(laidOut(plan), ({ parent }) => parent);
  const add = (above: TreeNode, name: string | undefined): void => {
    for (const { name: own, title, links, ...laid } of below.get(name) ?? []) {
      const status = below.has(own) ? 'expanded' : 'unexpanded';
      const file = { title, status, id: idOf(own), links: [...links], own: laid.own } as unknown as NodeData;
      add(tree.add(above, own, { file }), own);
    }
  };
  add(tree.root, undefined);
  return tree;
}

/** Makes a plan of what is known where plan.yaml is missing: the question, and the nodes. */
function planOfTree({ prompt }: Pick<SearchFile, 'prompt'>, tree: Tree): PlanFile {
  const goal = prompt.slice(0, 20_000);
  const line = goal.replace(/\s+/g, ' ').slice(0, 1000).trim() || '?';
  const atoms = [...graphFrom(tree).atoms].map(([id, { node }]) => ({ id, title: node.title }));
  const known = atoms.filter((atom) => PlanFile.shape.atoms.safeParse([atom]).success);
  return PlanFile.parse({
    goal,
    base_case: [{ item: line, check: { assertion: line } }],
    atoms: known.length > 0 ? known : [{ id: 'A1', title: line }],
  });
}
