import { counted, message } from '../core/messages/message.ts';

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

// What the agent of an editor says to its person.

export const acpHelp = message(
  'mcp.acp-help',
  'Ask a question, and a search over this folder looks for an answer: its first level is the plan, and its report comes last. Then ask about what it found, or write /status, /report, /resume or /act.',
);
export const acpStatus = message('mcp.acp-status', 'how the search is, and what it has spent');
export const acpReport = message('mcp.acp-report', 'the report of the search');
export const acpResume = message('mcp.acp-resume', 'continues the search');
export const acpAct = message(
  'mcp.acp-act',
  'does something with the search or a node; alone, it says what can be done',
);
export const acpActs = message(
  'mcp.acp-acts',
  'an action, then the path or title of a node, or what the action needs: a text, or JSON',
);
export const acpNew = message('mcp.acp-new', 'begins another search');
export const acpQuestion = message('mcp.acp-question', 'a question');
export const acpHelps = message('mcp.acp-helps', 'says what can be asked here');
export const acpBusy = message('mcp.acp-busy', 'The last prompt is still being answered. Cancel it first.');
export const acpLinked = message(
  'mcp.acp-linked',
  '{folder} is a link to another folder, and may have come with the files next to it. Put a folder in its place.',
);
export const acpPaused = message('mcp.acp-paused', 'The search is paused. /resume continues it.');
export const acpAllow = message('mcp.acp-allow', 'Allow it');
export const acpRefuse = message('mcp.acp-refuse', 'Refuse');
export const acpCalls = counted('mcp.acp-calls', '1 call', '{count:number} calls');
export const acpOutcome = message('mcp.acp-outcome', '{title}: {state}; {progress}, {calls}, {usd:usd}.');
export const acpNothingFound = message('mcp.acp-nothing-found', 'No document of this search says anything about that.');
export const acpFrom = message('mcp.acp-from', 'From these documents:');
export const acpFound = message(
  'mcp.acp-found',
  'These documents have its words. No model is chosen that could answer from them: start this with --model.',
);
