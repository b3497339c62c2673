import type { Model, ModelRequest } from '../../core/ports/model.ts';
import { wrappedModel } from '../../core/ports/wrapped-model.ts';
import { toThoughtTreeError } from '../../core/search/errors.ts';
import { bytesOf } from '../../engine/budget/token-estimate.ts';

/** The models that refused tools or schemas, and contexts, by name and place: a server is asked once, for all searches here. */
const REFUSED = new Set<string>();
const CONTEXTS = new Map<string, number>();

/** In tokens: a shorter context has no room for tools, what they find, and an answer. */
const LEAST_CONTEXT = 8000;
/** Tokens for a byte of a prompt, as most have; and how much of a refused request is tried where nobody says what fits. */
const TOKENS_A_BYTE = 0.3;
const SMALLER = 0.75;
/** In tokens: with less than that nothing can be asked. */
const SMALLEST = 1024;

/**
 * Wraps a model so that it counts as one without tools, or without schemas, once it, or its server, has refused a request
 * for having some, and as one without tools where its context is too short for them; and so that its context is what its
 * server told when it refused a request as too long, or less than that request where it told nothing.
 */
export function knowsItsLimits(model: Model): Model {
  const key = (): string => `${model.name} ${model.label}`;
  const contextTokens = (): number | undefined => {
    const learnt = CONTEXTS.get(key()) ?? Number.POSITIVE_INFINITY;
    const least = Math.min(learnt, model.contextTokens ?? Number.POSITIVE_INFINITY);
    return Number.isFinite(least) ? least : undefined;
  };
  const generate: Model['generate'] = async (request, call) => {
    const before = contextTokens();
    try {
      return await model.generate(request, call);
    } catch (error) {
      const { refusesTools, refusesSchema, isTooLong, contextTokens: told } = toThoughtTreeError(error).details;
      if (request.tools && refusesTools) REFUSED.add(`tools ${key()}`);
      if (request.schema && refusesSchema) REFUSED.add(`schemas ${key()}`);
      // A limit that another request learnt meanwhile holds for this one, too.
      if (isTooLong && contextTokens() === before) CONTEXTS.set(key(), contextAfter(request, before, told));
      throw error;
    }
  };
  return wrappedModel(model, {
    generate,
    get contextTokens() {
      return contextTokens();
    },
    get takesSchemas() {
      return model.takesSchemas === true && !REFUSED.has(`schemas ${key()}`);
    },
    get tools() {
      return (
        model.tools === true && (contextTokens() ?? LEAST_CONTEXT) >= LEAST_CONTEXT && !REFUSED.has(`tools ${key()}`)
      );
    },
  });
}

/** Returns the context after a refusal; the known one if a request far below what the server tells was refused. */
function contextAfter(request: ModelRequest, known = Number.POSITIVE_INFINITY, told?: number): number {
  if (told !== undefined && told < known) return told;
  const asked = Math.ceil(bytesOf(request) * TOKENS_A_BYTE) + request.maxOutputTokens;
  if (told !== undefined && asked < SMALLER * told) return known;
  return Math.max(SMALLEST, Math.floor(SMALLER * Math.min(known, asked)));
}
