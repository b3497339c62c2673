import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Exchange, Judged, Place, Question, Run } from './material.ts';

/** The rule by which both are priced, so that neither depends on what a server reported. */
export const RULE =
  'Both prices by one rule: tokens = bytes / 4; $3 per million of the prompt, $0.3 for what is in the longest beginning that it has in common with an earlier request of the same run, $15 for answers; descriptions of tools left out.';
const USD = { prompt: 3e-6, cached: 0.3e-6, answer: 15e-6 };
const BYTES_A_TOKEN = 4;

/**
 * The most that the prompts of a document may cost: twice what they did in a tree of an earlier version, by the same rule
 * (mocha 11 with tools, depth 1: 31 calls, 8 documents, 463,143 bytes of prompts, 53.7 % of them common).
 */
const TWICE = 2 * 0.0224;

/** What requests and answers cost. */
export interface Spent {
  /** After each call. */
  readonly sums: readonly number[];
  readonly usd: number;
  readonly promptUsd: number;
  readonly bytes: number;
  /** Bytes of prompts that an earlier request begins with as well. */
  readonly cached: number;
}

/** Prices the calls of a run, in their order. */
export function spentOn(calls: readonly Exchange[]): Spent {
  const earlier: Buffer[] = [];
  const sums: number[] = [];
  let [promptUsd, usd, bytes, cached] = [0, 0, 0, 0];
  for (const { prompt, answer } of calls) {
    const sent = Buffer.from(prompt);
    const common = Math.max(0, ...earlier.map((one) => commonBytes(one, sent)));
    earlier.push(sent);
    const price = ((sent.length - common) * USD.prompt + common * USD.cached) / BYTES_A_TOKEN;
    promptUsd += price;
    usd += price + (Buffer.byteLength(answer) * USD.answer) / BYTES_A_TOKEN;
    sums.push(usd);
    bytes += sent.length;
    cached += common;
  }
  return { sums, usd, promptUsd, bytes, cached };
}

