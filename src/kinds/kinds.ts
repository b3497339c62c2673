import type { Kinds } from '../engine/kind.ts';
import { investigationDescriptor } from './investigation/descriptor.ts';
import { researchDescriptor } from './research/descriptor.ts';
import { thoughtsDescriptor } from './thoughts/descriptor.ts';
import { workGraphDescriptor } from './work-graph/descriptor.ts';

/** The built-in kinds; a main passes them to its host. */
export const KINDS: Kinds = [
  { descriptor: researchDescriptor, load: async () => (await import('./research/research.ts')).research },
  { descriptor: thoughtsDescriptor, load: async () => (await import('./thoughts/thoughts.ts')).thoughts },
  {
    descriptor: investigationDescriptor,
    load: async () => (await import('./investigation/investigation.ts')).investigation,
  },
  { descriptor: workGraphDescriptor, load: async () => (await import('./work-graph/work-graph.ts')).workGraph },
];
