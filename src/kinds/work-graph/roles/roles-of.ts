import type { Model } from '../../../core/ports/model.ts';
import type { SearchContext } from '../../../engine/search-context.ts';
import type { WorkGraphPurpose } from '../purposes.ts';
import { decomposeAtom } from './decompose-atom.ts';
import { judgeQuality } from './judge-quality.ts';
import { makePlan } from './make-plan.ts';
import { probe } from './probe.ts';
import type { Roles } from './roles.ts';
import { workByModel } from './work-by-model.ts';

/**
 * Returns what the models of a search can do. One that writes no text can do nothing, so that a graph of commands runs
 * without any; one that can handle no files does no work.
 */
export function rolesOf(ctx: SearchContext): Roles {
  const { workshop } = ctx;
  const writes = (purpose: WorkGraphPurpose): boolean => ctx.modelFor(purpose).prose !== false;
  const inPlace = workshop && { ...ctx, workshop };
  return {
    ...(writes('plan') && { makePlan: (signal, earlier) => makePlan(ctx, signal, earlier) }),
    ...(writes('decompose') && { decompose: (task, signal) => decomposeAtom(ctx, task, signal) }),
    ...(inPlace && handlesFiles(ctx, 'probe') && { probe: (task, at, signal) => probe(ctx, task, at, signal) }),
    ...(inPlace &&
      handlesFiles(ctx, 'work-on') && {
        work: (task, at, commands, signal) => workByModel(inPlace, task, at, commands, signal),
      }),
    ...(inPlace && writes('judge-quality') && { judge: (task, signal) => judgeQuality(inPlace, task, signal) }),
  };
}

function handlesFiles({ modelFor, toolsIn }: SearchContext, purpose: WorkGraphPurpose): boolean {
  const { prose, worksByItself, tools }: Model = modelFor(purpose);
  return prose !== false && (worksByItself === true || (tools === true && toolsIn !== undefined));
}
