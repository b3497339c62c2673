import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Message } from '../../core/messages/message.ts';
import type { AnswersByData, Model, ModelAnswer, ModelRequest, Usage } from '../../core/ports/model.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { oneLine } from '../../core/text/text.ts';
import * as say from '../messages.ts';
import { hashOf, PROMPT_WORDS, RECORDING_VERSION, RecordingLine, requestKey, type Words } from './recording.ts';

const MAX_NAME = 120;
/** An answer may wait so long, in milliseconds, where a person is to see a tree grow. */
const LONGEST_PACE_MS = 10_000;

/**
 * A model that answers from a recording: offline, free of charge, the same every time. If one request was
 * answered several times, it gives the answers in their order, and then again from the first one.
 * @param places absolute paths where the recording may be; the first that exists is read
 * Where nobody asked in these words, an answer is made of what was said of the same things.
 * @param name the part after `replay/`
 * @param byData of the kind of search that asks
 * @throws ThoughtTreeError `not-found`, `damaged`, `newer-version`, `bad-input`
 */
export async function openReplayModel(places: readonly string[], name: string, byData?: AnswersByData): Promise<Model> {
  const file = await findRecording(places);
  const { requests, models, said } = await readRecording(file);
  const asked = new Map<string, number>();
  const pace = Math.min(LONGEST_PACE_MS, Number(process.env['THOUGHT_TREE_REPLAY_PACE_MS'] ?? 0) || 0);
  const contexts = models.flatMap(({ contextTokens }) => contextTokens ?? []);
  const recordedOf = oneLine(models.map((model) => model.name).join(', '), MAX_NAME) || 'nothing';
  return {
    name: `replay/${name}`,
    label: `Replay of ${basename(file)} (${recordedOf})`,
    free: true,
    ...(models.length > 0 && models.every(({ prose }) => prose === false) ? { prose: false } : {}),
    ...(models.some(({ tools }) => tools) ? { tools: true } : {}),
    ...(contexts.length > 0 ? { contextTokens: Math.min(...contexts) } : {}),
    async generate(request, { signal, onText }) {
      if (signal.aborted) throw new ThoughtTreeError('aborted', say.callStopped(), { charged: false });
      const key = requestKey(request);
      const recorded = requests.get(key);
      if (!recorded) {
        const made = said.size > 0 ? byData?.answer(request.data, (about) => said.get(hashOf(about)) ?? []) : undefined;
        if (typeof made !== 'string')
          throw made ? neverAsked(file, made) : notRecorded(file, request, [...requests.values()]);
        onText?.(made);
        return { text: made, finish: 'stop', usage: usageOf(request, made) };
      }
      const turn = asked.get(key) ?? 0;
      asked.set(key, turn + 1);
      if (pace > 0) await setTimeout(pace, undefined, { signal }).catch(() => undefined);
      const answer = recorded.answers[turn % recorded.answers.length] as ModelAnswer;
      onText?.(answer.text);
      return answer;
    },
  };
}

function neverAsked(file: string, what: Message): ThoughtTreeError {
  return new ThoughtTreeError('not-found', say.neverAsked({ file: basename(file), what }), { charged: false });
}

/** Returns what an answer would have used that nobody gave in these words. */
function usageOf({ system, turns, prompt }: ModelRequest, text: string): Usage {
  const tokens = (texts: readonly string[]): number =>
    Math.ceil(texts.reduce((sum, { length }) => sum + length, 0) / 4);
  return { prompt: tokens([system, ...turns.map((turn) => turn.text), prompt]), cached: 0, completion: tokens([text]) };
}

function notRecorded(file: string, request: ModelRequest, recorded: readonly Recorded[]): ThoughtTreeError {
  const nearest = nearestTo(request, recorded);
  const { purpose } = request;
  const near = nearest
    ? say.nearestRecorded({ node: shown(nearest.node), where: nearest.where })
    : say.nothingRecorded({ purpose });
  const what = { file: basename(file), purpose, node: shown(request.node), nearest: near };
  return new ThoughtTreeError('not-found', say.notRecorded(what), { charged: false });
}

