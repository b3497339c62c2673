import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { z } from 'zod';
import type { ModelAnswer, Turn } from '../../src/core/ports/model.ts';
import { SearchFile } from '../../src/core/search/search-file.ts';
import { RecordingLine, type Words } from '../../src/models/replay/recording.ts';

const text = z.string().min(1).max(2000);
const place = z.strictObject({
  file: z.string().regex(/^(?!\/|.*\.\.\/).{1,500}$/),
  from: z.number().int().positive(),
  to: z.number().int().positive(),
});
const question = z.strictObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9.-]{0,63}$/),
  /** Its name in code-bases.json. */
  package: text,
  question: text,
  facts: z.array(z.strictObject({ fact: text, places: z.array(place).min(1) })).min(1),
  wrong: z.array(z.strictObject({ claim: text, because: text, places: z.array(place) })),
});

/** What a reader said of one text: each fact of the rubric is there (1), in part (0.5) or missing; and what is wrong in it. */
const reading = z.strictObject({
  facts: z.array(z.union([z.literal(0), z.literal(0.5), z.literal(1)])),
  wrong: z.array(z.strictObject({ claim: text, because: text })),
});
const judged = z.strictObject({
  report: reading,
  /** The report and the documents together. */
  documents: reading,
  session: reading,
  interim: reading,
  /** Claims drawn by chance from the report and the documents, and whether what they cite bears them out. */
  sample: z.array(z.strictObject({ claim: text, supported: z.boolean() })),
  /** The report's claims about the workspace, and how many of them carry a citation. */
  claims: z.strictObject({ about: z.number().int().nonnegative(), cited: z.number().int().nonnegative() }),
});
const forecast = z.object({ low: z.number().nonnegative(), high: z.number().nonnegative() });
const message = z.object({ role: z.string(), content: z.unknown().optional(), tool_calls: z.unknown().optional() });
const sessionLine = z.object({ request: z.object({ messages: z.array(message) }), answer: z.unknown().optional() });

/** Lines of a file that decide a fact, from 1, inclusive. */
export type Place = z.infer<typeof place>;
/** A question with its rubric. */
export type Question = z.infer<typeof question>;
/** What readers said who did not know who had made the texts. */
export type Judged = z.infer<typeof judged>;

/** A request, as the bytes that a cache of prompts sees, and its answer. */
export interface Exchange {
  readonly prompt: string;
  readonly answer: string;
}

/** A call of a recording. */
export interface Call extends Exchange {
  readonly words: Words;
  readonly node: string;
  readonly answered: ModelAnswer;
}

/** A recorded search, the single session beside it, and what was made of them; what is missing is empty. */
export interface Run {
  readonly model: { readonly name: string; readonly tools?: boolean | undefined };
  /** In the order of the answers. */
  readonly calls: readonly Call[];
  readonly report: string;
  readonly documents: string;
  /** The interim report at the moment of the first document. */
  readonly interim: string;
  readonly forecast: z.infer<typeof forecast> | undefined;
  /** The search.json that it began with, where it was not begun with the defaults. */
  readonly search: SearchFile | undefined;
  readonly session: readonly Exchange[];
  /** The session's answer. */
  readonly sessionText: string;
}

/** Returns the questions in a folder, by name. */
export async function readQuestions(folder: string): Promise<Question[]> {
  const files = existsSync(folder) ? (await readdir(folder)).filter((file) => file.endsWith('.json')) : [];
  return Promise.all(files.sort().map(async (file) => question.parse(JSON.parse(await textOf(join(folder, file))))));
}

/** Returns what readers said about a question; undefined as long as they said nothing. */
export async function readJudged(folder: string, { name, facts }: Question): Promise<Judged | undefined> {
  const said = await textOf(join(folder, `${name}.json`));
  if (said === '') return undefined;
  const all = judged.parse(JSON.parse(said));
  for (const each of [all.report, all.documents, all.session, all.interim])
    if (each.facts.length !== facts.length)
      throw new Error(`${name} has ${facts.length} facts, of which some were not judged`);
  return all;
}

