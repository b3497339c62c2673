import { counted, message } from '../../core/messages/message.ts';

export const score = message('report.score', '**{score}** of 10');
/** The first words of a report: what was found, in a few sentences with links. */
export const inShort = message('report.in-short', '**In short:** {findings}');
export const moreBelow = counted('report.more-findings', '1 more is below.', '{count:number} more are below.');
export const andMore = message('report.and-more', 'and {more:number} more');

/** For a model that only looks for words, and found none of them. */
export const noSuchWords = message(
  'report.no-such-words',
  'Nothing was found. {model} is no language model: it looks for the words of the question as they are written, and no place in this folder has enough of them. Ask in the language and with the words of the files, or choose a language model.',
);

// Around a place that was found

export const hasWords = message('report.has-words', 'Has {words}.');
export const calledBy = message('report.called-by', 'Called by {names}.');
export const testedBy = message('report.tested-by', 'Tested by {names}.');
export const alsoIn = message('report.also-in', 'Also in {names}.');
export const lookingIn = message('report.looking-in', 'Looking in {folder} …');
export const inNoFile = message('report.in-no-file', 'In no file: {words}.');
export const onlyNearest = message('report.only-nearest', 'Nothing good enough was found. The nearest place:');
export const onlyNear = counted(
  'report.only-near',
  'The answer may well not be here: that is most of the question. The nearest place:',
  'The answer may well not be here: that is most of the question. The nearest places:',
);
export const nothingFound = message(
  'report.nothing-found',
  'Nothing was found. Ask with the words of the files, or name a symbol or a file as it is written there.',
);
export const searchedIn = counted(
  'report.searched-in',
  '1 file was searched; no model was asked.',
  '{count:number} files were searched; no model was asked.',
);

// Costs

export const cost = message('report.cost', 'What it cost');
export const tokens = message('report.tokens', 'Tokens: {all:number}: {sent}, {received:number} received');
export const tokensAtWorst = message(
  'report.tokens-at-worst',
  'Tokens: {all:number}: {sent}, {received:number} received, and {worst:number} for calls that were stopped or failed without a reported usage, counted at their worst case',
);
export const sent = message('report.sent', '{tokens:number} sent');
export const sentCached = message('report.sent-cached', '{tokens:number} sent ({share} % of them from a cache)');
export const free = message('report.free', 'Money: free');
export const money = message('report.money', 'Money: {usd:usd}');
export const moneyAtLeast = message('report.money-at-least', 'Money: at least {usd:usd}; not all prices are known');
export const moneyBooked = message(
  'report.money-booked',
  '{money}, and up to {booked:usd} for calls that were stopped or failed without a reported usage',
);
export const moneyUnknown = message('report.money-unknown', 'Money: price unknown');
export const time = message('report.time', 'Time: {time}');
export const seconds = message('report.seconds', '{seconds} s');
export const minutes = message('report.minutes', '{minutes} min {seconds} s');
export const hours = message('report.hours', '{hours} h {minutes} min');
export const models = counted('report.models', 'Model: {models}', 'Models: {models}');
export const interimReport = message(
  'report.interim',
  'Interim report: {progress}. The search is not finished. Resume it for the rest, or finish it for its report.',
);

// Why a model wrote no answer for it

export const noBudget = message('report.no-budget', 'the budget leaves no room for it');
export const noneGiven = message('report.none-given', 'the model gave none');
export const cutOff = message('report.cut-off', 'the model’s answer was cut off');
export const refused = message('report.refused', 'the model refused to write it');
export const farTooLong = message('report.far-too-long', 'the model’s answer was far too long');
export const callFailed = message('report.call-failed', 'the call failed ({why})');
