// What the editor's models, chat and agents are told, as plain values: a part of the fake of the editor.

export class LanguageModelTextPart {
  readonly value: string;
  constructor(value: string) {
    this.value = value;
  }
}
export class LanguageModelToolCallPart {
  readonly callId: string;
  readonly name: string;
  readonly input: object;
  constructor(callId: string, name: string, input: object) {
    this.callId = callId;
    this.name = name;
    this.input = input;
  }
}
export const LanguageModelChatMessage = {
  User: (text: string) => ({ role: 'user', text }),
  Assistant: (text: string) => ({ role: 'assistant', text }),
};
export class McpStdioServerDefinition {
  readonly label: string;
  readonly command: string;
  readonly args: string[];
  env: Record<string, string>;
  readonly version: string | undefined;
  cwd: unknown;
  constructor(label: string, command: string, args: string[], environment = {}, version?: string) {
    this.label = label;
    this.command = command;
    this.args = args;
    this.env = environment;
    this.version = version;
  }
}
export class LanguageModelToolResult {
  readonly content: unknown[];
  constructor(content: unknown[]) {
    this.content = content;
  }
}
export class CancellationError extends Error {}
export class ChatResponseTurn {
  readonly result: { metadata?: Record<string, unknown> };
  constructor(result: { metadata?: Record<string, unknown> }) {
    this.result = result;
  }
}

export const ColorThemeKind = { Light: 1, Dark: 2, HighContrast: 3, HighContrastLight: 4 };