function shown(node: string): Message {
  return node === '' ? say.searchItself() : say.quotedNode({ node: oneLine(node, MAX_NAME) });
}

/** Returns the recorded request of the same purpose with the longest common beginning, and where they differ. */
function nearestTo(request: Words, recorded: readonly Recorded[]): { node: string; where: Message } | undefined {
  const wanted = partsOf(request);
  let best: { node: string; where: Message; alike: number } | undefined;
  for (const each of recorded) {
    if (each.purpose !== request.purpose) continue;
    const parts = partsOf(each);
    let alike = 0;
    let at = 0;
    for (; at < wanted.length; at++) {
      const length = alikeAtStart(wanted[at]?.text ?? '', parts[at]?.text ?? '');
      alike += length;
      if (wanted[at]?.text !== parts[at]?.text) break;
    }
    const where = (wanted[at] ?? wanted.at(-1))?.what ?? say.itsBeginning();
    if (!best || alike > best.alike) best = { node: each.node, where, alike };
  }
  return best;
}

function partsOf({ system, turns, prompt }: Words): { what: Message; text: string }[] {
  return [
    { what: say.systemText(), text: system },
    ...turns.map(({ role, text }, index) => ({ what: say.turnText({ number: index + 1, role }), text })),
    { what: say.promptText(), text: prompt },
  ];
}

function alikeAtStart(a: string, b: string): number {
  if (a === b) return a.length;
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return at;
}

const MAX_BYTES = 512 * 1024 * 1024;
const MAX_LINES = 1_000_000;
/** The maximum length of a line, in characters: a request with everything that its tools returned. */
const MAX_LINE = 128 * 1024 * 1024;

/** One request of a recording, with its answers in order. */
interface Recorded extends Words {
  readonly node: string;
  readonly answers: ModelAnswer[];
}

/** The content of a recording. */
interface Recording {
  readonly requests: ReadonlyMap<string, Recorded>;
  /** What was said, oldest first, by the hash of what it is about. */
  readonly said: ReadonlyMap<string, readonly string[]>;
  /** The models that answered. */
  readonly models: readonly Extract<RecordingLine, { type: 'model' }>[];
}

/**
 * The first of several paths that is a file.
 * @throws ThoughtTreeError `not-found` naming all of them
 */
async function findRecording(places: readonly string[]): Promise<string> {
  const different = [...new Set(places)];
  for (const file of different) if ((await stat(file).catch(() => undefined))?.isFile()) return file;
  throw new ThoughtTreeError('not-found', say.noRecording({ file: different.join(', ') }));
}

/**
 * Reads a recording, whoever made it: every line is checked, and its size is bounded. A last line that was torn off is
 * left out.
 * @throws ThoughtTreeError `not-found`, `damaged` with file and line, `newer-version`, `bad-input` where the prompts that it
 *   answers are those of an earlier version
 */
export async function readRecording(file: string): Promise<Recording> {
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile()) throw new ThoughtTreeError('not-found', say.noRecording({ file }));
  if (found.size > MAX_BYTES) throw new ThoughtTreeError('damaged', say.recordingTooLarge({ file }));
  const reading = new Reading(file);
  for await (const line of linesOf(file)) reading.take(line);
  return reading.end();
}

/** Splits lines only at the line ends of JSON Lines: Node's own reader also splits at characters that may occur in JSON. */
async function* linesOf(file: string): AsyncIterable<string> {
  let rest: string[] = [];
  let length = 0;
  for await (const chunk of createReadStream(file, 'utf8') as AsyncIterable<string>) {
    const [first = '', ...more] = chunk.split('\n');
    rest.push(first);
    length += first.length;
    if (length > MAX_LINE) throw new ThoughtTreeError('damaged', say.recordingWithoutEnd({ file }));
    const last = more.pop();
    if (last === undefined) continue;
    yield rest.join('');
    yield* more;
    rest = [last];
    length = last.length;
  }
  if (length > 0) yield rest.join('');
}

