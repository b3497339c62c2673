import { counted, message } from '../core/messages/message.ts';

export const notWithThisSearch = message('editor.not-with-this-search', 'This cannot be done with this search.');
export const inSearch = message('editor.in-search', '"{title}": {said}');
export const notPainted = message(
  'editor.not-painted',
  'The tab of the drawing has to stay open while its picture is made. Try again, or save it as SVG.',
);
export const restricted = message('editor.restricted', 'Models cannot be used in restricted mode.');
export const noReportRestricted = message(
  'editor.no-report-restricted',
  'There is no report yet, and none is written in restricted mode. Trust this folder to get one.',
);
export const findingsCite = counted(
  'editor.findings-cite',
  '1 finding cites this',
  '{count:number} findings cite this',
);
export const staleAmong = message('editor.stale-among', '{stale:number} stale');
export const notJson = message(
  'editor.not-json',
  '{file} is not JSON of the form that servers are listed in, so it stays as it is. The configuration is in the clipboard.',
);
export const linkUnreadable = message(
  'editor.link-unreadable',
  'This link names no search in a form that is known here.',
);
export const noSearchForLink = message(
  'editor.no-search-for-link',
  'The search of this link, {search}, is in none of the folders of this window. Open the folder that has it, then the link again.',
);
export const noLongerThere = message('editor.no-longer-there', '{path} is no longer there.');
export const runningAlready = message('editor.running-already', 'This search is already running.');
export const runElsewhere = message('editor.run-elsewhere', 'Another process continues this search. Stop it first.');
export const notAnAddress = message('editor.not-an-address', '"{address}" is not the address of a server.');
export const modelNotUsed = message('editor.model-not-used', 'The model {model} was not used.');
export const callStopped = message('editor.call-stopped', 'The call was stopped.');
export const noEditorModel = message(
  'editor.no-model',
  'The editor has no model "{model}". Choose one with Select Model.',
);
export const modelSaid = message('editor.model-said', '{model}: {said}');
export const notBegun = message('editor.not-begun', 'The search was not begun.');
export const planOpen = message('editor.plan-open', '{file} is open for editing. Start the search when you are ready.');
export const windowClosed = message('editor.window-closed', 'The window that ran it was closed.');
export const resumeBegins = message('editor.resume-begins', 'The search has not begun. Start it when you are ready.');
export const folderNeeded = message('editor.folder-needed', 'Open a folder to search in it.');
export const questionNeeded = message('editor.question-needed', 'Ask a question.');
export const noTextThere = message('editor.no-text-there', 'There is no text in {path} to ask about.');
export const leftOutAsSecret = message(
  'editor.left-out-as-secret',
  'Models are not shown {path}: files of its name often hold secrets. The setting thoughtTree.allowedFiles can allow it.',
);
export const notInAFolder = message('editor.not-in-a-folder', 'Open the folder that it is in, to ask about it.');
export const inSeveralFolders = message(
  'editor.in-several-folders',
  'A question is about one folder of the workspace. Choose files of one of them.',
);
export const noSuchKind = message('editor.no-such-kind', 'There are no searches of kind "{kind}".');
export const modelNeeded = message('editor.model-needed', 'Choose a model with Select Model.');
export const noLongerOffered = message('editor.no-longer-offered', 'Somebody else does this, or it is done already.');
export const notAPlan = message(
  'editor.not-a-plan',
  '{file} is no plan: a text of at most 4 MB that says `goal:`, and the work below `atoms:`.',
);
export const notAgreedYet = message('editor.not-agreed-yet', 'Nobody agreed to run the command yet.');
export const checkNeeded = message(
  'editor.check-needed',
  'This task needs a command that decides. Name it in the setting thoughtTree.checkCommand.',
);
export const folderGone = message('editor.folder-gone', 'Its folder was deleted or moved, so it has stopped.');
export const onlyLooking = message('editor.only-looking', 'In restricted mode, searches can be viewed but not run.');
export const leadsElsewhere = message(
  'editor.leads-elsewhere',
  'Nothing was written: the folder {path} leads to another place.',
);
export const notAllowed = message('editor.not-allowed', 'Nobody allowed it.');
export const noSearchYet = message(
  'editor.no-search-yet',
  'There is no search in this folder yet. Start Tree Search begins one.',
);
export const proseNeeded = message(
  'editor.prose-needed',
  'This takes a model that writes text of its own. Choose one with Select Model.',
);

// A fleet

export const queueNotUsed = message(
  'editor.queue-not-used',
  'Nothing was begun. {why} The address of the queue is the setting thoughtTree.queue: correct it, start its database, or leave it empty to make the calls from here.',
);
export const passwordInSetting = message(
  'editor.password-in-setting',
  'The setting thoughtTree.queue has a password in it, which others can read. Remove it there, leaving {address}: you are asked for it once.',
);
export const fleetNeedsState = message(
  'editor.fleet-needs-state',
  'A fleet needs a folder of your own for its key, and there is none. Set XDG_STATE_HOME to one that only you can write.',
);
