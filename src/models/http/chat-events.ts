import { randomUUID } from 'node:crypto';
import { type EventReader, type Fields, isFields, withNumbers } from './lenient-events.ts';

/** Reads the events of chat completions, of whichever server: what is known of each is given on, and nothing else. */
export function chatEvents(): EventReader {
  let hasSaid = false;
  let hasEnded = false;
  let usage: unknown;
  /** True if usage came by itself, as it does behind the last piece. */
  let isCounted = false;
  const calls = new CallPieces();
  return {
    read(event) {
      if (event['error'] != null) return hasEnded ? undefined : { error: event['error'] };
      const [first] = Array.isArray(event['choices']) ? event['choices'] : [];
      const choice = isFields(first) ? first : undefined;
      const told = usageIn(event, choice);
      const delta = choice ? deltaOf(choice, calls) : undefined;
      const finish = choice?.['finish_reason'];
      const finish_reason = finish == null || finish === '' ? undefined : String(finish);
      hasSaid ||= delta !== undefined;
      hasEnded ||= finish_reason !== undefined;
      isCounted = told !== undefined && delta === undefined;
      usage = told ?? usage;
      if (!delta && !told && finish_reason === undefined) return undefined;
      return chunk(delta, finish_reason, told);
    },
    // Without a reason it has ended where the server says so, or counts what it used.
    end: (isDone) => (!hasEnded && hasSaid && (isDone || (usage && isCounted)) ? chunk({}, 'stop') : undefined),
    isOver: () => hasEnded,
  };
}

function chunk(delta: object | undefined, finish_reason: string | undefined, usage?: unknown): object {
  const choice = { index: 0, ...(delta && { delta }), ...(finish_reason !== undefined && { finish_reason }) };
  return { choices: delta || finish_reason !== undefined ? [choice] : [], ...(usage !== undefined && { usage }) };
}

/** Returns what an event says of usage, wherever that is, under the names of chat completions. */
function usageIn(event: Fields, choice: Fields | undefined): Fields | undefined {
  const groq = event['x_groq'];
  const places = [event['usage'], choice?.['usage'], isFields(groq) ? groq['usage'] : undefined, timingsIn(event)];
  const told = withNumbers(places.find(isFields));
  if (!isFields(told)) return undefined;
  const { input_tokens, output_tokens, prompt_tokens, completion_tokens, cached_tokens, prompt_cache_hit_tokens } =
    told;
  const cached = cached_tokens ?? prompt_cache_hit_tokens;
  return {
    ...(typeof cached === 'number' && { prompt_tokens_details: { cached_tokens: cached } }),
    ...told,
    prompt_tokens: prompt_tokens ?? input_tokens,
    completion_tokens: completion_tokens ?? output_tokens,
  };
}

/** Some servers of llama.cpp count in this way alone. */
function timingsIn({ timings }: Fields): Fields | undefined {
  const told = withNumbers(timings);
  if (!isFields(told) || typeof told['prompt_n'] !== 'number') return undefined;
  const cached = typeof told['cache_n'] === 'number' ? told['cache_n'] : 0;
  return { prompt_tokens: told['prompt_n'] + cached, completion_tokens: told['predicted_n'], cached_tokens: cached };
}

/** The piece in a choice, or the whole message; undefined if it says nothing. */
function deltaOf(choice: Fields, calls: CallPieces): object | undefined {
  const said = [choice['delta'], choice['message']].find(isFields) ?? {};
  const reasoning = said['reasoning_content'] ?? said['reasoning'];
  const content = contentOf(said['content'] ?? choice['text']);
  const tools = calls.read(said);
  const { refusal } = said;
  if (content === undefined && typeof reasoning !== 'string' && tools.length === 0 && typeof refusal !== 'string')
    return undefined;
  return {
    ...(content !== undefined && { content }),
    ...(typeof reasoning === 'string' && { reasoning_content: reasoning }),
    ...(typeof refusal === 'string' && { refusal }),
    ...(tools.length > 0 && { tool_calls: tools }),
  };
}

/** A text, or parts of which the library reads those that it knows; undefined if it is empty. */
function contentOf(content: unknown): unknown {
  if (typeof content === 'string') return content === '' ? undefined : content;
  if (isFields(content)) return contentOf(content['text']);
  const parts = Array.isArray(content)
    ? content.filter((part) => isFields(part) && typeof part['type'] === 'string')
    : [];
  return parts.length > 0 ? parts : undefined;
}

/** The uses of tools of one answer, whose names come first, and whose arguments are text. */
class CallPieces {
  /** The arguments that came for each use before its name; undefined from then on. */
  readonly #waiting = new Map<number, string | undefined>();
  readonly #ids = new Map<number, unknown>();
  #last = -1;

  /** Reads the pieces in a message, also in the oldest form. */
  read({ tool_calls, function_call }: Fields): object[] {
    const pieces = Array.isArray(tool_calls) ? tool_calls : [tool_calls];
    const known = pieces.filter(isFields);
    return known.length > 0 ? known.flatMap((piece) => this.#piece(piece)) : this.#old(function_call);
  }

  #old(used: unknown): object[] {
    return isFields(used) ? this.#piece({ index: 0, function: used }) : [];
  }

  #piece({ index, id, function: used, extra_content }: Fields): object[] {
    const { name, arguments: input } = isFields(used) ? used : {};
    const place = withNumbers(index);
    const isNew = typeof name === 'string' && (typeof place !== 'number' || this.#isOther(place, id));
    const at = isNew ? this.#last + 1 : typeof place === 'number' ? place : this.#last;
    const text = typeof input === 'string' ? input : input == null ? '' : JSON.stringify(input);
    this.#last = Math.max(this.#last, at);
    if (id != null) this.#ids.set(at, id);
    const isNamed = this.#waiting.has(at) && this.#waiting.get(at) === undefined;
    if (!isNamed && typeof name !== 'string') {
      this.#waiting.set(at, (this.#waiting.get(at) ?? '') + text);
      return [];
    }
    const before = this.#waiting.get(at) ?? '';
    this.#waiting.set(at, undefined);
    return [
      {
        index: at,
        ...(isNamed ? {} : { id: String(id ?? `call_${randomUUID()}`) }),
        function: { ...(isNamed ? {} : { name }), arguments: before + text },
        ...(isFields(extra_content) && { extra_content }),
      },
    ];
  }

  /** Tells whether a use has another id than the one in its place: some give all of them the same place. */
  #isOther(place: number, id: unknown): boolean {
    return id != null && this.#ids.has(place) && this.#ids.get(place) !== id;
  }
}
