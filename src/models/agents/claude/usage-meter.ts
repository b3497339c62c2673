import type { Usage } from '../../../core/ports/model.ts';
import type { WireUsage } from './claude-messages.ts';

/** Adds up what the requests of one question used, as they are answered. */
export class UsageMeter {
  #prompt = 0;
  #cached = 0;
  #written = 0;
  #completion = 0;
  #lastPrompt = 0;
  #lastCompletion = 0;

  /** Tells whether anything was answered, so that it may cost something. */
  get isUsed(): boolean {
    return this.#prompt > 0;
  }

  get tokens(): number {
    return this.#prompt + this.#completion;
  }

  /** Tokens of the last request and its answer, which the next one sends again. */
  get last(): number {
    return this.#lastPrompt + this.#lastCompletion;
  }

  get usage(): Usage {
    return { prompt: this.#prompt, cached: this.#cached, written: this.#written, completion: this.#completion };
  }

  /** A request's answer begins. */
  begin(usage: WireUsage): void {
    const cached = usage.cache_read_input_tokens ?? 0;
    const written = usage.cache_creation_input_tokens ?? 0;
    this.#lastPrompt = (usage.input_tokens ?? 0) + cached + written;
    this.#prompt += this.#lastPrompt;
    this.#cached += cached;
    this.#written += written;
    this.#lastCompletion = 0;
    this.answer(usage);
  }

  /** The current length of the answer: the count grows as it arrives. */
  answer({ output_tokens }: WireUsage): void {
    const now = Math.max(this.#lastCompletion, output_tokens ?? 0);
    this.#completion += now - this.#lastCompletion;
    this.#lastCompletion = now;
  }
}
