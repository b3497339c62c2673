import type { Kinds } from '../engine/kind/kinds.ts';
import { investigationFace } from '../kinds/investigation/face.ts';

/** The kinds that this server's tools are about. */
export const MCP_KINDS: Kinds = [
  {
    face: investigationFace,
    load: async () => (await import('../kinds/investigation/investigation.ts')).investigation,
  },
];
