import type { ModelRequest } from '../../../src/core/ports/model.ts';

/** A request of the Model port, with what a test cares about. */
export function modelRequest(parts: Partial<ModelRequest> = {}): ModelRequest {
  return {
    purpose: 'document',
    node: 'bundling/source-maps',
    system: 'You answer.',
    turns: [],
    prompt: 'Write about source maps.',
    data: { question: 'Why?' },
    maxOutputTokens: 4000,
    ...parts,
  };
}
