import { BYTES_A_TOKEN } from '../../core/money/usage-doubt.ts';
import type { Model, ModelAnswer, ModelRequest } from '../../core/ports/model.ts';
import { utf8Length } from '../../core/text/text.ts';

/** The share of a model's context that its reasoning may take. */
const LARGEST_SHARE = 0.25;
/** An answer that was cut off with less than this share of its limit as text spent the rest on something else. */
const LITTLE_TEXT = 0.25;
/** The share of its limit that an answer used up. */
const USED_UP = 0.9;

/** The room for reasoning besides an answer: as known of a model, as given by a person, or as learnt from its answers. */
export class ThinkingRoom {
  readonly #learnt = new Map<string, number>();
  /** Models whose context is too short for it. */
  readonly #without = new Set<string>();

  /** The room in a request, in tokens. */
  of({ name, thinking, contextTokens }: Model, effort: ModelRequest['effort']): number {
    if (this.#without.has(name)) return 0;
    const known = (effort === 'low' ? thinking?.low : thinking?.usual) ?? 0;
    const most = contextTokens === undefined ? Number.POSITIVE_INFINITY : Math.floor(LARGEST_SHARE * contextTokens);
    return Math.min(most, Math.max(known, this.#learnt.get(name) ?? 0));
  }

  /** A request without the room, which was too much for the model's context; so are later ones to this model. */
  without({ name }: Model, request: ModelRequest, room: number): ModelRequest {
    this.#without.add(name);
    return { ...request, maxOutputTokens: request.maxOutputTokens - room };
  }

  /** A request with twice the room; later requests to this model have as much more from the start. */
  widened({ name }: Model, request: ModelRequest): ModelRequest {
    this.#learnt.set(name, Math.max(this.#learnt.get(name) ?? 0, request.maxOutputTokens));
    return { ...request, maxOutputTokens: 2 * request.maxOutputTokens };
  }
}

/** Tells whether an answer was cut off although little of it is text: its limit was used up by reasoning. */
export function isStarved({ finish, text, usage }: ModelAnswer, { maxOutputTokens }: ModelRequest): boolean {
  if (finish !== 'length') return false;
  if (!usage) return text === '';
  return (
    usage.completion >= USED_UP * maxOutputTokens && utf8Length(text) < LITTLE_TEXT * maxOutputTokens * BYTES_A_TOKEN
  );
}
