import type { Kinds } from '../engine/kind/kinds.ts';
import { investigationFace } from './investigation/face.ts';
import { researchFace } from './research/face.ts';
import { thoughtsFace } from './thoughts/face.ts';
import { workGraphFace } from './work-graph/face.ts';

/** The built-in kinds; a main passes them to its host. */
export const KINDS: Kinds = [
  { face: researchFace, load: async () => (await import('./research/research.ts')).research },
  { face: thoughtsFace, load: async () => (await import('./thoughts/thoughts.ts')).thoughts },
  {
    face: investigationFace,
    load: async () => (await import('./investigation/investigation.ts')).investigation,
  },
  { face: workGraphFace, load: async () => (await import('./work-graph/work-graph.ts')).workGraph },
];
