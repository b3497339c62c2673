import { message } from '../core/messages/message.ts';

export const sayWithYes = message('cli.say-with-yes', '{question} Say so with --yes.');
export const leftAsItIs = message('cli.left-as-it-is', 'It is left as it is.');
export const notContinued = message('cli.not-continued', 'It was stopped before, and was not continued.');
