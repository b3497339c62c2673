import { message } from '../core/messages/message.ts';

// Files

export const noFolder = message('store.no-folder', 'There is no folder {folder}.');
export const cannotRead = message('store.cannot-read', 'Cannot read {file}: {why}');
export const cannotWrite = message('store.cannot-write', 'Cannot write {file}: {why}');
export const diskFull = message('store.disk-full', 'the disk is full. Free some space, then resume the search.');
export const readOnlyDisk = message(
  'store.read-only-disk',
  'the disk is mounted read-only. Make it writable, or use another folder.',
);
export const accessDenied = message(
  'store.access-denied',
  'access is denied ({code}). Check its permissions, and whether a program has it open.',
);
export const folderGone = message('store.folder-gone', 'its folder no longer exists.');
export const placeTaken = message('store.place-taken', 'something else is in its place ({code}). Move that away.');
export const pathTooLong = message(
  'store.path-too-long',
  'its path is too long for this system. Use a folder with a shorter path.',
);
export const symbolicLink = message('store.symbolic-link', 'it is a symbolic link, which is not followed.');
export const fileTooLong = message(
  'store.file-too-long',
  '{file} is longer than {bytes:number} bytes and is not read.',
);
export const pathOutside = message(
  'store.path-outside',
  "{path} leads out of the search's folder, or over a symbolic link; it is not followed.",
);

// Faults of the files

export const notJson = message('store.not-json', '{file}, line {line}: this is not valid JSON ({why}).');
export const nestedTooDeeply = message(
  'store.nested-too-deeply',
  '{file}: its lists and objects are nested too deeply.',
);
export const emptyFile = message('store.empty-file', 'it is empty');
export const wrongFields = message('store.wrong-fields', '{file}: {why}.');
export const nodeGone = message('store.node-gone', 'The folder of {path}, or its node.json, no longer exists.');
export const notANode = message('store.not-a-node', '{file}: this is not an object with the fields of a node.');
export const notAList = message('store.not-a-list', '{file}: this is not a list of children.');
export const entryLeftOut = message('store.entry-left-out', '{file}: an entry is left out: {why}.');
export const noSlug = message('store.no-slug', 'it has no slug');
export const unsafeName = message('store.unsafe-name', '{name} is not a safe name for a folder');
export const nameTwice = message('store.name-twice', '{name} is there twice');
export const tooManyChildren = message(
  'store.too-many-children',
  '{file}: only the first {most:number} children are read.',
);
export const tooDeep = message(
  'store.too-deep',
  '{path}: this is {most:number} levels deep, and nothing below it is read.',
);
export const nameLeftOut = message(
  'store.name-left-out',
  "{path}: the name of this folder cannot be a node's; it is left out.",
);
export const notANodeName = message('store.not-a-node-name', "{name} cannot be the name of a node's folder.");
export const pathTooDeep = message('store.path-too-deep', 'its path is more than {most:number} levels deep');
export const numbersGoDown = message(
  'store.numbers-go-down',
  '{file}: event {after:number} comes after event {before:number}. Its numbers go down, so its moments cannot be told apart.',
);
export const eventSkipped = message(
  'store.event-skipped',
  '{file}, line {line}: this is not an event; it is skipped ({why}).',
);
export const lineTooLong = message(
  'store.line-too-long',
  '{file}, line {line}: this is longer than {bytes:number} bytes; it is skipped.',
);
export const notAFile = message('store.not-a-file', '{file} is not a file. Move it away.');
export const notAFolder = message(
  'store.not-a-folder',
  '{file} is not a folder. Delete it; the search creates a new one.',
);

// The search

export const noSearch = message('store.no-search', 'There is no search in {folder}: it holds no {file}.');
export const treeAlone = message(
  'store.tree-alone',
  'There is a tree of topics in {folder}, but no {file}. To work on it as a search, start one in that folder with its question: thought-tree start "…" --dir {folder}',
);
export const newerVersion = message(
  'store.newer-version',
  'The search in {folder} was written by a newer program (version {version} of the files; this one reads up to {known}). Update this program to open it.',
);
export const wrongSearch = message('store.wrong-search', 'The search cannot be created: {why}');
export const searchRemains = message(
  'store.search-remains',
  '{folder} holds the journal or the conversations of another search in its folder .search. Remove that, or name another folder.',
);
export const searchExists = message(
  'store.search-exists',
  'There is a search in {folder} already. Resume it, or use another folder.',
);

// Who writes

export const held = message(
  'store.held',
  'This search is being written by {who} (last sign of life {seconds} s ago). Stop it there first; if it no longer runs, the search is free 30 s after its last sign of life.',
);
export const holderProcess = message('store.holder', 'process {pid} on {host}');
export const holderSince = message('store.holder-since', 'process {pid} on {host} since {since}');
export const holderUnknown = message('store.holder-unknown', 'another process');
export const foreignLease = message('store.foreign-lease', '{file} was not written by this program. Delete it.');
export const searchClosed = message('store.search-closed', 'This search was closed.');
export const takenOver = message(
  'store.taken-over',
  'Another process has taken this search over, so nothing more is written from here. Follow it there, or resume it.',
);

// Requests of other processes

export const requestTooLong = message('store.request-too-long', 'The request is too long, or not a plain file.');
export const requestUnknown = message('store.request-unknown', 'This version does not support the request.');
export const requestTooOld = message('store.request-too-old', 'The request is too old to be carried out.');
export const answerUnreadable = message('store.answer-unreadable', 'The answer of the search could not be read.');
export const takerEnded = message(
  'store.taker-ended',
  'The search took the request, but ended before it answered. Its nodes show whether it was carried out.',
);

// History

export const noSuchMoment = message(
  'store.no-such-moment',
  'Nothing is known as "{moment}" here. A moment is the number of an event, an age such as 2h, or a name; `log` lists them.',
);
export const noSuchEvent = message(
  'store.no-such-event',
  'There is no event {event:number}: the last one is {last:number}.',
);
export const notBegunThen = message('store.not-begun-then', 'There was nothing of this search {moment} ago.');
export const textNotKept = message(
  'store.text-not-kept',
  '{file}: nobody kept this text; it is from before history was kept, or it was forgotten.',
);
export const textTooLong = message('store.text-too-long', '{file}: this text was too long to be kept.');
export const forgetLonger = message('store.forget-longer', 'A text to forget has at least {least:number} characters.');
export const forgetNeeded = message(
  'store.forget-needed',
  'The journal could not be read without this text, so nothing was forgotten. Name a longer part of it.',
);
export const forgotten = message(
  'store.forgotten',
  'Forgotten: {texts:number} kept texts, and what was in {files:number} other files of .search.',
);
