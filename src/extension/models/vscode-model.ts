import * as vscode from 'vscode';
import { foreign } from '../../core/messages/message.ts';
import type { Model, ModelAnswer, ModelCall, ModelRequest, Turn, Usage } from '../../core/ports/model.ts';
import type { ToolCall } from '../../core/ports/tool.ts';
import { type Reason, ThoughtTreeError } from '../../core/search/errors.ts';
import { callStopped, modelSaid, noEditorModel } from '../messages.ts';
import { EDITOR_PROVIDER } from '../settings.ts';

/**
 * One of the editor's own models (`vscode.lm`), whoever serves it. There is no system role: the system text comes at the
 * beginning of the first message, always the same bytes. Usage is not reported, so it is counted.
 * @param id the model's id, such as `gpt-5-mini`
 * @throws ThoughtTreeError `unknown-model` if there is no model with that id
 */
export async function openEditorModel(id: string): Promise<Model> {
  const [chat] = await vscode.lm.selectChatModels({ id });
  if (!chat) {
    throw new ThoughtTreeError('unknown-model', noEditorModel({ model: id }));
  }
  return {
    name: `${EDITOR_PROVIDER}/${id}`,
    label: chat.name,
    free: false,
    // Its input limit; the limit of its answer is not reported, so that both have to fit into this.
    contextTokens: chat.maxInputTokens,
    tools: true,
    generate: (request, call) => generate(chat, request, call),
  };
}

async function generate(
  chat: vscode.LanguageModelChat,
  request: ModelRequest,
  { signal, onText }: ModelCall,
): Promise<ModelAnswer> {
  if (signal.aborted) throw new ThoughtTreeError('aborted', callStopped(), { charged: false });
  const messages = editorMessages(request);
  const source = new vscode.CancellationTokenSource();
  const cancel = (): void => source.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const justification = vscode.l10n.t('A tree search works on: {0}', request.node || request.purpose);
    const response = await chat.sendRequest(messages, { justification, ...editorTools(request) }, source.token);
    let text = '';
    const toolCalls: ToolCall[] = [];
    for await (const part of response.stream)
      if (part instanceof vscode.LanguageModelTextPart) {
        text += part.value;
        onText?.(part.value);
      } else if (part instanceof vscode.LanguageModelToolCallPart)
        toolCalls.push({ id: part.callId.slice(0, 200), name: part.name.slice(0, 200), input: part.input });
    if (signal.aborted) throw new ThoughtTreeError('aborted', callStopped());
    const usage = await countUsage(chat, messages, toolCalls.length > 0 ? text + JSON.stringify(toolCalls) : text);
    const used = usage ? { usage } : {};
    if (toolCalls.length > 0) return { text, finish: 'tools', toolCalls, ...used };
    return { text, finish: text.trim() === '' ? 'other' : 'stop', ...used };
  } catch (error) {
    throw signal.aborted ? new ThoughtTreeError('aborted', callStopped()) : toOurs(chat, error);
  } finally {
    signal.removeEventListener('abort', cancel);
    source.dispose();
  }
}

/** Counts with the model's own tokenizer; a model that cannot count leaves the call at its worst case. */
async function countUsage(
  chat: vscode.LanguageModelChat,
  messages: readonly vscode.LanguageModelChatMessage[],
  answer: string,
): Promise<Usage | undefined> {
  try {
    const counts = await Promise.all(messages.map((message) => chat.countTokens(message)));
    const completion = await chat.countTokens(answer);
    return {
      prompt: Math.ceil(counts.reduce((sum, count) => sum + count, 0)),
      cached: 0,
      completion: Math.ceil(completion),
    };
  } catch {
    return undefined;
  }
}

const REASONS: Readonly<Record<string, Reason>> = {
  NoPermissions: 'key-refused',
  NotFound: 'unknown-model',
  Blocked: 'refused',
};

/** Returns an error of the editor as one of ours; unnamed ones are distinguished by their cause as far as possible. */
function toOurs(chat: vscode.LanguageModelChat, error: unknown): ThoughtTreeError {
  if (!(error instanceof Error))
    return new ThoughtTreeError('server-error', foreign({ text: String(error) }), { cause: error });
  const { code } = error as Error & { code?: string };
  const reason =
    REASONS[code ?? ''] ?? (/quota|rate.?limit|too many/i.test(error.message) ? 'rate-limited' : 'server-error');
  const said = modelSaid({ model: chat.name, said: error.message.slice(0, 500) });
  // Consent, a model that is gone, a quota: refused before anything was answered.
  return new ThoughtTreeError(reason, said, {
    cause: error,
    charged: reason === 'server-error' || reason === 'refused',
  });
}

/**
 * A request as messages of the editor's API. It has no system role: the system text comes at the beginning of the first
 * message, always the same bytes.
 */
function editorMessages({ system, turns, prompt, toolResults }: ModelRequest): vscode.LanguageModelChatMessage[] {
  const last: Turn = { role: 'user', text: prompt, ...(toolResults ? { toolResults } : {}) };
  return [...turns, last].map((turn, index) =>
    messageOf(index === 0 ? { ...turn, text: `${system}\n\n${turn.text}` } : turn),
  );
}

function messageOf({ role, text, toolCalls, toolResults }: Turn): vscode.LanguageModelChatMessage {
  const { User, Assistant } = vscode.LanguageModelChatMessage;
  if (toolResults)
    return User(
      toolResults.map(
        ({ id, text: result }) =>
          new vscode.LanguageModelToolResultPart(id, [new vscode.LanguageModelTextPart(result)]),
      ),
    );
  if (!toolCalls) return role === 'user' ? User(text) : Assistant(text);
  const calls = toolCalls.map(({ id, name, input }) => new vscode.LanguageModelToolCallPart(id, name, Object(input)));
  return Assistant([...(text === '' ? [] : [new vscode.LanguageModelTextPart(text)]), ...calls]);
}

/** The tools that the model may use; empty if the request names none. */
function editorTools({ tools }: ModelRequest): Pick<vscode.LanguageModelChatRequestOptions, 'tools'> {
  if (!tools || tools.length === 0) return {};
  return {
    tools: tools.map(({ name, description, parameters }) => ({ name, description, inputSchema: { ...parameters } })),
  };
}
