import { completable, type McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { TreeProgram } from './tree-program.ts';

const LONGEST = 20_000;

const DO_WORK = [
  'Do the pieces of work that wait in this folder, one at a time, until atom_next lists none:',
  '1. atom_next lists them; take the first with atom_take.',
  '2. Its answer has what is to be done, the checks that decide, what came about before it, and a folder. Work in that folder only, and do not commit.',
  '3. Run its checks there yourself. If they hold, hand it in with atom_done: a summary, and the paths of what came about. If it cannot be done, hand it in with success false, and say what you found.',
  '4. Our own checks decide. If they disagree, its evidence says what was seen: take it again and put it right, at most twice.',
].join('\n');

/** Adds the prompts that a person picks in a client. */
export function addPrompts(server: McpServer, program: TreeProgram, instructions: string, isReadOnly: boolean): void {
  if (!isReadOnly)
    server.registerPrompt(
      'investigate',
      {
        title: 'Investigate a question',
        description:
          'Leads an investigation in rounds: leads, a fresh agent for each, checks, and an end by its rules.',
        argsSchema: z.object({ question: z.string().min(1).max(LONGEST).describe('What to find out.') }),
      },
      ({ question }) =>
        asUser(
          `Investigate this question with tot_start and the other tot_ tools.\n\n${instructions}\n\nThe question: ${question}`,
        ),
    );
  if (!isReadOnly)
    server.registerPrompt(
      'do-work',
      {
        title: 'Do pieces of work',
        description: 'Does the pieces of work of goals that wait for somebody outside, one after the other.',
      },
      () => asUser(DO_WORK),
    );
  server.registerPrompt(
    'explain-node',
    {
      title: 'Explain a node',
      description: 'Explains what one node of a search found, from its document and its sources.',
      argsSchema: z.object({
        search: completable(z.string().max(300), async (typed) => startsWith(await program.searchNames(), typed)),
        node: completable(z.string().max(1000), async (typed, context) => {
          const paths = await program.documentPaths(context?.arguments?.['search'] ?? '', typed);
          return paths.flatMap((path) =>
            path.endsWith('/document.md') ? [path.slice(0, -'/document.md'.length)] : [],
          );
        }),
      }),
    },
    ({ search, node }) =>
      asUser(
        `Explain the node ${JSON.stringify(node)} of the search ${JSON.stringify(search)}. Read it with tree_read ("node"), and what it quotes in the files themselves. Say what it found, how well its quotations support that, what is uncertain, and which of its children to read next.`,
      ),
  );
}

function startsWith(names: readonly string[], typed: string): string[] {
  return names.filter((name) => name.startsWith(typed)).slice(0, 100);
}

function asUser(text: string) {
  return { messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }] };
}
