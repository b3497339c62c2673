import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Message } from '../../core/messages/message.ts';
import type { ModelAnswer } from '../../core/ports/model.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import * as say from '../messages.ts';
import { PROMPT_WORDS, RECORDING_VERSION, RecordingLine } from './recording.ts';
import { requestKey, type Words } from './request-key.ts';

const MAX_BYTES = 512 * 1024 * 1024;
const MAX_LINES = 1_000_000;
/** The maximum length of a line, in characters: a request with everything that its tools returned. */
const MAX_LINE = 128 * 1024 * 1024;

/** One request of a recording, with its answers in order. */
export interface Recorded extends Words {
  readonly node: string;
  readonly answers: ModelAnswer[];
}

/** The content of a recording. */
export interface Recording {
  readonly requests: ReadonlyMap<string, Recorded>;
  /** The models that answered. */
  readonly models: readonly Extract<RecordingLine, { type: 'model' }>[];
}

/**
 * The first of several paths that is a file.
 * @throws ThoughtTreeError `not-found` naming all of them
 */
export async function findRecording(places: readonly string[]): Promise<string> {
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
    return { requests: this.#requests, models: this.#models };
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
