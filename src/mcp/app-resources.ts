import { PANEL_APP } from './panel-app.ts';

/** A page that clients may show in the chat, next to what a tool answers. */
export interface AppResource {
  /** `ui://…` */
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
  /** For the client: what the page may load, and how it is framed. */
  readonly meta?: Readonly<Record<string, unknown>>;
  /** The tools whose answers it shows. */
  readonly tools: readonly string[];
  readonly read: () => Promise<string>;
}

/** The pages of this server. */
export const APP_RESOURCES: readonly AppResource[] = [PANEL_APP];
