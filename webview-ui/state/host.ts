import { type HostMessage, readHostMessage } from '../../src/protocol/host-message.ts';
import type { ViewMessage } from '../../src/protocol/view-message.ts';

/** What the page is shown in: VS Code, or a test. */
export interface PageHost {
  readonly post: (message: ViewMessage) => void;
  readonly listen: (onMessage: (message: HostMessage) => void) => void;
  readonly keep: (state: unknown) => void;
  /** What was kept before the page was made anew. */
  readonly kept: () => unknown;
}

interface EditorApi {
  postMessage(message: unknown): void;
  setState(state: unknown): void;
  getState(): unknown;
}

declare const acquireVsCodeApi: () => EditorApi;

/** The editor's side, which may be asked for once. */
export function editorHost(): PageHost {
  const editor = acquireVsCodeApi();
  return {
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
