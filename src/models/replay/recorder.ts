import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ThoughtTreeError } from '../../core/errors.ts';
import type { Model, ModelAnswer, ModelRequest, Turn } from '../../core/model.ts';
import { wrappedModel } from '../../core/wrapped-model.ts';
import { RECORDING_VERSION, type RecordedTurn, type RecordingLine } from './recording.ts';
import { hashOf, requestKey } from './request-key.ts';

/** Writes what models are asked and answer into a file, one line of JSON after the other, in the order of answers. */
export class Recorder {
  readonly #file: string;
  readonly #written = new Set<string>();
  #last: Promise<void>;

  /**
   * Begins a recording; a file of that name that does not go on from here must not be there.
   * @throws ThoughtTreeError `exists`, `not-writable`
   */
  static async open(file: string): Promise<Recorder> {
    try {
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, lineOf({ type: 'recording', version: RECORDING_VERSION }), { flag: 'wx', mode: 0o600 });
    } catch (error) {
      throw unwritable(file, error);
    }
    return new Recorder(file);
  }

  private constructor(file: string) {
    this.#file = file;
    this.#last = Promise.resolve();
  }

  /** The same model, with all its answers recorded. */
  wrap(model: Model): Model {
    const generate: Model['generate'] = async (request, call) => {
      const answer = await model.generate(request, call);
      await this.#add([aboutModel(model), ...linesOf(model.name, request, answer)]);
      return answer;
    };
    const close = async (): Promise<void> => {
      await this.#last;
      await model.close?.();
    };
    return wrappedModel(model, { generate, close });
  }

  /** Appends what was not written before; one after the other, so that no two answers mix. */
  #add(lines: readonly RecordingLine[]): Promise<void> {
    const added = this.#last.then(async () => {
      const fresh = lines.filter((line) => this.#isNew(line));
      await appendFile(this.#file, fresh.map(lineOf).join(''));
    });
    this.#last = added.catch(() => undefined);
    return added.catch((error: unknown) => {
      throw unwritable(this.#file, error);
    });
  }

  #isNew(line: RecordingLine): boolean {
    if (line.type === 'call') return true;
    const id = line.type === 'text' ? line.id : JSON.stringify(line);
    return this.#written.size < this.#written.add(id).size;
  }
}

function aboutModel({ name, prose, tools, contextTokens }: Model): RecordingLine {
  const able = { ...(prose === undefined ? {} : { prose }), ...(tools === undefined ? {} : { tools }) };
  const told = { ...able, ...(contextTokens === undefined ? {} : { contextTokens }) };
  return { type: 'model', name, ...told };
}

function linesOf(model: string, request: ModelRequest, answer: ModelAnswer): RecordingLine[] {
  const texts = new Map<string, string>();
  const idOf = (text: string): string => {
    const id = hashOf(text);
    texts.set(id, text);
    return id;
  };
  const { usage, leafReason, finish, toolCalls } = answer;
  const { toolResults, toolsAreOver } = request;
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

function lineOf(line: RecordingLine): string {
  return `${JSON.stringify(line)}\n`;
}

function unwritable(file: string, error: unknown): ThoughtTreeError {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'EEXIST')
    return new ThoughtTreeError('exists', `There is a file ${file} already. Record into another one, or remove it.`);
  const reason = code === 'ENOSPC' ? 'disk-full' : 'not-writable';
  return new ThoughtTreeError(reason, `The recording ${file} cannot be written: ${message}`, { charged: true });
}
