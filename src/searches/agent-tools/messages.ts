import { counted, message } from '../../core/messages/message.ts';

export const noSuchSearch = message(
  'agent-tools.no-such-search',
  'There is no search "{name}" here. tree_list names those that are.',
);
export const noFolderOpen = message('agent-tools.no-folder', 'No folder is open that could be searched.');
export const noSuchOption = message(
  'agent-tools.no-such-option',
  'Searches of kind "{kind}" have no option "{name}". Theirs: {known}.',
);
export const needsPlan = message(
  'agent-tools.needs-plan',
  'A search of kind "{kind}" begins with a plan: give it as "plan", or name a language model that makes one.',
);
export const takesNoPlan = message('agent-tools.takes-no-plan', 'Searches of kind "{kind}" take no plan.');
export const noSuchDocument = message('agent-tools.no-such-document', 'There is no document {document}.');
export const notOffered = message(
  'agent-tools.not-offered',
  '"{action}" cannot be done now. What can be done: {actions}.',
);
export const nothing = message('agent-tools.nothing', 'nothing');
export const noReportYet = message(
  'agent-tools.no-report-yet',
  'This search has no report yet: it gets one when it is finished. tree_read with "outline" shows what there is.',
);
export const noCallsYet = message('agent-tools.no-calls-yet', 'No call was made for it.');
export const noSuchCall = message('agent-tools.no-such-call', 'There is no call {number}: there are {count}.');
export const wrongArguments = message('agent-tools.wrong-arguments', 'These arguments do not fit {tool}: {why}');
export const runsAlready = message('agent-tools.runs-already', 'This search is running already.');
export const tooMany = message(
  'agent-tools.too-many',
  'This program runs {count:number} searches already. Wait until one of them has ended.',
);
export const stopped = message('agent-tools.stopped', 'The call was cancelled.');
export const stoppedAndPaused = message(
  'agent-tools.stopped-and-paused',
  'The call was cancelled, and the search is paused. Nothing is lost: tree_act with "resume" continues it.',
);

// A question about what a search found

export const askToAnswer = message('agent-tools.ask-to-answer', 'Ask {model} to answer from what was found?');
export const callWith = counted(
  'agent-tools.call-with',
  'One call, with 1 document of the search.',
  'One call, with {count:number} documents of the search.',
);
export const callCosts = message('agent-tools.call-costs', 'It costs at most {usd:usd}.');
export const callUnpriced = message('agent-tools.call-unpriced', 'Its price is unknown.');
