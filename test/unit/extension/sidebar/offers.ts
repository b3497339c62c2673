import '../use-fake-vscode.ts';
import { KINDS } from '../../../../src/kinds/kinds.ts';

const { Offers } = await import('../../../../src/extension/actions/offers.ts');

/** What is offered with the kinds that ship. */
export const offers = new Offers(KINDS);
