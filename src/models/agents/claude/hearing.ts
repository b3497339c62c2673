import type { ModelAnswer, ModelCall } from '../../../core/ports/model.ts';
import { claudeFailure } from './claude-failure.ts';
import { Message, type Result } from './claude-messages.ts';
import { UsageMeter } from './usage-meter.ts';

/** The maximum length of everything said in response to one question, in characters. */
const MAX_TEXT = 4 * 1024 * 1024;

/** Collects the SDK's messages about one question, and makes the answer from them. */
export class Hearing {
  readonly #meter = new UsageMeter();
  readonly #tokens: number;
  readonly #most: number;
  readonly #onText: ModelCall['onText'];
  #result: Result | undefined;
  #error: string | undefined;
  #failure: string | undefined;
  #length = 0;
  #isOver = false;

  /**
   * @param tokens the number of tokens after which no further request may begin
   * @param most what the question can have cost at most, in US dollars, if nobody reports the cost
   */
  constructor(tokens: number, most: number, { onText }: ModelCall) {
    this.#tokens = tokens;
    this.#most = most;
    this.#onText = onText;
  }

  /** Tells whether nothing more may be asked: another request could exceed the limit, or too much was said. */
  get isOver(): boolean {
    return this.#isOver;
  }

  get hasEnded(): boolean {
    return this.#isOver || this.#result !== undefined;
  }

  /** Tells whether anything was answered, so that it may cost something. */
  get isCharged(): boolean {
    return this.#meter.isUsed;
  }

  hear(told: unknown): void {
    const message = Message.safeParse(told).data;
    if (message?.type === 'result') this.#result = message;
    else if (message?.type === 'assistant') this.#error = message.error ?? this.#error;
    else if (message?.type === 'stream_event') this.#take(message.event);
  }

  /** The process ended without a result. */
  fail(error: unknown): void {
    this.#failure = error instanceof Error ? error.message : String(error);
  }

  /**
   * @param before what the session had cost before, in US dollars; undefined if unknown
   * @throws ThoughtTreeError if there is no answer, and no limit is the cause
   */
  answer(name: string, before: number | undefined): ModelAnswer {
    const result = this.#result;
    const isKnown = result !== undefined && before !== undefined;
    const usd = isKnown ? Math.max(0, result.total_cost_usd - before) : this.#most;
    const usage = { ...this.#meter.usage, usd };
    if (this.#isOver) return { text: '', finish: 'length', usage };
    if (result !== undefined && LIMITS.has(result.subtype))
      return { text: '', finish: 'length', usage, session: result.session_id };
    if (result?.subtype !== 'success' || result.is_error) {
      const said = result ?? { result: this.#failure ?? '' };
      throw claudeFailure(name, said, this.#error, this.isCharged);
    }
    const finish = FINISH[result.stop_reason ?? ''] ?? 'stop';
    return { text: result.result ?? '', finish, usage, session: result.session_id };
  }

  #take(event: StreamEvent): void {
    if (event.type === 'message_start') this.#meter.begin(event.message.usage);
    else if (event.type === 'message_delta') {
      this.#meter.answer(event.usage);
      const goesOn = event.delta.stop_reason === 'tool_use';
      if (goesOn && this.#meter.tokens + this.#meter.last > this.#tokens) this.#isOver = true;
    } else if (event.delta.text !== undefined) {
      this.#length += event.delta.text.length;
      if (this.#length > MAX_TEXT) this.#isOver = true;
      this.#onText?.(event.delta.text);
    }
  }
}

type StreamEvent = Extract<ReturnType<typeof Message.parse>, { type: 'stream_event' }>['event'];

/** Ended by one of our limits: the session exists, and can be asked for an answer from what it knows. */
const LIMITS: ReadonlySet<string> = new Set(['error_max_turns', 'error_max_budget_usd']);

const FINISH: Readonly<Record<string, ModelAnswer['finish']>> = { max_tokens: 'length', refusal: 'refused' };
