import { message } from '../../core/messages/message.ts';

export const noState = message(
  'work.no-state',
  'Work is done in a folder of your own, apart from the workspace, and there is none: your home folder cannot be written. Set XDG_STATE_HOME to one that can.',
);
export const heldBySandbox = message(
  'work.held-by-sandbox',
  'They are held by {sandbox}: they can write in their own copy of the files only, and see neither your keys of models nor the hidden files of your home.',
);
export const heldByNothing = message(
  'work.held-by-nothing',
  'Nothing on this system can hold them: they run with your rights, and could read and change every file of yours. What they change in this folder is found afterwards and stops their part of the work. On Linux, installing bubblewrap holds them.',
);
export const withNetwork = message('work.with-network', 'They may use the network.');
export const withoutNetwork = message('work.without-network', 'They have no network.');
export const networkNotHeld = message('work.network-not-held', 'Nothing keeps them from using the network.');
export const acceptInterrupted = message(
  'work.accept-interrupted',
  'Accepting its work was interrupted, so your files may have a part of it. Accept again, or undo it (`accept --undo`).',
);
