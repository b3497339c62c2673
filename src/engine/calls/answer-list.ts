import type { ModelRequest } from '../../core/ports/model.ts';

/** The fields of the entries of a list. */
export type ListFields = Readonly<Record<string, 'string' | 'number'>>;

const AS_JSON = `Give it as one JSON object, without tags around it: "thinking", where you weigh in a few sentences what belongs in the list, and "list", the entries in the form above, each with all of its fields.`;

/** Asks for a list by a schema besides: its server lets the model write nothing else. */
export function askedBySchema(request: ModelRequest, fields: ListFields): ModelRequest {
  const properties = Object.fromEntries(Object.entries(fields).map(([name, type]) => [name, { type }]));
  const list = { type: 'array', items: objectOf(properties) };
  // Before the list, so that a model may think before it decides.
  const schema = objectOf({ thinking: { type: 'string' }, list });
  return { ...request, prompt: `${request.prompt}\n\n${AS_JSON}`, schema };
}

function objectOf(properties: Readonly<Record<string, object>>): object {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}
