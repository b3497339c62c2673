import type { Message } from '../../core/messages/message.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import * as say from '../messages.ts';
import type { Command } from './run-command.ts';

const WORD = /\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))/gy;
const SHELL_SIGNS = /[|&;<>`$(){}]/;

/**
 * The words of a command that a person wrote on one line, with quotes around words that contain spaces.
 * @throws ThoughtTreeError `bad-input` if it is empty, has an unclosed quote, or needs a shell
 */
export function commandWords(line: string): Command {
  const words: string[] = [];
  const text = line.trim();
  WORD.lastIndex = 0;
  while (WORD.lastIndex < text.length) {
    const [, double, single, bare] = WORD.exec(text) ?? fail(say.openQuote({ text: JSON.stringify(text) }));
    if (bare !== undefined && SHELL_SIGNS.test(bare)) fail(say.forShell({ word: JSON.stringify(bare) }));
    words.push((double ?? single ?? bare) as string);
  }
  const [program, ...rest] = words;
  return program ? [program, ...rest] : fail(say.emptyCommand());
}

function fail(why: Message): never {
  throw new ThoughtTreeError('bad-input', say.notACommand({ why }));
}
