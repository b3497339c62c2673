import type { ErrorCode, Investigation, ProtocolError } from './investigation.ts';
import type { Profile } from './profiles.ts';

/**
 * The result of looking for an agent among the session files: it is there, it is not, or there is nothing to look in;
 * it began before its node was proposed, was not asked about that, works still, or did another investigation's work.
 */
export const AGENT_FINDINGS = ['found', 'missing', 'no-sessions', 'older', 'unnamed', 'under-way', 'used'] as const;
type AgentFinding = (typeof AGENT_FINDINGS)[number];
export type AgentFindings = Readonly<Record<string, AgentFinding>>;

/** The protocol's verdict on the agent of one result. */
export interface AgentVerdict {
  readonly errors: readonly ProtocolError[];
  readonly warnings: readonly string[];
  readonly isVerified: boolean;
}

/** The ids that the original's agents had. */
const OLD_ID = /^[a-f0-9]{7}$/;
/** Those, and today's: `a` and 16 hex digits. */
const ANY_ID = /^(?:[a-f0-9]{7}|a[a-f0-9]{16})$/;

const FRESH = 'Spawn a fresh agent for this node, and give the id that it got.';

/** Why an agent whose session is there does not count for a node, and what helps. */
const NOT_ITS: Partial<Record<AgentFinding, (agent: string, node: string) => [ErrorCode, string, string?]>> = {
  older: (agent, node) => ['FAKE_AGENT', `The agent "${agent}" of ${node} began before ${node} was proposed.`],
  unnamed: (agent, node) => [
    'FAKE_AGENT',
    `The agent "${agent}" was not asked about ${node}: its task does not name that id.`,
    `Spawn a fresh agent whose task names ${node}, and give the id that it got.`,
  ],
  'under-way': (agent, node) => [
    'UNVERIFIED_AGENT',
    `The agent "${agent}" of ${node} has not ended yet.`,
    'Wait for its answer, then commit what it found. If it stopped without one, spawn a fresh agent for this node.',
  ],
  used: (agent, node) => ['REUSED_AGENT', `The agent "${agent}" of ${node} was used in another investigation.`],
};

/**
 * Checks the agent of a result.
 * @param others agents of earlier results in the same commit
 */
export function checkAgent(
  at: Investigation,
  { agents }: Profile,
  { nodeId, agentId }: { readonly nodeId: string; readonly agentId?: string | undefined },
  others: ReadonlySet<string>,
  findings: AgentFindings,
): AgentVerdict {
  if (agents === 'unknown' || agents === 'noted') return { errors: [], warnings: [], isVerified: false };
  const refused = (error: ErrorCode, message: string, suggestion = FRESH): AgentVerdict => ({
    errors: [{ nodeId, error, message, suggestion }],
    warnings: [],
    isVerified: false,
  });
  const isStrict = agents === 'optional';
  if (!agentId) {
    const isNeeded = !isStrict || at.requireAgents;
    if (isNeeded) return refused('MISSING_AGENT', `${nodeId} comes without the id of its agent.`);
    return { errors: [], warnings: [], isVerified: false };
  }
  if (at.usedAgents.has(agentId) || (isStrict && others.has(agentId)))
    return refused('REUSED_AGENT', `The agent "${agentId}" of ${nodeId} was used for another node.`);
  if (!isStrict && at.projectDir === '') return { errors: [], warnings: [], isVerified: false };
  if (!(isStrict ? ANY_ID : OLD_ID).test(agentId))
    return refused('FAKE_AGENT', `"${agentId}" of ${nodeId} is no id of an agent.`);
  const finding = findings[agentId] ?? 'no-sessions';
  if (finding === 'found') return { errors: [], warnings: [], isVerified: true };
  const notIts = isStrict ? NOT_ITS[finding]?.(agentId, nodeId) : undefined;
  if (notIts) return refused(...notIts);
  if (finding === 'missing')
    return refused(
      'FAKE_AGENT',
      `The agent "${agentId}" of ${nodeId} is in none of the newest sessions of this project.`,
    );
  const unverified = `${nodeId}: there are no session files to look for the agent "${agentId}" in`;
  if (at.requireAgents)
    return refused(
      'UNVERIFIED_AGENT',
      `${unverified}.`,
      'Start the investigation with the projectDir that your agents work in.',
    );
  return { errors: [], warnings: [`UNVERIFIED_AGENT: ${unverified}, so it counts as unverified.`], isVerified: false };
}

