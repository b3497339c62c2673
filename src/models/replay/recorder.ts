import { appendFile, mkdir, stat, truncate, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { SerialQueue } from '../../core/concurrency.ts';
import {
  type AnswersByData,
  type Model,
  type ModelAnswer,
  type ModelRequest,
  type Turn,
  wrappedModel,
} from '../../core/ports/model.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import * as say from '../messages.ts';
import {
  hashOf,
  PROMPT_WORDS,
  RECORDING_VERSION,
  type RecordedTurn,
  type RecordingLine,
  requestKey,
} from './recording.ts';

/** Writes requests to models and their answers to a file, one line of JSON each, in the order of answers. */
export class Recorder {
  readonly #file: string;
  readonly #written = new Set<string>();
  /** The number of bytes that are known to be complete. */
  #size: number;
  /** True if an append failed, which may have left a partial line after these. */
  #isTorn = false;
  readonly #queue = new SerialQueue();
  readonly #byData: AnswersByData | undefined;

  /**
   * Begins a recording; it is an error if a file of that name exists that this recording does not continue.
   * @param byData of the kind of search that is recorded, so that other searches find its answers
   * @throws ThoughtTreeError `exists`, `not-writable`
   */
  static async open(file: string, byData?: AnswersByData): Promise<Recorder> {
    const head = lineOf({ type: 'recording', version: RECORDING_VERSION, words: PROMPT_WORDS });
    try {
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, head, { flag: 'wx', mode: 0o600 });
    } catch (error) {
      throw unwritable(file, error);
    }
    return new Recorder(file, head.length, byData);
  }

  private constructor(file: string, size: number, byData: AnswersByData | undefined) {
    this.#file = file;
    this.#byData = byData;
    this.#size = size;
  }

  /** Returns the model with all its answers recorded. */
  wrap(model: Model): Model {
    const generate: Model['generate'] = async (request, call) => {
      const answer = await model.generate(request, call);
      await this.#add([aboutModel(model), ...linesOf(model.name, request, answer, this.#byData)]);
      return answer;
    };
    const close = async (): Promise<void> => {
      await this.#queue.idle();
      await model.close?.();
    };
    // A recording is played to searches whose model takes none.
    return wrappedModel(model, { generate, close, takesSchemas: false });
  }

  /** Appends what has not been written before; in sequence, so that no two answers mix. */
  #add(lines: readonly RecordingLine[]): Promise<void> {
    const added = this.#queue.run(async () => {
      const fresh = lines.filter((line) => !this.#written.has(nameOf(line)));
      await this.#append(fresh.map(lineOf).join(''));
      // Only what is really in the file may be left out of what is written next.
      for (const line of fresh) if (line.type !== 'call') this.#written.add(nameOf(line));
    });
    return added.catch((error: unknown) => {
      throw unwritable(this.#file, error);
    });
  }

  async #append(text: string): Promise<void> {
    // A partial line would merge with the next one.
    if (this.#isTorn && (await stat(this.#file)).size > this.#size) await truncate(this.#file, this.#size);
    this.#isTorn = true;
    const bytes = Buffer.from(text);
    await appendFile(this.#file, bytes);
    this.#isTorn = false;
    this.#size += bytes.length;
  }
}

/** Identifies a line that is written only once. */
function nameOf(line: RecordingLine): string {
  return line.type === 'text' ? line.id : JSON.stringify(line);
}

function aboutModel({ name, prose, tools, contextTokens }: Model): RecordingLine {
  const able = { ...(prose === undefined ? {} : { prose }), ...(tools === undefined ? {} : { tools }) };
  const told = { ...able, ...(contextTokens === undefined ? {} : { contextTokens }) };
  return { type: 'model', name, ...told };
}

function linesOf(
  model: string,
  request: ModelRequest,
  answer: ModelAnswer,
  byData: AnswersByData | undefined,
): RecordingLine[] {
  const texts = new Map<string, string>();
  const idOf = (text: string): string => {
    const id = hashOf(text);
    texts.set(id, text);
    return id;
  };
  const { usage, leafReason, finish, toolCalls } = answer;
  const { toolResults, toolsAreOver } = request;
  const says = byData
    ?.says(request.data, answer.text)
    .map(({ about, said }) => ({ about: hashOf(about), said: idOf(said) }));
  const call: RecordingLine = {
    type: 'call',
    key: requestKey(request),
    model,
    purpose: request.purpose,
    node: request.node,
    system: idOf(request.system),
    turns: request.turns.map((turn) => ({ role: turn.role, text: idOf(turn.text), ...toolsOf(turn) })),
    prompt: idOf(request.prompt),
    ...toolsOf({ toolResults }),
    ...(toolsAreOver && { toolsAreOver }),
    answer: idOf(answer.text),
    finish,
    ...(says && says.length > 0 && { says }),
    ...toolsOf({ toolCalls }),
    ...(usage && { usage }),
    ...(leafReason && { leafReason }),
  };
  return [...[...texts].map(([id, text]): RecordingLine => ({ type: 'text', id, text })), call];
}

type Tools = Pick<RecordedTurn, 'toolCalls' | 'toolResults'>;

function toolsOf({ toolCalls, toolResults }: { [K in keyof Tools]: Turn[K] | undefined }): Tools {
  return { ...(toolCalls && { toolCalls: [...toolCalls] }), ...(toolResults && { toolResults: [...toolResults] }) };
}

/** Returns one line of output: JSON does not escape two characters that many programs treat as line breaks. */
function lineOf(line: RecordingLine): string {
  return `${JSON.stringify(line).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}\n`;
}

function unwritable(file: string, error: unknown): ThoughtTreeError {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'EEXIST') return new ThoughtTreeError('exists', say.recordingExists({ file }));
  const reason = code === 'ENOSPC' ? 'disk-full' : 'not-writable';
  return new ThoughtTreeError(reason, say.recordingNotWritten({ file, why: message }), { charged: true });
}