function commonBytes(a: Buffer, b: Buffer): number {
  let [low, high] = [0, Math.min(a.length, b.length)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (a.subarray(low, middle).equals(b.subarray(low, middle))) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The least of a line, without white space, that tells it from others. */
const TELLING = 8;

/**
 * How many facts could be seen: half of the lines of one of their places stood in a request that names the file; where a
 * fact needs several files, of one place in two of them.
 */
function factsSeen({ facts }: Question, { calls }: Run, codeBase: string): number {
  const requests = calls.map(({ prompt }) => ({ prompt, words: words(prompt) }));
  const isSeen = ({ file, from, to }: Place): boolean => {
    const lines = readFileSync(join(codeBase, file), 'utf8')
      .split('\n')
      .slice(from - 1, to)
      .map(words);
    const telling = lines.filter((line) => line.replaceAll(' ', '').length >= TELLING);
    const looked = telling.length > 0 ? telling : lines.filter((line) => line !== '');
    return requests.some(
      (one) =>
        one.prompt.includes(file) && looked.filter((line) => one.words.includes(line)).length >= looked.length / 2,
    );
  };
  return facts.filter(({ places }) => {
    const files = new Set(places.map(({ file }) => file));
    const seen = new Set(places.filter(isSeen).map(({ file }) => file));
    return seen.size >= Math.min(2, files.size);
  }).length;
}

function words(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Returns how many words a page has, without the addresses of its links. */
export function wordsIn(markdown: string): number {
  const shown = markdown.replace(/\]\([^()\n]*\)/g, ']');
  return shown.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

/** What became of the citations that a model wrote. */
interface Citations {
  readonly written: number;
  /** What is linked, and stands there; with those that were put right. */
  readonly held: number;
  readonly mended: number;
  /** What was not found, and is said to be so. */
  readonly marked: number;
}

/** What today's program makes of the recorded answers. */
export interface Today {
  /** Requests that it made, and those of them that are in the recording word for word. */
  readonly asked: number;
  readonly same: number;
  readonly citations: Citations;
  /** Findings of its documents, and those of them that the request for the report had. */
  readonly findings: number;
  readonly shown: number;
  /** Files that decide the rubric's facts, and those of them that the overview names. */
  readonly files: number;
  readonly named: number;
}

/** The figures of one question. */
export interface Row {
  readonly name: string;
  readonly package: string;
  readonly language: string;
  readonly facts: number;
  /** Facts that need two files. */
  readonly wide: number;
  readonly judged: Judged | undefined;
  readonly words: number;
  readonly tree: Spent;
  readonly session: Spent;
  readonly documents: number;
  /** The share of the price at which the provisional answer was there, before any document; undefined if it was not. */
  readonly firstAt: number | undefined;
  readonly seen: number;
  readonly forecast: Run['forecast'];
  readonly today: Today;
}

/** Counts what can be counted of a run. */
export function rowOf(
  question: Question,
  run: Run,
  rest: Pick<Row, 'judged' | 'language' | 'today'> & { readonly codeBase: string },
): Row {
  const { codeBase, ...row } = rest;
  const tree = spentOn(run.calls);
  const ended = run.calls.map(({ words: { purpose }, node, answered: { finish } }) => ({ purpose, node, finish }));
  const written = ended.filter(({ purpose, finish }) => purpose === 'document' && finish === 'stop');
  const firstDocument = written[0] ? ended.indexOf(written[0]) : -1;
  const first = ended.findIndex(
    ({ purpose, node, finish }) => purpose === 'children' && node === '' && finish === 'stop',
  );
  const isFirst = run.interim.trim() !== '' && first >= 0 && (firstDocument < 0 || first < firstDocument);
  return {
    ...row,
    name: question.name,
    package: question.package,
    facts: question.facts.length,
    wide: question.facts.filter(({ places }) => new Set(places.map(({ file }) => file)).size > 1).length,
    words: wordsIn(run.report),
    tree,
    session: spentOn(run.session),
    documents: new Set(written.map(({ node }) => node)).size,
    firstAt: isFirst ? (tree.sums[first] ?? 0) / tree.usd : undefined,
    seen: factsSeen(question, run, codeBase),
    forecast: run.forecast,
  };
}

type Text = 'report' | 'documents' | 'session' | 'interim';

const pointsOf = ({ judged }: Row, text: Text): number =>
  judged?.[text].facts.reduce<number>((sum, point) => sum + point, 0) ?? 0;
const wrongIn = ({ judged }: Row, text: Text): number => judged?.[text].wrong.length ?? 0;

/** A figure beside its bound; `holds` is undefined as long as there is nothing to count. */
export interface Line {
  readonly what: string;
  readonly figure: string;
  readonly bound: string;
  readonly holds: boolean | undefined;
}

/** Everything that has to hold, of all questions together. */
export function linesOf(rows: readonly Row[]): Line[] {
  return [...material(rows), ...answers(rows.filter(({ judged }) => judged)), ...requests(rows), ...today(rows)];
}

function material(rows: readonly Row[]): Line[] {
  const packages = new Set(rows.map((row) => row.package));
  const other = new Set(
    rows.filter(({ language }) => !/^(?:Java|Type)Script$/.test(language)).map((row) => row.package),
  );
  const thin = rows.filter(({ facts, wide }) => facts < 10 || wide < 4);
  return [
    atLeast('questions', rows.length, 8, ''),
    atLeast('packages', packages.size, 4, ''),
    atLeast('packages not in JavaScript', other.size, 2, ''),
    none('rubrics with fewer than 10 facts, or 4 of two files', thin),
  ];
}

function answers(rows: readonly Row[]): Line[] {
  if (rows.length === 0)
    return [{ what: 'facts, wrong claims', figure: 'not judged yet', bound: '', holds: undefined }];
  const facts = of(rows)('facts');
  const points = (text: Text): number => sum(rows, (row) => pointsOf(row, text));
  const wrong = (text: Text): number => sum(rows, (row) => wrongIn(row, text));
  const [report, session] = [percent(points('report'), facts), percent(points('session'), facts)];
  const least = session > 85 ? 95 : Math.round(10 * session + 100) / 10;
  const sample = rows.flatMap(({ judged }) => judged?.sample ?? []);
  const claims = of(rows.flatMap(({ judged }) => judged?.claims ?? []));
  const worse = rows.filter((row) => pointsOf(row, 'session') - pointsOf(row, 'report') >= 3);
  const long = rows.filter((row) => row.words > 1500);
  return [
    atLeast('facts in the report', report, 75),
    atLeast(`the same, beside ${session} % in the session`, report, least),
    atLeast('facts in report and documents', percent(points('documents'), facts), 85),
    none('questions in which the report has 3 facts fewer', worse),
    none('reports of more than 1,500 words', long),
    atMost('wrong claims in reports', wrong('report'), wrong('session')),
    atMost('wrong claims in reports and documents', wrong('documents'), wrong('session')),
    atLeast('claims drawn by chance', sample.length, 40, ''),
    atLeast('of these supported', percent(sample.filter((one) => one.supported).length, sample.length), 90),
    atLeast('claims of reports with a citation', percent(claims('cited'), claims('about')), 75),
    atLeast("provisional answers have of the reports' facts", percent(points('interim'), points('report')), 50),
  ];
}

function requests(rows: readonly Row[]): Line[] {
  const firsts = rows.flatMap(({ firstAt }) => firstAt ?? []);
  const [all, trees] = [of(rows), of(rows.map(({ tree }) => tree))];
  const each = trees('promptUsd') / all('documents');
  return [
    atLeast('provisional answers before the first document', firsts.length, rows.length, ''),
    atLeast('after a third of the price', firsts.filter((at) => at <= 1 / 3).length, rows.length - 1, ''),
    atLeast('facts whose lines stood in a request', percent(all('seen'), all('facts')), 90),
    { ...atMost('prompts a document', each, TWICE), figure: usd(each), bound: `≤ ${usd(TWICE)}, twice the earlier` },
    atLeast('in the common beginning of prompts', percent(trees('cached'), trees('bytes')), 75),
    atLeast('forecasts that hold the price', rows.filter(holdsForecast).length, rows.length - 1, ''),
  ];
}

function today(rows: readonly Row[]): Line[] {
  const all = of(rows.map((row) => row.today));
  const cites = of(rows.map((row) => row.today.citations));
  return [
    atLeast('citations that hold after mending', percent(cites('held'), cites('written')), 97),
    atLeast('findings in the request for the report', percent(all('shown'), all('findings')), 90),
    atLeast("files of the rubrics' facts in the overview", percent(all('named'), all('files')), 90),
  ];
}

function atLeast(what: string, figure: number, least: number, unit = ' %'): Line {
  return { what, figure: `${figure}${unit}`, bound: `≥ ${least}${unit}`, holds: figure >= least };
}

function atMost(what: string, figure: number, most: number): Line {
  return { what, figure: `${figure}`, bound: `≤ ${most}`, holds: figure <= most };
}

function none(what: string, rows: readonly Row[]): Line {
  return { ...atMost(what, rows.length, 0), figure: [rows.length, ...rows.map(({ name }) => name)].join(' ') };
}

function holdsForecast({ forecast, tree }: Row): boolean {
  return (
    forecast !== undefined &&
    forecast.high <= 2.5 * forecast.low &&
    tree.usd >= forecast.low &&
    tree.usd <= forecast.high
  );
}

const HEAD = [
  'question',
  'facts: report',
  'with documents',
  'session',
  'first answer',
  'words',
  'wrong: report',
  'with documents',
  'session',
  'price: tree',
  'session',
  'documents',
  'prompts a document',
  'common',
  'first at',
  'seen',
  'forecast',
  'citations held of written, mended, marked',
  'same requests',
];

/** Returns the figures of every question, and of all together, as a table in Markdown. */
export function tableOf(rows: readonly Row[]): string {
  const lines = [HEAD, HEAD.map(() => '---'), ...rows.map((row) => cellsOf(row.name, [row])), cellsOf('all', rows)];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function cellsOf(name: string, rows: readonly Row[]): string[] {
  const read = rows.filter(({ judged }) => judged);
  const facts = of(read)('facts');
  const share = (text: Text): string =>
    `${percent(
      sum(read, (row) => pointsOf(row, text)),
      facts,
    )} %`;
  const wrong = (text: Text): string => (read.length === 0 ? '–' : `${sum(read, (row) => wrongIn(row, text))}`);
  const [all, trees] = [of(rows), of(rows.map(({ tree }) => tree))];
  const asked = of(rows.map((row) => row.today));
  const cites = of(rows.map((row) => row.today.citations));
  const firsts = rows.flatMap(({ firstAt }) => firstAt ?? []);
  const { low, high } = rows.length === 1 && rows[0]?.forecast ? rows[0].forecast : {};
  return [
    name,
    ...(['report', 'documents', 'session', 'interim'] as const).map(share),
    `${all('words')}`,
    ...(['report', 'documents', 'session'] as const).map(wrong),
    usd(trees('usd')),
    usd(sum(rows, ({ session }) => session.usd)),
    `${all('documents')}`,
    usd(trees('promptUsd') / all('documents')),
    `${percent(trees('cached'), trees('bytes'))} %`,
    firsts.length < rows.length ? '–' : `${percent(Math.max(...firsts), 1)} %`,
    `${percent(all('seen'), all('facts'))} %`,
    rows.length > 1 ? `${rows.filter(holdsForecast).length} hold` : `${usd(low)}–${usd(high)}`,
    `${cites('held')} of ${cites('written')}, ${cites('mended')}, ${cites('marked')}`,
    `${asked('same')} of ${asked('asked')}`,
  ].map((cell) => cell.replace('NaN %', '–'));
}

/** Sums one field of many rows. */
function of<T>(rows: readonly T[]) {
  return (key: { [K in keyof T]: T[K] extends number ? K : never }[keyof T]): number =>
    sum(rows, (row) => row[key] as number);
}

function sum<T>(all: readonly T[], of: (one: T) => number): number {
  return all.reduce((total, one) => total + of(one), 0);
}

function percent(part: number, whole: number): number {
  return whole === 0 ? Number.NaN : Math.round((1000 * part) / whole) / 10;
}

function usd(amount = Number.NaN): string {
  return Number.isFinite(amount) ? `$${amount.toFixed(amount < 0.1 ? 4 : 2)}` : '–';
}
