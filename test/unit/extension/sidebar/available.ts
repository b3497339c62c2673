import '../use-fake-vscode.ts';
import { KINDS } from '../../../../src/kinds/kinds.ts';

const { AvailableActions } = await import('../../../../src/extension/actions/available-actions.ts');

/** What is offered with the kinds that ship. */
export const available = new AvailableActions(KINDS);
