import { parseDocument, writeDocument } from '../../../../core/text/document.ts';
import { withoutCommands } from '../../../../core/text/text.ts';
import type { TreeNode } from '../../../../core/tree/tree.ts';
import { inertMarkdown } from '../../../../engine/grounding/inert-markdown.ts';
import { fenced, plainLine } from '../../../../engine/report/safe-markdown.ts';
import { itemAt } from '../../evidence/item-at.ts';
import type { CheckItem } from '../../plan/plan.ts';
import { type AtomFields, type Evidence, ownFieldsOf, type Work } from './own-fields.ts';
import { triedLine } from './tries.ts';

const LONGEST_LINE = 300;
const LONGEST_DETAILS = 50_000;
const MOST_LOG_LINES = 60;
const EVIDENCE = '## Evidence';
const LOG = '## Log';
const OUTSIDE = 'Changed, although the atom does not name them:';

export interface Told {
  readonly node: TreeNode;
  readonly own: AtomFields;
  readonly work: Work;
  /** The worker's words besides the summary, as Markdown. */
  readonly details?: string | undefined;
  /** The end of what its command wrote. */
  readonly log?: string | undefined;
}

/** Work for people: its binding in front matter, then what was done, what shows it, and the end of the log. */
export function documentOf({ node, own, work, details, log }: Told): string {
  const { summary, artifacts, by, outside = [] } = work;
  const tries = own.tries ?? [];
  const parts = [
    `# ${plainLine(`${own.name} ${node.title}`, LONGEST_LINE)}`,
    plainLine(summary, LONGEST_LINE * 4),
    ...(outside.length > 0 ? [plainLine(`${OUTSIDE} ${outside.join(', ')}`, LONGEST_LINE * 4)] : []),
    ...(own.does ? [fenced(withoutCommands(own.does).split('\n'), '')] : []),
    ...(details ? [inertMarkdown(details.slice(0, LONGEST_DETAILS).toWellFormed())] : []),
    ...(tries.length > 1 ? [tries.map((each) => `- ${plainLine(triedLine(each), LONGEST_LINE)}`).join('\n')] : []),
    ...(log?.trim() ? [LOG, fenced(withoutCommands(log).split('\n').slice(-MOST_LOG_LINES), '')] : []),
  ];
  return written({ title: node.title, summary, artifacts, by }, parts.join('\n\n'));
}

/** The document of a node, made again from what its node.json says; the log of a command is not in there. */
export function documentAgain(node: TreeNode): string | undefined {
  const own = ownFieldsOf(node.file?.own);
  if (!own) return undefined;
  if (own.type === 'goal')
    return own.evidence && withEvidence(`# ${plainLine(node.title, LONGEST_LINE)}\n`, [], own.evidence);
  if (own.type === 'atom' && own.work)
    return withEvidence(documentOf({ node, own, work: own.work }), own.checks ?? [], own.evidence ?? []);
  return undefined;
}

/** A document with what is known of each item; what else it says stays, whoever wrote it. */
export function withEvidence(document: string, items: readonly CheckItem[], evidence: readonly Evidence[]): string {
  const { data, body } = parsed(document);
  const rest = withoutSection(body, EVIDENCE);
  if (evidence.length === 0) return written(data, rest);
  const log = rest.lastIndexOf(`\n${LOG}\n`);
  const at = log < 0 ? rest.length : log;
  const table = `\n\n${EVIDENCE}\n\n${evidenceTable(items, evidence)}\n\n`;
  return written(data, rest.slice(0, at).trimEnd() + table + rest.slice(at).trimStart());
}

/** A text without its last section of this heading, up to the next heading of the same level. */
function withoutSection(body: string, heading: string): string {
  const begin = body.lastIndexOf(`\n${heading}\n`);
  if (begin < 0) return body;
  const end = body.indexOf('\n## ', begin + heading.length);
  return body.slice(0, begin) + (end < 0 ? '' : body.slice(end));
}

function parsed(document: string): { data: Record<string, unknown>; body: string } {
  try {
    return parseDocument(document);
  } catch {
    return { data: {}, body: document }; // a person's front matter need not be valid
  }
}

function written(data: Readonly<Record<string, unknown>>, body: string): string {
  return writeDocument({ ...data }, `${body.trim()}\n`);
}

/** Writes what is known of each item, as a table. */
function evidenceTable(items: readonly CheckItem[], evidence: readonly Evidence[]): string {
  const rows = evidence.map((each) => {
    const { item, word, exitCode, commit, outputHash, votes, by, seen } = each;
    const how = [
      ...(exitCode === undefined ? [] : [`exit code ${exitCode}`]),
      ...(outputHash === undefined ? [] : [`output ${outputHash.slice(0, 12)}`]),
      ...(votes ? [`votes ${votes.map((vote) => vote.toFixed(1)).join(', ')}`] : []),
      ...(by === undefined ? [] : [by]),
      ...(commit === undefined ? [] : [`at ${commit.slice(0, 10)}`]),
    ].join('; ');
    return `| ${[itemAt(items, item)?.item ?? item, word, how, seen ?? ''].map(cell).join(' | ')} |`;
  });
  return ['| | | | |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

function cell(text: string): string {
  return plainLine(text, LONGEST_LINE).replaceAll('|', '\\|');
}
