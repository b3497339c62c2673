// Asks Claude Code something and waits: a process to be killed meanwhile.
import { ask, openClaudeModel } from './use-claude.ts';

await ask(await openClaudeModel('sonnet', String(process.argv[2])), 'codeword alpha');
