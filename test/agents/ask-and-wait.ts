// Asks Claude Code something and waits: a process to be killed meanwhile.
import { openClaudeModel } from '../../src/models/agents/claude/claude-model.ts';
import { ask } from './use-claude.ts';

await ask(await openClaudeModel('sonnet', String(process.argv[2])), 'codeword alpha');
