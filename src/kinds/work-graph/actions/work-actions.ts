import type { Actions } from '../../../engine/actions/action.ts';
import { acceptActions } from '../accept/accept-actions.ts';
import type { WorkSearch } from '../run/work-search.ts';
import { assertWith } from './assert.ts';
import { acceptProposalWith, addAlternativeWith, checkAgainWith, doMyselfWith, goOnWith, retryWith } from './decide.ts';
import { redirectWith } from './redirect.ts';

export function workActions(search: WorkSearch): Actions {
  return {
    ...acceptActions,
    assert: assertWith(search),
    'check-again': checkAgainWith(search),
    'do-myself': doMyselfWith(search),
    'accept-proposal': acceptProposalWith(search),
    'add-alternative': addAlternativeWith(search),
    redirect: redirectWith(search),
    'go-on': goOnWith(search),
    retry: retryWith(search),
  } as Actions;
}
