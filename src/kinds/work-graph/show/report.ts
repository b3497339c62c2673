import type { Message } from '../../../core/messages/message.ts';
import type { ChangedFile, Diff, Workshop } from '../../../core/ports/workshop.ts';
import { isThoughtTreeError } from '../../../core/search/errors.ts';
import type { Results } from '../../../core/search/events.ts';
import { oneLine } from '../../../core/text/text.ts';
import { inertMarkdown } from '../../../engine-parts/citations/inert-markdown.ts';
import { documentLink } from '../../../engine-parts/report/link-target.ts';
import { andMore, cost } from '../../../engine-parts/report/messages.ts';
import { MOST_IN_SHORT, moneyLine, timeLine, tokensLine } from '../../../engine-parts/report/report-lines.ts';
import { interimNotice } from '../../../engine-parts/report/report-writing.ts';
import { plainLine } from '../../../engine-parts/report/safe-markdown.ts';
import { isVerified, itemAt, topLevel, withWord } from '../evidence/check-work.ts';
import { guardOf } from '../evidence/guarded-paths.ts';
import { type AtomName, partsOf } from '../graph/graph.ts';
import { isReady } from '../graph/ready.ts';
import { isResolved, isWanted } from '../graph/resolution.ts';
import * as say from '../messages.ts';
import type { CheckItem, PlanFile } from '../plan/plan.ts';
import type { Evidence } from '../run/own-fields.ts';
import { type AtomNode, type GraphInTree, graphFrom, triesOf } from '../run/read-graph.ts';
import { BeganWithout } from '../run/readiness.ts';
import { lastIteration } from '../run/strategy.ts';
import type { WorkSearch } from '../run/work-search.ts';
import { planIn } from '../run/work-search.ts';

const LONGEST_LINE = 400;
const LONGEST_GOAL = 4000;
const MOST_LINES = 2000;

