import type { Model, ModelRequest, Turn } from '../../core/ports/model.ts';
import type { ToolResult } from '../../core/ports/tool.ts';
import { wrappedModel } from '../../core/ports/wrapped-model.ts';
import { SecretFilter } from '../../text/secrets/secret-filter.ts';

/** Requests are read like prose that may quote anything. */
const AS = 'request.md';

/**
 * Wraps a model so that it is sent nothing that looks like a secret, wherever that comes from. What is read of the
 * workspace is filtered before it gets into a prompt; this is for what lies in the search's own folder, which may have
 * come with a clone: documents, notes, conversations, and what commands print.
 */
export function sentNoSecrets(model: Model): Model {
  if (model.prose === false) return model; // it is in this process, and reads no prose
  const filter = new SecretFilter('/');
  const hide = async (text: string): Promise<string> => (await filter.hide(AS, text)).text;
  const generate: Model['generate'] = async (request, call) => model.generate(await without(request, hide), call);
  return wrappedModel(model, { generate });
}

async function without(request: ModelRequest, hide: (text: string) => Promise<string>): Promise<ModelRequest> {
  const results = async (said: readonly ToolResult[] = []): Promise<ToolResult[]> => {
    const hidden: ToolResult[] = [];
    for (const each of said) hidden.push({ ...each, text: await hide(each.text) });
    return hidden;
  };
  const turns: Turn[] = [];
  for (const turn of request.turns) {
    const text = await hide(turn.text);
    turns.push({ ...turn, text, ...(turn.toolResults && { toolResults: await results(turn.toolResults) }) });
  }
  const { toolResults } = request;
  return {
    ...request,
    system: await hide(request.system),
    turns,
    prompt: await hide(request.prompt),
    ...(toolResults && { toolResults: await results(toolResults) }),
  };
}
