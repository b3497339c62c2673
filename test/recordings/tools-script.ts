import { candidatesIn } from '../support/servers/server-tree.ts';
import { lastPrompt, type ToolRequest, type Use } from '../support/servers/tool-server.ts';

export const QUESTION = 'How does a process get the right to write a search, and how does it lose it?';

interface Topic {
  readonly title: string;
  readonly says: string;
  /** What is searched for in the code, and how many lines from there are read and quoted. */
  readonly code: string;
  readonly lines: number;
  readonly below?: readonly Topic[];
  /** Whether it quotes the first and the last two of these lines only. */
  readonly leavesOut?: boolean;
}

const TOPICS: readonly Topic[] = [
  {
    title: 'Taking the lease',
    says: 'Whoever makes the file of the next epoch first holds the search. Where somebody alive holds it, nobody else does.',
    code: 'export async function takeLease',
    lines: 14,
    below: [
      {
        title: 'Two that try at once',
        says: 'One of them makes the file; the other finds it made, and decides anew. Files of lower epochs are removed by the winner, lowest first.',
        code: 'async function tryToTake',
        lines: 20,
      },
      {
        title: 'What a person is told',
        says: 'The error names the process and the host, and says when the search becomes free.',
        code: 'function held(',
        lines: 11,
      },
    ],
  },
  {
    title: 'Who holds it now',
    says: 'The highest epoch counts. How long its file was not written tells whether its holder lives.',
    code: 'export async function readHolder',
    lines: 11,
    below: [
      {
        title: 'When a holder is gone',
        says: 'On the same host and boot the process itself is looked at: it is gone where its id is free, or was given to another one since.',
        code: 'export function isGone',
        lines: 10,
        leavesOut: true,
      },
    ],
  },
  {
    title: 'Losing it',
    says: 'Before each write the files are looked at, without anything in between. A successor, or a file that is no longer its own, ends it for good.',
    code: 'held(): boolean',
    lines: 6,
  },
  {
    title: 'Files that appear whole or not at all',
    says: 'A file that nobody else may have made is linked or made with a flag that fails where it is there.',
    code: 'export async function createExclusively',
    lines: 20,
  },
];

const ALL: readonly Topic[] = TOPICS.flatMap((topic) => [topic, ...(topic.below ?? [])]);

/** A model that reads the code before it writes: it searches for a name, reads the lines, and quotes them. */
export function readCode(request: ToolRequest, round: number): Use | string {
  const prompt = lastPrompt(request);
  const topic = ALL.find(({ title }) => prompt.includes(`"${title}"`));
  if (request.purpose === 'document') return topicOf(request, topic, round);
  if (request.purpose === 'children') return listOf(topic ? (topic.below ?? []) : TOPICS);
  if (request.purpose === 'pick') return `<output>\n${candidatesIn(prompt).join('\n')}\n</output>\n`;
  return 'A process gets the right by making a file that nobody else can make, and loses it when another one has to.\n';
}

function topicOf(request: ToolRequest, asked: Topic | undefined, round: number): Use | string {
  const results = request.messages.flatMap(({ role, content }) => (role === 'tool' ? [String(content)] : []));
  const topic =
    asked ?? ALL.findLast(({ title }) => JSON.stringify(request.messages).includes(`on the topic \\"${title}\\"`));
  if (!topic) throw new Error('This request asks for no topic of the script.');
  if (round === 0) return { name: 'search', input: { pattern: topic.code.replace(/[()]/g, '\\$&') } };
  const [, path = '', line = '1'] = /^(\S+\.ts)\b.*\n(\d+)\t/m.exec(String(results.at(-1))) ?? [];
  const from = Number(line);
  if (round === 1) return { name: 'read', input: { path, from, to: from + topic.lines - 1 } };
  return documentOf(topic, String(results.at(-1)));
}

/** @param read what `read` gave: a head, then lines with their numbers */
function documentOf({ title, says, leavesOut }: Topic, read: string): string {
  const [head = '', ...numbered] = read.split('\n');
  const [, path, from, to] = /^(\S+), lines (\d+) to (\d+)/.exec(head) ?? [];
  const all = numbered.map((line) => line.replace(/^\d+\t/, ''));
  const lines = leavesOut ? [...all.slice(0, 1), ...all.slice(-2)] : all;
  const quotation = `[${path}:${from}-${to}]\n\n\`\`\`ts\n${lines.join('\n')}\n\`\`\``;
  return `---\ntitle: ${title}\nsummary: ${JSON.stringify(says)}\n---\n\n# ${title}\n\n${says}\n\n${quotation}\n`;
}

function listOf(topics: readonly Topic[]): string {
  const list = topics.map(({ title, says }, index) => ({ title, score: 9 - index, why: says }));
  return `<output>${JSON.stringify(list)}</output>`;
}
