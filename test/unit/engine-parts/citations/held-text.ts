import type { QuotationRequest, WorkspaceQuotation, WorkspaceText } from '../../../../src/core/ports/workspace-text.ts';

/** The text of a workspace that is held in memory, for tests. */
export interface HeldText extends WorkspaceText {
  readonly files: Record<string, string>;
  /** The files as they were when the workspace was searched. */
  searched: Record<string, string>;
  readonly requests: QuotationRequest[];
}

/** @param find what is found for a request; by default nothing */
export function heldText(
  files: Record<string, string>,
  find: (
    request: QuotationRequest,
  ) => readonly WorkspaceQuotation[] | Promise<readonly WorkspaceQuotation[]> = () => [],
): HeldText {
  const held = { ...files };
  const requests: QuotationRequest[] = [];
  return {
    files: held,
    searched: {},
    requests,
    async find(request) {
      requests.push(request);
      return find(request);
    },
    overview: () => Promise.resolve(''),
    async read(path) {
      const text = held[path];
      return text === undefined ? { unreadable: 'missing' } : { text };
    },
    async named(name) {
      return Object.keys(held).filter((path) => path.split('/').at(-1) === name);
    },
    async asSearched(path) {
      return this.searched[path];
    },
    close: () => Promise.resolve(),
  };
}
