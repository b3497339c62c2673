import { type HostMessage, readHostMessage } from '../../src/protocol/host-message.ts';
import type { ViewMessage } from '../../src/protocol/view-message.ts';

/** What contains the page: VS Code, or a test. */
export interface PageHost {
  /** Whether it can show the search as it was, and its calls in time. */
  readonly hasPast: boolean;
  readonly post: (message: ViewMessage) => void;
  readonly listen: (onMessage: (message: HostMessage) => void) => void;
  readonly keep: (state: unknown) => void;
  /** State kept from before the page was reloaded. */
  readonly kept: () => unknown;
}

interface EditorApi {
  postMessage(message: unknown): void;
  setState(state: unknown): void;
  getState(): unknown;
}

declare const acquireVsCodeApi: () => EditorApi;

/** Returns the editor's API, which can be acquired only once. */
export function editorHost(): PageHost {
  const editor = acquireVsCodeApi();
  return {
    hasPast: true,
    post: (message) => editor.postMessage(message),
    listen: (onMessage) =>
      window.addEventListener('message', ({ data }) => {
        const message = readHostMessage(data);
        if (message) onMessage(message);
      }),
    keep: (state) => editor.setState(state),
    kept: () => editor.getState(),
  };
}