/** The recorded run in a folder; undefined if there is none yet. */
export async function readRun(folder: string): Promise<Run | undefined> {
  const tree = await textOf(join(folder, 'tree.jsonl'));
  if (tree === '') return undefined;
  const [report, documents, interim, session, sessionText] = await Promise.all(
    ['report.md', 'documents.md', 'interim.md', 'session.jsonl', 'session.md'].map((file) =>
      textOf(join(folder, file)),
    ),
  );
  const [band, search] = await Promise.all(['forecast.json', 'search.json'].map((file) => textOf(join(folder, file))));
  return {
    ...readTree(tree),
    report: String(report),
    documents: String(documents),
    interim: String(interim),
    forecast: band ? forecast.parse(JSON.parse(band)) : undefined,
    search: search ? SearchFile.parse(JSON.parse(search)) : undefined,
    session: linesOf(String(session)).map(exchangeOf),
    sessionText: String(sessionText),
  };
}

/** Reads a recording of any version of the prompts: what is asked otherwise today is counted, it is not an error. */
function readTree(recording: string): Pick<Run, 'model' | 'calls'> {
  const texts = new Map<string, string>();
  const of = (id: string): string => {
    const found = texts.get(id);
    if (found === undefined) throw new Error(`the recording has no text ${id}`);
    return found;
  };
  const calls: Call[] = [];
  let model: Run['model'] = { name: 'recorded/model' };
  for (const line of linesOf(recording).map((each) => RecordingLine.parse(JSON.parse(each)))) {
    if (line.type === 'text') texts.set(line.id, line.text);
    if (line.type === 'model') model = line;
    if (line.type !== 'call') continue;
    const { purpose, node, toolResults, toolsAreOver, toolCalls, finish, usage, leafReason } = line;
    const words: Words = {
      purpose,
      system: of(line.system),
      turns: line.turns.map((turn) => ({ ...turn, text: of(turn.text) }) as Turn),
      prompt: of(line.prompt),
      ...(toolResults && { toolResults }),
      ...(toolsAreOver && { toolsAreOver }),
    };
    const said = of(line.answer);
    const more = { ...(toolCalls && { toolCalls }), ...(usage && { usage }), ...(leafReason && { leafReason }) };
    const answered = { text: said, finish, ...more } as ModelAnswer;
    calls.push({ words, node, prompt: bytesOf(words), answer: said + usesOf(toolCalls), answered });
  }
  return { model, calls };
}

/**
 * Returns a request as one text, in the order in which it is sent; without the descriptions of tools, the same in each.
 */
function bytesOf({ system, turns, prompt, toolResults }: Words): string {
  const last: Turn = { role: 'user', text: prompt, ...(toolResults && { toolResults }) };
  const said = [...turns, last].flatMap(({ role, text: words, toolCalls, toolResults: results = [] }) => [
    ...results.map((result) => `\ntool\n${result.text}`),
    words === '' && !toolCalls ? '' : `\n${role}\n${words}${usesOf(toolCalls)}`,
  ]);
  return `system\n${system}${said.join('')}`;
}

function usesOf(calls: Turn['toolCalls'] = []): string {
  return calls.map(({ name, input }) => `\n@${name} ${JSON.stringify(input)}`).join('');
}

function exchangeOf(line: string): Exchange {
  const { request, answer } = sessionLine.parse(JSON.parse(line));
  const said = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? ''));
  const turns = request.messages.map(
    ({ role, content, tool_calls: uses }) => `\n${role}\n${said(content)}${uses ? said(uses) : ''}`,
  );
  return { prompt: turns.join(''), answer: said(answer) };
}

function linesOf(jsonLines: string): string[] {
  return jsonLines.split('\n').filter((line) => line.trim() !== '');
}

/** Returns a file as it is, or compressed with another ending; empty if there is none. */
async function textOf(path: string): Promise<string> {
  if (existsSync(path)) return readFile(path, 'utf8');
  if (existsSync(`${path}.br`)) return brotliDecompressSync(await readFile(`${path}.br`)).toString();
  if (existsSync(`${path}.gz`)) return gunzipSync(await readFile(`${path}.gz`)).toString();
  return '';
}
