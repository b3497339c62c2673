import { parseLeniently, writeDocument } from '../../../core/text/document.ts';
import { fenced, withoutCommands } from '../../../core/text/text.ts';
import type { TreeNode } from '../../../core/tree/tree.ts';
import { inertMarkdown } from '../../../engine-parts/citations/inert-markdown.ts';
import { plainLine } from '../../../engine-parts/report/safe-markdown.ts';
import { itemAt } from '../evidence/check-work.ts';
import * as say from '../messages.ts';
import type { CheckItem } from '../plan/plan.ts';
import { type AtomFields, type Evidence, ownFieldsOf, triedLine, type Work } from './own-fields.ts';
import { ownOf } from './read-graph.ts';
import type { WorkSearch } from './work-search.ts';

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

/** Returns the document of a node, made again from what its node.json says; the log of a command is not in there. */
export function documentAgain(node: TreeNode): string | undefined {
  const own = ownFieldsOf(node.file?.own);
  if (!own) return undefined;
  if (own.type === 'goal')
    return own.evidence && withEvidence(`# ${plainLine(node.title, LONGEST_LINE)}\n`, [], own.evidence);
  if (own.type === 'atom' && own.work)
    return withEvidence(documentOf({ node, own, work: own.work }), own.checks ?? [], own.evidence ?? []);
  return undefined;
}

/** Returns a document with what is known of each item; what else it says stays, whoever wrote it. */
export function withEvidence(document: string, items: readonly CheckItem[], evidence: readonly Evidence[]): string {
  const { data, body } = parseLeniently(document);
  const rest = withoutSection(body, EVIDENCE);
  if (evidence.length === 0) return written(data, rest);
  const log = rest.lastIndexOf(`\n${LOG}\n`);
  const at = log < 0 ? rest.length : log;
  const table = `\n\n${EVIDENCE}\n\n${evidenceTable(items, evidence)}\n\n`;
  return written(data, rest.slice(0, at).trimEnd() + table + rest.slice(at).trimStart());
}

/** Returns a text without its last section of this heading, up to the next heading of the same level. */
function withoutSection(body: string, heading: string): string {
  const begin = body.lastIndexOf(`\n${heading}\n`);
  if (begin < 0) return body;
  const end = body.indexOf('\n## ', begin + heading.length);
  return body.slice(0, begin) + (end < 0 ? '' : body.slice(end));
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

const LONGEST_PART = 300;

/**
 * The document of a group, or of an atom that has parts: what it consists of. Without one, its files would not say that it
 * was divided. One that exists stays.
 */
export function partsDocument({ show }: WorkSearch, node: TreeNode): { document?: string } {
  if (node.document !== undefined) return {};
  const isGroup = ownOf(node)?.type === 'group';
  const summary = show(
    isGroup ? say.oneOf({ count: node.children.length }) : say.allOf({ count: node.children.length }),
  );
  const parts = node.children.map(({ title }) => `- ${plainLine(title, LONGEST_PART)}`);
  const body = [`# ${plainLine(node.title, LONGEST_PART)}`, summary, parts.join('\n')].join('\n\n');
  return { document: writeDocument({ title: node.title, summary }, `${body}\n`) };
}
