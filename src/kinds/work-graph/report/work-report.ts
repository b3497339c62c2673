import type { Message } from '../../../core/messages/message.ts';
import type { Results } from '../../../core/search/events.ts';
import { inertMarkdown } from '../../../engine/grounding/inert-markdown.ts';
import { moneyLine, timeLine, tokensLine } from '../../../engine/report/cost-lines.ts';
import { MOST_IN_SHORT } from '../../../engine/report/in-short.ts';
import { interimNotice } from '../../../engine/report/interim.ts';
import { documentLink } from '../../../engine/report/link-target.ts';
import { andMore, cost } from '../../../engine/report/messages.ts';
import { plainLine } from '../../../engine/report/safe-markdown.ts';
import { isVerified } from '../evidence/combine.ts';
import type { PlanFile } from '../plan/plan.ts';
import { BeganWithout } from '../run/began-without.ts';
import { lastIteration } from '../run/graph-facts.ts';
import { planIn } from '../run/plan-of.ts';
import { type AtomNode, type GraphInTree, graphFrom, triesOf } from '../run/tree/read-graph.ts';
import type { WorkSearch } from '../run/work-search.ts';
import { shownBy, whyNot } from './atom-state.ts';
import { changeLines } from './changes.ts';
import { howKnown, wordSaid } from './how-known.ts';
import * as say from './messages.ts';

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
    ...(plan ? section(say.baseCase(), baseCaseLines(search, plan, found)) : []),
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

/** The first atom that is wanted and not done. */
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
  return lines.length === 0 ? [] : [`## ${search.show(say.changes())}`, ...lines];
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