/** Writes the report: what was asked, what is verified and by what, what is not and why, the changes, and what it cost. No model is asked. */
export async function writeWorkReport(search: WorkSearch, results: Results): Promise<void> {
  const { file, store, show, tree } = search;
  const plan = await planIn(store).catch(() => undefined);
  const found = graphFrom(tree);
  const section = (title: Message, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : [`## ${show(title)}`, lines.slice(0, MOST_LINES).join('\n')];
  const parts = [
    `# ${plainLine(file.title, LONGEST_LINE)}`,
    ...interimNotice(search),
    inShort(search, plan, found),
    ...(plan ? section(say.asked(), askedLines(search, plan)) : []),
    ...(plan ? section(say.reportBaseCase(), baseCaseLines(search, plan, found)) : []),
    ...section(say.verified(), verifiedLines(search, found)),
    ...section(say.notVerified(), openLines(search, found)),
    ...section(say.choices(), choiceLines(found)),
    ...(plan ? section(say.corrections(), correctionLines(plan)) : []),
    ...(plan ? await changesSection(search, found, plan) : []),
    ...section(cost(), costLines(search, found, results)),
  ];
  await store.writeReport(inertMarkdown(`${parts.join('\n\n')}\n`));
}

/** Says whether the goal is reached, how much of it is, and the atoms that a reader looks at first. */
function inShort({ show }: WorkSearch, plan: PlanFile | undefined, found: GraphInTree): string {
  const evidence = found.goal?.own.evidence ?? [];
  const isReached = evidence.length > 0 && isVerified(evidence) && found.goal?.node.status === 'leaf';
  const held = evidence.filter(({ item, word }) => word === 'verified' && /^\d+$/.test(item)).length;
  const all = plan?.base_case.length ?? 0;
  return [
    show(isReached ? say.reached() : say.notReached()),
    ...(isReached || all === 0 ? [] : [show(say.goalHolds({ held, all }))]),
    ...doneFirst(found, show).map((atoms) => show(say.doneBy({ atoms }))),
    ...(isReached ? [] : openFirst(found).map(({ atom, why }) => show(say.firstOpen({ atom, why: show(why) })))),
  ].join(' ');
}

/** Links to the first atoms that are done. */
function doneFirst({ atoms }: GraphInTree, show: WorkSearch['show']): string[] {
  const done = [...atoms].filter(([, { node }]) => node.status === 'leaf');
  const links = done.slice(0, MOST_IN_SHORT).map(([name, atom]) => atomLink(name, atom));
  const more = done.length - links.length;
  return links.length === 0 ? [] : [[...links, ...(more > 0 ? [show(andMore({ more }))] : [])].join(', ')];
}

/** Returns the first atom that is wanted and not done. */
function openFirst(found: GraphInTree): { atom: string; why: Message }[] {
  for (const [name, atom] of found.atoms) {
    const why = whyNot(found, name, atom);
    if (why && why.key !== say.notChosen.key)
      return [{ atom: plainLine(`${name} ${atom.node.title}`, LONGEST_LINE), why }];
  }
  return [];
}

function atomLink(name: string, { node }: AtomNode): string {
  return `[${plainLine(`${name} ${node.title}`, LONGEST_LINE)}](${documentLink(node)})`;
}

function askedLines({ show, history }: WorkSearch, { goal, done, constraints, deliverables }: PlanFile): string[] {
  const list = (entry: (args: { what: string }) => Message, texts: readonly string[]): string[] =>
    texts.length === 0
      ? []
      : [`- ${show(entry({ what: texts.map((text) => plainLine(text, LONGEST_LINE)).join('; ') }))}`];
  return [
    plainLine(goal, LONGEST_GOAL),
    '',
    ...list(say.doneWhen, done),
    ...list(say.delivers, deliverables),
    ...list(say.keepsTo, constraints),
    ...(history.past.part(BeganWithout)?.lines ?? []).map((line) => `- ${plainLine(show(line), LONGEST_LINE * 2)}`),
  ];
}

function baseCaseLines({ show }: WorkSearch, { base_case: items }: PlanFile, { goal }: GraphInTree): string[] {
  return items.map((each, i) => {
    const { item } = each;
    const known = goal?.own.evidence?.find(({ item: place }) => place === String(i));
    const how = known && known.word !== 'uncheckable' ? ` (${show(howKnown(known, each))})` : '';
    const seen = known && known.word !== 'verified' && known.seen ? `: ${plainLine(known.seen, LONGEST_LINE)}` : '';
    return `- ${plainLine(item, LONGEST_LINE)}: ${show(wordSaid(known))}${how}${seen}`;
  });
}

function verifiedLines({ show }: WorkSearch, found: GraphInTree): string[] {
  return [...found.atoms].flatMap(([name, atom]) => {
    if (atom.node.status !== 'leaf') return [];
    const shown = shownBy(atom).map(([item, how]) => `${plainLine(item, LONGEST_LINE)} (${show(how)})`);
    const what = shown.length > 0 ? shown.join('; ') : show(atom.own?.run ? say.onlyCommand() : say.noChecks());
    return [`- ${atomLink(name, atom)}: ${what}`];
  });
}

function openLines({ show }: WorkSearch, found: GraphInTree): string[] {
  return [...found.atoms].flatMap(([name, atom]) => {
    const why = whyNot(found, name, atom);
    return why
      ? [`- ${plainLine(`${name} ${atom.node.title}`, LONGEST_LINE)}: ${plainLine(show(why), LONGEST_LINE * 2)}`]
      : [];
  });
}

function choiceLines({ groups }: GraphInTree): string[] {
  return [...groups]
    .flatMap(([name, { own }]) =>
      (own.trail ?? []).map(({ selected, reason, time }) =>
        plainLine(`${name} → ${selected}, ${time.slice(0, 16).replace('T', ' ')}: ${reason}`, LONGEST_LINE * 2),
      ),
    )
    .map((line) => `- ${line}`);
}

function correctionLines({ corrections }: PlanFile): string[] {
  return corrections.map(
    ({ time, type, what }) => `- ${plainLine(`${time.slice(0, 16)} ${type}: ${what}`, LONGEST_LINE)}`,
  );
}

async function changesSection(search: WorkSearch, found: GraphInTree, plan: PlanFile): Promise<string[]> {
  const lines = await changeLines(search, found, plan);
  return lines.length === 0 ? [] : [`## ${search.show(say.changesByAtom())}`, ...lines];
}

function costLines(search: WorkSearch, { atoms }: GraphInTree, results: Results): string[] {
  const { show, model } = search;
  const tries = [...atoms.values()].reduce((sum, atom) => sum + triesOf(atom).length, 0);
  const { prompt, completion, worstCase } = results.tokens;
  const lines = [
    say.iterations({ count: lastIteration(search), tries, atoms: atoms.size }),
    ...(prompt + completion + worstCase === 0 ? [] : [tokensLine(results.tokens)]),
    moneyLine(results, (model.free || results.calls === 0) && worstCase === 0),
    timeLine(results.minutes),
  ];
  return lines.map((line) => `- ${show(line)}`);
}

const LONGEST_WHY = 300;

/** Says why an atom is not resolved; undefined if it is. */
function whyNot({ graph }: GraphInTree, name: AtomName, { node, own }: AtomNode): Message | undefined {
  const atom = graph.atoms.get(name);
  if (!atom || isResolved(graph, name)) return undefined;
  if (atom.isProposed) return say.proposed();
  const last = own?.tries?.findLast(({ seen }) => seen !== undefined)?.seen;
  const why = oneLine(node.failure?.message ?? last ?? '', LONGEST_WHY);
  if (atom.state === 'failed') return say.failed({ why });
  if (!isWanted(graph, atom)) return say.notChosen();
  if (atom.needsPerson) {
    const items = withWord(own?.evidence ?? [], 'uncheckable').map(({ item, seen }) =>
      oneLine(`${itemAt(own?.checks ?? [], item)?.item ?? item}${seen ? ` (${seen})` : ''}`, LONGEST_WHY),
    );
    return say.waitsForPerson({ items: items.join('; ') });
  }
  return why === '' ? say.notDone() : say.lastSeen({ why });
}

/** Lists what shows that an atom is resolved: each item with how it is known. */
function shownBy({ own }: AtomNode): readonly (readonly [item: string, how: Message])[] {
  return topLevel(own?.evidence ?? []).map((each) => {
    const item = itemAt(own?.checks ?? [], each.item);
    return [item?.item ?? each.item, howKnown(each, item)];
  });
}

const WORDS = {
  verified: say.holds,
  contradicted: say.contradicted,
  uncheckable: say.cannotCheck,
  checked: say.onlySaid,
  reported: say.onlySaid,
} as const;

/** Says how sure something is. */
function wordSaid(evidence: Evidence | undefined): Message {
  return evidence ? WORDS[evidence.word]() : say.unknown();
}

/** Says how an item is known: by an exit code, votes, a person, files, its parts; each at a commit. */
function howKnown({ exitCode, votes, by, commit: at }: Evidence, item: CheckItem | undefined): Message {
  const commit = at?.slice(0, 10) ?? '–';
  if (by !== undefined) return say.bySaying({ by, commit });
  if (votes) return say.byVotes({ votes: votes.map((vote) => vote.toFixed(1)).join(', '), commit });
  if (item && !item.check) return say.byParts({ commit });
  return exitCode === undefined ? say.byFiles({ commit }) : say.byCommand({ code: exitCode, commit });
}

const MOST_ATOMS = 300;
const MOST_FILES = 30;
const LONGEST_FILE_LINE = 200;

/** The accepted work atom by atom; files that something is judged by come first. */
async function changeLines(search: WorkSearch, { atoms }: GraphInTree, plan: PlanFile): Promise<string[]> {
  const { workshop, show } = search;
  if (!workshop) return [];
  const joined = [...atoms].filter(([, { own }]) => own?.joined !== undefined && own.work?.commit !== undefined);
  const lines: string[] = [];
  for (const [name, atom] of joined.slice(0, MOST_ATOMS)) {
    const files = await filesOf(workshop, atom, plan);
    if (files.length === 0) continue;
    const title = plainLine(`${name} ${atom.node.title}`, LONGEST_FILE_LINE);
    lines.push(`- ${title}`, ...fileLines(search, files));
  }
  const all = await wholeDiff(workshop);
  if (all.files.length === 0) return [show(say.nothingChanged())];
  const sum = (of: 'added' | 'removed'): number => all.files.reduce((total, file) => total + file[of], 0);
  const whole = show(say.whole({ count: all.files.length, added: sum('added'), removed: sum('removed') }));
  return [...(lines.length > 0 ? [lines.join('\n')] : []), whole];
}

interface Shown extends ChangedFile {
  readonly isJudge: boolean;
  readonly isOutside: boolean;
}

async function filesOf(workshop: Workshop, { own }: AtomNode, plan: PlanFile): Promise<Shown[]> {
  const { work } = own ?? {};
  if (work?.commit === undefined) return [];
  const { files } = await orNothing(workshop.diff(work.base, work.commit));
  const items = [...(own?.checks ?? []), ...plan.base_case];
  const guard = await guardOf(workshop, work.base, items).catch(() => () => undefined);
  const outside = new Set(work.outside);
  const shown = files.map((file) => ({
    ...file,
    isJudge: guard(file) !== undefined,
    isOutside: outside.has(file.path),
  }));
  return [...shown.filter((file) => file.isJudge), ...shown.filter((file) => !file.isJudge)];
}

function fileLines({ show }: WorkSearch, files: readonly Shown[]): string[] {
  const more = files.length - MOST_FILES;
  const lines = files.slice(0, MOST_FILES).map(({ path, added, removed, isJudge, isOutside }) => {
    const plain = plainLine(path, LONGEST_FILE_LINE);
    const name = isOutside ? show(say.outside({ path: plain })) : plain;
    return `  - ${isJudge ? show(say.judgesFirst({ path: name })) : name} +${added} −${removed}`;
  });
  return more > 0 ? [...lines, `  - ${show(say.moreFiles({ count: more }))}`] : lines;
}

async function wholeDiff(workshop: Workshop): Promise<Diff> {
  const [start, tip] = [await workshop.start(), await workshop.tip()];
  return start === undefined || tip === undefined
    ? { files: [], text: '' }
    : await orNothing(workshop.diff(start, tip));
}

/** A report is written also where a commit is gone. */
async function orNothing(diff: Promise<Diff>): Promise<Diff> {
  try {
    return await diff;
  } catch (error) {
    if (isThoughtTreeError(error, 'lease-lost')) throw error;
    return { files: [], text: '' };
  }
}

/** Counts atoms by how far they are, and tells whether the goal is reached. */
export function workResults(search: Pick<WorkSearch, 'tree'>): object {
  const { graph, goal } = graphFrom(search.tree);
  const all = [...graph.atoms.values()];
  const count = (isMeant: (atom: (typeof all)[number]) => boolean): number => all.filter(isMeant).length;
  return {
    atoms: all.length,
    resolved: count(({ name }) => isResolved(graph, name)),
    failed: count(({ state }) => state === 'failed'),
    ready: count((atom) => isReady(graph, atom)),
    waitsForPerson: count(({ needsPerson }) => needsPerson === true),
    proposed: count(({ isProposed }) => isProposed),
    iterations: lastIteration(search),
    isReached: goal?.node.status === 'leaf',
  };
}

/** Says what came of it: the tasks in the chosen branch that somebody works on, without the goal, which is none. */
export function workSaid({ tree }: Pick<WorkSearch, 'tree'>): Message {
  const { graph, goal } = graphFrom(tree);
  const tasks = [...graph.atoms.values()].filter(
    (atom) => isWanted(graph, atom) && partsOf(graph, atom.name).length === 0,
  );
  const told = { done: tasks.filter(({ name }) => isResolved(graph, name)).length, count: tasks.length };
  return goal?.node.status === 'leaf' ? say.goalReached(told) : say.goalOpen(told);
}

/** Returns the result of a search for programs: the base case item by item, the atoms, and what was changed. */
export async function workMessage(search: WorkSearch): Promise<object> {
  const { tree, store, workshop } = search;
  const { atoms, graph, goal } = graphFrom(tree);
  const plan = await planIn(store).catch(() => undefined);
  const [start, tip] = [await workshop?.start(), await workshop?.tip()];
  const diff = workshop && start !== undefined && tip !== undefined ? await workshop.diff(start, tip) : undefined;
  return {
    goal: plan?.goal ?? search.file.prompt,
    ...workResults(search),
    base_case: (plan?.base_case ?? []).map(({ item }, i) => {
      const known = goal?.own.evidence?.find((each) => each.item === String(i));
      return { item, word: known?.word ?? null, ...shown(known) };
    }),
    graph: [...atoms].map(([name, { node, own }]) => ({
      atom: name,
      title: node.title,
      state: graph.atoms.get(name)?.state,
      summary: own?.work?.summary ?? null,
      artifacts: own?.work?.artifacts ?? [],
      ...(own?.work?.outside && { outside: own.work.outside }),
      evidence: topLevel(own?.evidence ?? []).map((each) => ({
        item: itemAt(own?.checks ?? [], each.item)?.item ?? each.item,
        word: each.word,
        ...shown(each),
      })),
    })),
    ...(start !== undefined && { start }),
    ...(tip !== undefined && { tip }),
    ...(diff && { files: diff.files.slice(0, 1000) }),
  };
}

function shown(evidence: Evidence | undefined): object {
  if (!evidence) return {};
  const { item: _item, word: _word, ...rest } = evidence;
  return rest;
}
