import * as vscode from 'vscode';
import type { ModelRequest, Turn } from '../../core/ports/model.ts';

/**
 * A request as messages of the editor's API. It has no system role: the system text comes at the beginning of the first
 * message, always the same bytes.
 */
export function editorMessages({
  system,
  turns,
  prompt,
  toolResults,
}: ModelRequest): vscode.LanguageModelChatMessage[] {
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
export function editorTools({ tools }: ModelRequest): Pick<vscode.LanguageModelChatRequestOptions, 'tools'> {
  if (!tools || tools.length === 0) return {};
  return {
    tools: tools.map(({ name, description, parameters }) => ({ name, description, inputSchema: { ...parameters } })),
  };
}
