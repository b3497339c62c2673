import { counted, message } from '../../core/messages/message.ts';

export const solutions = message('investigation.solutions', 'What was found');
export const noAnswer = message('investigation.no-answer', 'No answer was found.');
export const noAnswerYet = message('investigation.no-answer-yet', 'No answer was found yet.');
export const noAnswerInWords = message(
  'investigation.no-answer-in-words',
  'No answer was found. {model} is no language model: it looks for words as they are written, and nothing in the files of this folder fits the question. Ask in the language and with the words of the files, or choose a language model.',
);
export const notEnded = message('investigation.not-ended', 'The investigation is not at its end: it {why}.');
export const theories = message('investigation.theories', 'Theories');
export const refuted = message('investigation.refuted', 'Refuted by a check');
export const deadEnds = message('investigation.dead-ends', 'Dead ends');
export const open = message('investigation.open', 'Still open');

// The report of an investigation that the engine leads

export const confirmed = message('investigation.confirmed', 'Confirmed');
export const inPart = message('investigation.in-part', 'Holds in part');
export const refutedClaims = message('investigation.refuted-claims', 'Refuted');
export const contradicted = message('investigation.contradicted', 'Contradicting each other');
export const unchecked = message('investigation.unchecked', 'Not checked');
export const quoted = message('investigation.quoted', 'Quoted');
export const leads = message('investigation.leads', 'What was looked into');
export const instead = message('investigation.instead', 'Instead: {text}');
export const only = message('investigation.only', 'But: {text}');
export const cannotSee = message('investigation.cannot-see', 'It could not be checked: {text}');
export const answerSoFar = message(
  'investigation.answer-so-far',
  'The answer as the last plan had it; what is below says what of it was checked.',
);
export const findingsOnly = message(
  'investigation.findings-only',
  'Made of the findings themselves: there is no verdict in sentences, since {why}.',
);
export const onlyQuoted = message(
  'investigation.only-quoted',
  'No language model was asked. These lines were found by the words of the question; nobody checked what they mean.',
);
export const leadWord = message('investigation.lead-word', 'lead');
export const checkWord = message('investigation.check-word', 'check');
export const countConfirmed = counted(
  'investigation.count-confirmed',
  '1 finding confirmed',
  '{count:number} findings confirmed',
);
export const countInPart = counted(
  'investigation.count-in-part',
  '1 finding confirmed in part',
  '{count:number} findings confirmed in part',
);
export const countRefuted = counted(
  'investigation.count-refuted',
  '1 finding refuted',
  '{count:number} findings refuted',
);
export const countUnchecked = counted(
  'investigation.count-unchecked',
  '1 finding not checked',
  '{count:number} findings not checked',
);
export const countNowhere = counted(
  'investigation.count-nowhere',
  '1 lead led nowhere',
  '{count:number} leads led nowhere',
);
export const outcomeSettled = message('investigation.outcome-settled', 'settled');
export const outcomeOpen = message('investigation.outcome-open', 'open');
export const outcomeNothing = message('investigation.outcome-nothing', 'leads nowhere');
export const outcomeQuoted = message('investigation.outcome-quoted', 'quoted');
export const outcomeNotQuoted = message('investigation.outcome-not-quoted', 'nothing about the question');
export const outcomeConfirmed = message('investigation.outcome-confirmed', 'confirmed');
export const outcomeInPart = message('investigation.outcome-in-part', 'holds in part');
export const outcomeRefuted = message('investigation.outcome-refuted', 'refuted');
export const outcomeNotChecked = message('investigation.outcome-not-checked', 'could not be checked');
export const notLookedInto = message('investigation.not-looked-into', 'open');
export const failedLead = message('investigation.failed-lead', 'failed');
export const prunedLead = message('investigation.pruned-lead', 'taken out');

export const sources = message('investigation.sources', 'References');
export const receipts = message(
  'investigation.receipts',
  'How they came about: {engine:number} by the engine, {agent:number} by agents whose session files were found, {unverified:number} unverified.',
);
export const rounds = counted(
  'investigation.rounds',
  '1 round, {nodes:number} nodes.',
  '{count:number} rounds, {nodes:number} nodes.',
);
export const wrongFile = message(
  'investigation.wrong-file',
  'This is not an investigation as older servers keep it: {why}.',
);
export const tooManyNodes = message(
  'investigation.too-many-nodes',
  'it has {nodes:number} nodes, more than {most:number}',
);
export const wrongId = message('investigation.wrong-id', 'the id of the node {node} is not one of the protocol');
export const noParent = message('investigation.no-parent', 'the parent {parent} of {node} is not committed');
export const twice = message('investigation.twice', '{node} is both proposed and committed');
export const tooDeep = message('investigation.too-deep', 'it is deeper than {most:number}');
export const inCircle = message('investigation.in-circle', 'some of its nodes are below themselves');

// Faults of a model's answer, in words for the model.
export const noResult = message(
  'investigation.no-result',
  'The front matter needs a "result", which is "settled", "open" or "nothing", and the "findings".',
);
export const noVerdicts = message(
  'investigation.no-verdicts',
  'The front matter needs "findings" with one entry for each claim: its number as "claim", and its "verdict", which is "confirmed", "refuted", "in part" or "not checked".',
);
export const wrongLeads = message('investigation.wrong-leads', 'The leads are not in the form asked for: {why}');
export const tooFewLeads = message(
  'investigation.too-few-leads',
  'The number of new leads in it is {count:number}; give {least:number} to {most:number}.',
);

export const lookingInto = message('investigation.looking-into', 'Looking into {id}: {title}');
export const checking = message('investigation.checking', 'Checking {id}: {title}');
export const planning = message('investigation.planning', 'Planning round {round:number}');
export const enough = message('investigation.enough', 'Enough is known: no further leads are planned.');
export const firstLead = message('investigation.first-lead', 'Look at the question as a whole: what there is to it.');
// Progress of an investigation that an agent leads

export const ledByAgent = message('investigation.led-by-agent', 'led by an agent · {rounds} · {needs}');
export const ledRound = message('investigation.led-round', 'round {round:number}');
export const ledRoundOf = message('investigation.led-round-of', 'round {round:number} of {least:number}');
export const needsFindings = message('investigation.needs-findings', 'needs the findings of {id}');
export const needsMoreFindings = counted(
  'investigation.needs-more-findings',
  'needs the findings of 1 lead',
  'needs the findings of {count:number} leads',
);
export const needsFirst = message('investigation.needs-first', 'needs its first lead');
export const needsOneLead = message('investigation.needs-one-lead', 'needs one lead below {id}');
export const needsTwoLeads = message('investigation.needs-two-leads', 'needs two leads below {id}');
export const needsCheck = message('investigation.needs-check', 'needs a check of {id}');
export const needsRound = message('investigation.needs-round', 'needs leads of round {round:number}');
export const needsDeadEnds = message('investigation.needs-dead-ends', 'needs its open branches to end');
export const mayEnd = message('investigation.may-end', 'may end now');
export const agentsProfile = message(
  'investigation.agents-profile',
  'The rules of older servers are for agents; an investigation of our own has the profile strict.',
);
export const agentsOnly = message(
  'investigation.agents-only',
  'Agents can be required only where agents lead: through the MCP server.',
);
