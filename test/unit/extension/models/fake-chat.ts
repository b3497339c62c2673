import { type FakeChat, LanguageModelTextPart } from '../fake-vscode.ts';

/** What a fake model was sent. */
interface Sent {
  readonly messages: unknown[];
  readonly token: { isCancellationRequested: boolean };
}
export const sent: Sent[] = [];

/** A model that says pieces, or throws; `hang` waits to be cancelled. */
export function chatOf(pieces: readonly string[] | Error | 'hang'): FakeChat {
  return {
    id: 'any',
    name: 'Any',
    vendor: 'test',
    countTokens: async (text) => (typeof text === 'string' ? text.length : (text as { text: string }).text.length),
    sendRequest: async (messages, _options, token) => {
      sent.push({ messages, token } as Sent);
      if (pieces instanceof Error) throw pieces;
      const { onCancellationRequested } = token as { onCancellationRequested: (cancel: () => void) => void };
      async function* stream(): AsyncGenerator<unknown> {
        if (pieces === 'hang')
          await new Promise((_, reject) => onCancellationRequested(() => reject(new Error('Canceled'))));
        else if (Array.isArray(pieces)) yield* pieces.map((piece) => new LanguageModelTextPart(piece));
      }
      return { stream: stream() };
    },
  };
}
