/** A node as prompts name it. */
export interface Named {
  readonly id: string;
  readonly title: string;
}

/** The instructions of a researcher. */
export interface LeadData extends Named {
  readonly round: number;
  readonly minRounds: number;
  readonly plannedAction: string;
  /** From the root down to the node above it. */
  readonly path: readonly Named[];
  /** The findings of the node above it; undefined for the root. */
  readonly above: string | undefined;
  /** What others look into at the same time. */
  readonly others: readonly Named[];
  readonly states: readonly string[];
}

/** Asks a fresh researcher to look into a lead. */
export function leadPrompt({
  id,
  title,
  plannedAction,
  round,
  minRounds,
  path,
  above,
  others,
  states,
}: LeadData): string {
  const last = path.at(-1);
  return [
    `This is round ${round} of at least ${minRounds}. Look into the lead ${id} "${title}".`,
    plannedAction.trim() === '' ? '' : `What was planned: ${plannedAction}`,
    path.length > 1 ? `It follows from: ${path.map(named).join(' > ')}` : '',
    last && above ? `What another researcher found about ${named(last)}:\n${fenced('findings', above)}` : '',
    others.length > 0 ? `Others look into:\n${listed(others)}` : '',
    `Possible states: ${states.join(', ')}.`,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** What the checker of a finding is given: what it says, and nothing of how it was found. */
export interface CheckData {
  readonly found: Named;
  readonly claim: string;
}

/** Asks somebody who saw nothing of it whether a finding holds. */
export function checkPrompt({ found, claim }: CheckData): string {
  return `Somebody else looked into ${named(found)} and claims to have an answer to the question:
${fenced('claim', claim)}

Check independently whether that holds: look for yourself, and for what speaks against it. You are not told how it was found, so that nothing leads you to the same mistake.

Possible states: VERIFY if it holds, DEAD if it does not or if it cannot be shown.`;
}

/** The instructions for proposing leads. */
export interface BranchData extends Named {
  readonly round: number;
  readonly least: number;
  readonly most: number;
  readonly findings: string;
  /** All nodes that were looked into, with what was found, a line each. */
  readonly outline: readonly string[];
  /** Its children that exist already. */
  readonly existing: readonly Named[];
  /** The ids to be given. */
  readonly ids: readonly string[];
  /** Whether nothing may be left to look into. */
  readonly mayEnd: boolean;
}

/** Asks for the leads below a node. */
export function branchPrompt(data: BranchData): string {
  const { id, title, least, most, findings, outline, existing, ids, mayEnd } = data;
  const count = least === most ? `exactly ${least}` : `${least} to ${most}`;
  return [
    `Propose ${count} further leads below ${named({ id, title })}, with the ids ${ids.join(', ')}.`,
    `What was found there:\n${fenced('findings', findings)}`,
    `What was looked into so far:\n${outline.join('\n')}`,
    existing.length > 0 ? `Below it there is already:\n${listed(existing)}` : '',
    mayEnd
      ? 'If nothing is left that could help to answer the question, give an empty list, <output>[]</output>: the lead is then a dead end.'
      : 'Look at it from other angles than those that led nowhere.',
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function named({ id, title }: Named): string {
  return `${id} "${title}"`;
}

function listed(nodes: readonly Named[]): string {
  return nodes.map((node) => `- ${named(node)}`).join('\n');
}

/** Text of others between tags, which it cannot close. */
function fenced(tag: string, text: string): string {
  return `<${tag}>\n${text.replaceAll(`</${tag}`, `<\\/${tag}`)}\n</${tag}>`;
}
