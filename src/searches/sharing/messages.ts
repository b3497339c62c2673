import { counted, message } from '../../core/messages/message.ts';

export const answer = message('sharing.answer', 'Answer');
export const noAnswer = message('sharing.no-answer', 'The search has no report yet.');
export const tree = message('sharing.tree', 'Tree');
export const findings = message('sharing.findings', 'Findings');
export const documents = message('sharing.documents', 'Documents');
export const cost = message('sharing.cost', 'What it cost');
export const calls = counted('sharing.calls', '{count:number} call', '{count:number} calls');
export const model = message('sharing.model', 'Model: {model}');
export const state = message('sharing.state', 'State: {state}');
export const contents = message('sharing.contents', 'Contents');
export const drawing = message('sharing.drawing', 'The tree, drawn');
export const fullSize = message('sharing.full-size', 'In its own size');
export const asList = message('sharing.as-list', 'The tree as a list');
export const above = message('sharing.above', 'Part of');
export const score = message('sharing.score', '{score} of 10');
export const best = message('sharing.best', 'best path');

// The state of a node, in a word or two

export const open = message('sharing.open', 'open');

// Things for which there was no room

export const moreBelow = message('sharing.more-below', '{count:number} more below it');
export const someNodes = message(
  'sharing.some-nodes',
  'There is room for {shown:number} of {all:number} nodes here: the best path, then those nearest to the question.',
);
export const someDocuments = message(
  'sharing.some-documents',
  'There is room for {shown:number} of {all:number} documents here: those on the best path, then those nearest to the question.',
);
export const someDrawn = message(
  'sharing.some-drawn',
  'The drawing shows {shown:number} of {all:number} nodes: the best path, then those nearest to the question.',
);
export const othersIn = message('sharing.others-in', 'The whole search is in the folder {folder}.');
export const openInEditor = message('sharing.open-in-editor', 'Open it in VS Code.');
export const documentCut = message('sharing.document-cut', 'This is only the beginning of the document {file}.');
export const reportCut = message('sharing.report-cut', 'This is only the beginning of the report.');
export const moreLines = counted(
  'sharing.more-lines',
  '*and {count:number} more line*',
  '*and {count:number} more lines*',
);
export const secretsLeftOut = counted(
  'sharing.secrets-left-out',
  '{count:number} text that looks like a password or a key was left out.',
  '{count:number} texts that look like passwords or keys were left out.',
);

// Two searches next to each other

export const comparison = message('sharing.comparison', '{a}, compared with {b}');
export const bestPath = message('sharing.best-path', 'Best path');
export const bestScore = message('sharing.best-score', 'Best score');
export const differences = message('sharing.differences', 'What differs');
export const none = message('sharing.none', 'Nothing.');
export const andMore = message('sharing.and-more', 'and {count:number} more');
export const question = message('sharing.question', 'Question');
export const kind = message('sharing.kind', 'Kind');
export const stateName = message('sharing.state-name', 'State');
export const modelName = message('sharing.model-name', 'Model');
export const progress = message('sharing.progress', 'Progress');
export const callsName = message('sharing.calls-name', 'Calls');
export const number = message('sharing.number', '{n:number}');
