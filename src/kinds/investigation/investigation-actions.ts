import type { ActionFaces } from '../../core/actions/action-face.ts';

/** Agents make these calls; people have no use for them. */
const BY_NAME = { on: 'search', when: () => false, isForClients: true } as const;

/** The calls of the protocol, as actions on an investigation. */
export const INVESTIGATION_ACTIONS = {
  propose: {
    ...BY_NAME,
    name: 'propose',
    title: 'Propose leads…',
    help: 'propose the next nodes: all of them, or none',
    args: [
      { name: 'nodes', type: 'json', required: true, help: 'a list of {"id", "parent", "title", "plannedAction"}' },
    ],
  },
  commit: {
    ...BY_NAME,
    name: 'commit',
    title: 'Commit findings…',
    help: 'commit what was found: all of it, or nothing',
    args: [{ name: 'results', type: 'json', required: true, help: 'a list of {"nodeId", "state", "findings"}' }],
  },
  reclassify: {
    ...BY_NAME,
    name: 'reclassify',
    title: 'Reclassify lead…',
    help: 'give a node another state',
    args: [
      { name: 'id', type: 'text', required: true, help: 'the id of the node, such as R2.A1', most: 100 },
      { name: 'state', type: 'text', required: true, help: 'its new state', most: 20 },
    ],
  },
  conclude: {
    ...BY_NAME,
    name: 'conclude',
    title: 'Conclude investigation',
    help: 'end it with its report, if the rules allow it',
    args: [],
  },
} as const satisfies ActionFaces;
