/** What the host of the page answers, or tells by itself. */
type Json = Readonly<Record<string, unknown>>;

/** How long an answer is waited for, in milliseconds; a person may be asked meanwhile. */
const PATIENCE_MS = 300_000;

/** JSON-RPC with the chat that contains the page, by messages between windows. Only the window that contains it is heard. */
export class ChatRpc {
  readonly #chat: Window;
  readonly #waiting = new Map<number, { done(result: Json): void; fail(error: Error): void }>();
  #last = 0;

  /**
   * @param onTold called for each notification
   * @param onAsked called for each request; its result is the answer
   */
  constructor(chat: Window, onTold: (method: string, params: Json) => void, onAsked: (method: string) => Json) {
    this.#chat = chat;
    window.addEventListener('message', ({ source, data }) => {
      if (source !== chat || !isRecord(data) || data['jsonrpc'] !== '2.0') return;
      const { id, method, params, result, error } = data;
      if (typeof method === 'string') {
        if (id === undefined) onTold(method, isRecord(params) ? params : {});
        else this.#send({ id, result: onAsked(method) });
      } else if (typeof id === 'number') this.#settle(id, result, error);
    });
  }

  /** @throws Error with what the host says is wrong */
  ask(method: string, params: Json): Promise<Json> {
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      const tooLate = setTimeout(() => this.#settle(id, undefined, { message: 'No answer.' }), PATIENCE_MS);
      this.#waiting.set(id, {
        done: (result) => {
          clearTimeout(tooLate);
          resolve(result);
        },
        fail: (error) => {
          clearTimeout(tooLate);
          reject(error);
        },
      });
      this.#send({ id, method, params });
    });
  }

  tell(method: string, params: Json): void {
    this.#send({ method, params });
  }

  #send(message: Json): void {
    // The chat's own origin is not known here; nothing that is said is a secret of anybody else's.
    this.#chat.postMessage({ jsonrpc: '2.0', ...message }, '*');
  }

  #settle(id: number, result: unknown, error: unknown): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (isRecord(error)) waiting?.fail(new Error(String(error['message'] ?? 'It was refused.')));
    else waiting?.done(isRecord(result) ? result : {});
  }
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