class Reading {
  readonly #file: string;
  readonly #texts = new Map<string, string>();
  readonly #requests = new Map<string, Recorded>();
  readonly #models: Extract<RecordingLine, { type: 'model' }>[] = [];
  readonly #said = new Map<string, string[]>();
  #line = 0;
  #torn: ThoughtTreeError | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  take(text: string): void {
    if (++this.#line > MAX_LINES) throw this.#damaged(say.tooManyLines());
    if (this.#torn) throw this.#torn; // it was not the last line
    if (text.trim() === '') return;
    const line = this.#parsed(text);
    if (this.#line === 1 && line?.type !== 'recording') throw this.#damaged(say.beginsOtherwise());
    if (!line) this.#torn = this.#damaged(say.notALine());
    else this.#keep(line);
  }

  end(): Recording {
    if (this.#line === 0) throw this.#damaged(say.emptyRecording());
    return { requests: this.#requests, models: this.#models, said: this.#said };
  }

  #parsed(text: string): RecordingLine | undefined {
    try {
      return RecordingLine.safeParse(JSON.parse(text)).data;
    } catch {
      return undefined;
    }
  }

  #keep(line: RecordingLine): void {
    if (line.type === 'recording') this.#checkVersion(line);
    else if (line.type === 'text') this.#texts.set(line.id, line.text);
    else if (line.type === 'model') this.#models.push(line);
    else this.#keepCall(line);
  }

  #keepCall({ purpose, system, turns, prompt, node, ...call }: Extract<RecordingLine, { type: 'call' }>): void {
    const words: Words = {
      purpose,
      system: this.#text(system),
      turns: turns.map(({ role, text, toolCalls, toolResults }) => ({
        role,
        text: this.#text(text),
        ...(toolCalls && { toolCalls }),
        ...(toolResults && { toolResults }),
      })),
      prompt: this.#text(prompt),
      ...(call.toolResults && { toolResults: call.toolResults }),
      ...(call.toolsAreOver && { toolsAreOver: true }),
    };
    const key = requestKey(words);
    const recorded = this.#requests.get(key) ?? { ...words, node, answers: [] };
    this.#requests.set(key, recorded);
    for (const { about, said } of call.says ?? []) {
      const known = this.#said.get(about) ?? [];
      known.push(this.#text(said));
      this.#said.set(about, known);
    }
    const { finish, usage, leafReason, toolCalls } = call;
    recorded.answers.push({
      text: this.#text(call.answer),
      finish,
      ...(toolCalls && { toolCalls }),
      ...(usage && { usage: tokensOf(usage) }),
      ...(leafReason && { leafReason }),
    });
  }

  #text(id: string): string {
    const text = this.#texts.get(id);
    if (text === undefined) throw this.#damaged(say.unknownText({ id }));
    return text;
  }

  #checkVersion({ version, words = 1 }: Extract<RecordingLine, { type: 'recording' }>): void {
    const file = this.#file;
    if (version > RECORDING_VERSION || words > PROMPT_WORDS)
      throw new ThoughtTreeError('newer-version', say.newerRecording({ file }));
    if (words < PROMPT_WORDS) throw new ThoughtTreeError('bad-input', say.recordingOfOlderWords({ file }));
  }

  #damaged(what: Message): ThoughtTreeError {
    const at = { file: this.#file, line: this.#line };
    return new ThoughtTreeError('damaged', say.damagedRecording({ ...at, what }), at);
  }
}

/** The usage without the cost: a replay costs nothing. */
function tokensOf({ prompt, cached, completion }: { prompt: number; cached: number; completion: number }) {
  return { prompt, cached, completion };
}
