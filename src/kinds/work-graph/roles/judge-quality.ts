import type { CommitId, Workshop } from '../../../core/ports/workshop.ts';
import { digest } from '../../../core/text/digest.ts';
import type { SearchContext } from '../../../engine/search-context.ts';
import { matcherOf } from '../evidence/path-globs.ts';
import { unruled } from './ask-about-atom.ts';
import { checkVote } from './judge-answer.ts';
import { type JudgeData, judgePrompt } from './prompts.ts';
import { shortened } from './read-answer.ts';
import type { JudgeTask } from './roles.ts';

/** The number of times that it is judged: one judge alone is often wrong. */
const VOTES = 3;
const MAX_OUTPUT_TOKENS = 2000;
/** Characters of all files together, and of one. */
const MOST_QUOTED = 60_000;
const LONGEST_FILE = 20_000;
const MOST_NAMED = 50;

/** Votes about the quality of work. The same files are judged once, whatever commit they are in. */
export async function judgeQuality(
  ctx: SearchContext & { readonly workshop: Workshop },
  { node, item, quality, commit }: JudgeTask,
  signal: AbortSignal,
): Promise<readonly number[]> {
  const { rubric, scope } = quality;
  const prompt = judgePrompt({ item, rubric, ...(await judgedFiles(ctx.workshop, commit, scope)) });
  const weights = rubric.map(({ weight }) => weight);
  const id = `judge-${digest(prompt, JSON.stringify(weights))}`;
  let conversation = (await ctx.store.readConversation(id)) ?? { id, turns: [] };
  const votes: number[] = [];
  for (let nth = 0; nth < VOTES; nth++) {
    const answer = await ctx.asks.ask(
      {
        purpose: 'judge-quality',
        node,
        keep: { conversation, nth },
        // Each judges alone: none learns what the others said.
        words: () => ({
          prompt,
          data: unruled(ctx),
          maxOutputTokens: MAX_OUTPUT_TOKENS,
          workplace: { rights: 'read' as const },
        }),
        check: (text) => checkVote(text, weights),
      },
      signal,
    );
    votes.push(answer.value);
    conversation = answer.conversation;
  }
  return votes;
}

/** The files of the scope as they are in a commit; without a scope, what was changed since the beginning. */
async function judgedFiles(
  workshop: Workshop,
  commit: CommitId,
  scope: string | undefined,
): Promise<Pick<JudgeData, 'files' | 'left'>> {
  const paths = await pathsIn(workshop, commit, scope);
  const files: { path: string; text: string }[] = [];
  const left: string[] = [];
  let room = MOST_QUOTED;
  for (const path of paths) {
    const text = room > 0 ? await workshop.fileAt(commit, path) : undefined;
    if (text === undefined) {
      if (left.length < MOST_NAMED) left.push(path);
      continue;
    }
    const shown = shortened(text, Math.min(LONGEST_FILE, room));
    room -= shown.length;
    files.push({ path, text: shown });
  }
  return { files, left };
}

async function pathsIn(workshop: Workshop, commit: CommitId, scope: string | undefined): Promise<readonly string[]> {
  if (scope !== undefined) return (await workshop.pathsAt(commit)).filter(matcherOf([scope])).sort();
  const start = await workshop.start();
  const { files } = start === undefined ? { files: [] } : await workshop.diff(start, commit);
  return files.filter(({ change }) => change !== 'deleted').map(({ path }) => path);
}
