import { filesForCopy, openToolbox } from './open-toolbox.ts';
import { toolsIn } from './writing/tools-in.ts';

/** The tools of models; a bundle of its own, loaded once a search has some. */
export const tools = { filesForCopy, openToolbox, toolsIn };
