import { ThoughtTreeError } from '../../core/search/errors.ts';
import type { SteerAction } from '../../core/search/steer.ts';
import { limitsFrom, type SearchFlags } from '../options/options.ts';

/** Options that only some steering commands have. */
export interface SteerFlags extends SearchFlags {
  readonly now?: boolean;
  readonly yes?: boolean;
}

/** What is typed behind a command's name and the search's folder. */
interface SteeringArgument {
  /** As commander wants it: `<node>` or `[node]`. */
  readonly syntax: string;
  readonly about: string;
}

/** One command that steers a search. */
export interface SteeringAction {
  readonly name: SteerAction['action'];
  readonly about: string;
  readonly usage?: string;
  readonly args: readonly SteeringArgument[];
  /** Which further options it has. */
  readonly options?: 'now' | 'yes' | 'limits' | 'model';
  /** Whether a search that nobody runs has to be resumed for it to have an effect. */
  readonly waitsForResume?: true;
  /** @param find the slug path of a node that a person named */
  readonly action: (
    args: readonly string[],
    flags: SteerFlags,
    find: (named: string) => Promise<string>,
  ) => Promise<SteerAction>;
}

const NODE = 'slug path, path on disk or title';
const node: SteeringArgument = { syntax: '<node>', about: NODE };

/** The commands that steer a search, one a line of `--help`. */
export const STEERING_ACTIONS: readonly SteeringAction[] = [
  {
    name: 'pause',
    about: 'let the running search finish what is under way, then pause it',
    args: [],
    options: 'now',
    action: async (_args, { now }) => ({ action: 'pause', ...(now ? { now } : {}) }),
  },
  {
    name: 'finish',
    about: 'end a search where it is, with its report: at most one more call',
    args: [],
    options: 'model',
    action: async () => ({ action: 'finish' }),
  },
  {
    name: 'report',
    about: 'write report.md anew from what is there: at most one call',
    args: [],
    options: 'model',
    action: async () => ({ action: 'report' }),
  },
  {
    name: 'grow',
    about: 'let a search go further: size, depth, budget',
    args: [],
    options: 'limits',
    waitsForResume: true,
    action: async (_args, flags) => grow(flags),
  },
  {
    name: 'prune',
    about: 'take a branch out of a search; its files stay',
    args: [node],
    action: async ([named = ''], _flags, find) => ({ action: 'prune', node: await find(named) }),
  },
  {
    name: 'restore',
    about: 'take a pruned branch back',
    args: [node],
    waitsForResume: true,
    action: async ([named = ''], _flags, find) => ({ action: 'restore', node: await find(named) }),
  },
  {
    name: 'expand',
    about: 'work on this topic next, also past the size and the depth limit',
    args: [node],
    waitsForResume: true,
    action: async ([named = ''], _flags, find) => ({ action: 'expand', node: await find(named) }),
  },
  {
    name: 'retry',
    about: 'open a failed topic again, or all of them',
    args: [{ syntax: '[node]', about: NODE }],
    waitsForResume: true,
    action: async ([named], _flags, find) => ({
      action: 'retry',
      ...(named === undefined ? {} : { node: await find(named) }),
    }),
  },
  {
    name: 'redo',
    about: 'have a document written anew; the old one is set aside',
    args: [node],
    options: 'yes',
    waitsForResume: true,
    action: async ([named = ''], { yes }, find) => ({
      action: 'redo',
      node: await find(named),
      ...(yes ? { force: true } : {}),
    }),
  },
  {
    name: 'add',
    about: 'add a topic of your own',
    usage: 'DIR PARENT "TITLE" [options]',
    args: [
      { syntax: '<parent>', about: `${NODE}; . for the first level` },
      { syntax: '<title>', about: 'in quotation marks' },
    ],
    waitsForResume: true,
    action: async ([parent = '', title = ''], _flags, find) => {
      if (title.trim() === '') throw new ThoughtTreeError('bad-input', 'A topic needs a title.');
      return { action: 'add', node: await find(parent), title: title.slice(0, 1000) };
    },
  },
  {
    name: 'note',
    about: 'tell a search, or a branch, something that every later prompt there is to follow',
    usage: 'DIR [NODE] "TEXT" [options]',
    args: [
      { syntax: '<node-or-text>', about: `${NODE}; left out, the note is for the whole search` },
      { syntax: '[text]', about: 'in quotation marks' },
    ],
    action: async ([first = '', second], _flags, find) =>
      note(second ?? first, second === undefined ? '' : first, find),
  },
];

function grow(flags: SteerFlags): SteerAction {
  const { guards = {}, ...others } = limitsFrom(flags);
  if (Object.keys(guards).length + Object.keys(others).length === 0)
    throw new ThoughtTreeError('bad-input', 'Say how far: --size, --max-depth, --max-calls, --max-tokens, --max-usd.');
  return { action: 'grow', ...others, guards };
}

async function note(text: string, named: string, find: (named: string) => Promise<string>): Promise<SteerAction> {
  if (text.trim() === '') throw new ThoughtTreeError('bad-input', 'A note needs a text.');
  if (text.length > 20_000)
    throw new ThoughtTreeError('bad-input', 'A note has at most 20,000 characters; write it into notes.md instead.');
  return { action: 'note', node: await find(named), text };
}