const URLS = /https?:\/\/[^\s)]+/g;
const PATHS = /- ([a-zA-Z0-9_\-./]+\.(?:ts|js|py|rs|go|md))/g;
/** A path of a file anywhere in a text. */
const ANY_PATH = /\w\/\w|\w\.[a-z]{1,5}\b/;

/** Returns the section of references: from its heading to the next one, or to the end. */
function sectionOf(findings: string): string | undefined {
  const heading = /## References\n/i.exec(findings);
  if (!heading) return undefined;
  const rest = findings.slice(heading.index + heading[0].length);
  const end = rest.startsWith('##') ? 0 : rest.indexOf('\n##');
  return end < 0 ? rest : rest.slice(0, end);
}

/** Returns the references in findings: addresses anywhere, paths in the section of references. Each once, in order. */
export function referencesIn(findings: readonly string[]): string[] {
  const all = findings.flatMap((text) => [
    ...(text.match(URLS) ?? []),
    ...[...(sectionOf(text) ?? '').matchAll(PATHS)].map((match) => match[1] as string),
  ]);
  return [...new Set(all)];
}

/** An entry of the section: in backticks, as a link, or a bare line. */
const ENTRY =
  /^[ \t]{0,8}[-*+] {1,4}(?:[*_]{0,3}`([^`\n]{1,1000})`|\[[^\]\n]{0,1000}\]\(<?([^)>\n]{1,1000})>?\)|(\S[^\n]{0,1000}))/gm;
/** What separates a bare path from what is said about it. */
const REMARK = /\s[-–—(|→]|[:,;]\s/;
/** The characters around a path: emphasis, quotation marks, brackets. */
const AROUND = /^[*_"'([<`]{1,4}|[*_"')\]>`,;:]{1,4}$/g;
/** A page on the web, without the beginning of its address. */
const ADDRESS = /^(?:[\w-]{1,60}\.){1,5}[a-z]{2,10}\//i;
/** Paths that are looked for, at most, for one node. */
const MOST_CITED = 100;

/** The sources that findings refer to. */
export interface Sources {
  /** Paths of files, maybe with words behind them: those in their section of references, else those anywhere in their text. */
  readonly paths: readonly string[];
  /** They come from that section. */
  readonly isListed: boolean;
  /** There is something else: an address, or an entry that is no path. */
  readonly hasOthers: boolean;
}

/** Finds the sources that findings refer to, as far as they can be looked for. */
export function sourcesOf(findings: string): Sources {
  const entries = [...(sectionOf(findings) ?? '').matchAll(ENTRY)].map(([, code, link, bare = '']) =>
    pathIn(code ?? link ?? bare.split(REMARK)[0] ?? ''),
  );
  const isListed = entries.length > 0;
  const texts = isListed ? entries : findings.replaceAll(URLS, ' ').split(/[^\w./-]+/);
  const paths = [...new Set(texts.filter(isPath))].slice(0, MOST_CITED);
  const hasOthers = findings.search(URLS) >= 0 || (isListed && entries.some((entry) => !isPath(entry)));
  return { paths, isListed, hasOthers };
}

/** Returns the path in an entry: without a place in the file, and of a pattern only the folder. */
function pathIn(entry: string): string {
  const bare = (entry.split('#')[0] ?? '').replace(AROUND, '');
  // The second character may be the colon of a drive.
  const place = bare.slice(2).search(/:|\(\d/);
  const path = place < 0 ? bare : bare.slice(0, place + 2);
  const pattern = path.search(/[*{]/);
  return pattern < 0 ? path : path.slice(0, path.lastIndexOf('/', pattern) + 1);
}

function isPath(text: string): boolean {
  if (text.length > 1000 || ADDRESS.test(text) || /^R\d+\.\w+$/.test(text)) return false;
  // In a command, a path comes later.
  if (/\s/.test(text)) return /^[^\s/]*\//.test(text) && /\.\w{1,10}(?:\s|$)/.test(text);
  return /[^/]\/|^\/.|\w\.\w{1,10}$/.test(text);
}

/** Tells whether findings say what was looked at: an entry in their section of references, an address, or a file. */
export function saysWhatWasLookedAt(findings: string): boolean {
  if ((sectionOf(findings) ?? '').trim() !== '') return true;
  return findings.search(URLS) >= 0 || ANY_PATH.test(findings);
}
