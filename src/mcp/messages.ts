import { message } from '../core/messages/message.ts';

// Refusals, for models that have to tell their person what would help.

const ask = 'This client cannot ask its person for permission';
export const needsDelete = message(
  'mcp.needs-delete',
  `${ask}, and this removes something. The person may start this server with --allow-delete.`,
);
export const needsMoney = message(
  'mcp.needs-money',
  `${ask}, and this may cost money. The person may start this server with --allow-usd AMOUNT; workspace/quotes is free.`,
);
export const needsModel = message(
  'mcp.needs-model',
  `${ask}, and nobody chose {model}. The person may start this server with --model; workspace/quotes needs no permission.`,
);
export const needsPrice = message(
  'mcp.needs-price',
  `${ask}, and the price of {model} is unknown, so that --allow-usd cannot limit it. The person may add --price.`,
);
export const moneyGone = message(
  'mcp.money-gone',
  'The {allowed} of --allow-usd are spent, or set aside for searches under way. The person may start this server again with more.',
);
export const limitReached = message(
  'mcp.limit-reached',
  'Nothing is left to spend: the limit of this search is reached, or max_usd is 0. tree_act with "grow" raises its limit.',
);
export const runsElsewhere = message(
  'mcp.runs-elsewhere',
  `${ask}, and another program runs this search, so that --allow-usd cannot limit it. The person may do it there, or pause it there first.`,
);
export const needsCommands = message(
  'mcp.needs-commands',
  'The plan runs commands that the person has not agreed to. They may continue the search in a terminal, where they are asked, or start this server with --allow-commands.',
);
export const notAllowed = message('mcp.not-allowed', 'The person did not allow it. Nothing was done.');
export const cannotListen = message('mcp.cannot-listen', 'Nothing can be served on port {port}: {why}.');
export const modelOfEditor = message(
  'mcp.model-of-editor',
  'The models of the editor answer in its window only. Start or resume the search there, or name another model.',
);
export const fewerRounds = message(
  'mcp.fewer-rounds',
  'The search.json of this investigation asks for {rounds:number} rounds, this server for at least {least}. The person may start it with --min-rounds {rounds:number}.',
);
export const needsAgents = message(
  'mcp.needs-agents',
  'This server requires agents, the search.json of this investigation does not. The person may start it without --require-agents.',
);
export const atomNotOpen = message(
  'mcp.atom-not-open',
  '{atom} of {search} does not wait for somebody outside now. atom_next lists what does.',
);
