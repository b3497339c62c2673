// Checks the subjects of commits: `area: do this`, in the imperative, at most 72 characters (CONTRIBUTING.md, "Commit style").
//   node scripts/commits.mjs                  fails for commits since the rule began
//   node scripts/commits.mjs --message FILE   fails for the message in a file: what the hook `commit-msg` calls
// Plain JavaScript for any Node >= 20: it runs in a hook, whatever is installed.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
/** The last commit before the rule, and the second after it: a shallow clone does not have the commit. */
const BASE = '58ee311b13cb0669194ab4f50ef999638fd32f77';
const SINCE = '2026-11-28T13:23:08Z';
const HOOKS = 'scripts/hooks';

const LONGEST = 72;
/** What git words itself. */
const BY_GIT = /^(?:Merge (?:branch|branches|commit|commits|remote-tracking branch|tag|pull request)|Revert|Reapply) /;
/** What `git rebase --autosquash` makes go away. */
const FOR_A_REBASE = /^(?:fixup|squash|amend)! /;
const SHAPE = /^[a-z][a-z0-9./-]*(?:, [a-z][a-z0-9./-]*)*: ([a-z][a-z-]*)(?: |$)/;
/** First words that begin a noun or a clause. */
const NOUNS =
  /^(?:an?|the|all|both|each|every|it|its|more|new|no|some|that|these|this|those|what|when|where|whether|which|who|why|how)$/;
/** Common verbs in another form: adds, added, adding. */
const VERBS =
  'add|allow|ask|avoid|build|call|chang|check|clean|count|creat|delet|document|drop|dropp|end|fail|fix|handl|implement|improv|keep|land|let|list|load|' +
  'look|mak|mend|merg|mov|nam|open|pars|print|read|refactor|refus|remov|renam|replac|report|return|run|runn|sav|say|send|set|show|simplif|skip|skipp|' +
  'split|stop|stopp|support|tak|tell|test|tighten|tun|updat|us|wait|want|work|writ';
const ENDINGS = new RegExp(`^(?:${VERBS})(?:s|es|ies|d|ed|ied|ing|ying)$`);

/** Returns what is wrong with a subject, in words, or undefined. */
function wrongWith(subject) {
  const length = [...subject].length;
  if (BY_GIT.test(subject)) return undefined;
  if (length > LONGEST) return `has ${length} characters; at most ${LONGEST}`;
  const first = SHAPE.exec(subject)?.[1];
  if (first === undefined) return 'is not of the form `area: do this`, in lower case';
  if (NOUNS.test(first) || ENDINGS.test(first)) return `does not begin with an imperative: "${first}"`;
  return undefined;
}

/** Returns the subject as git reads it: the first paragraph, without comments, on one line. */
function subjectOf(message) {
  const text = message.split(/^# -+ >8 -+$/m)[0].replace(/^#.*$/gm, '');
  return (text.trim().split(/\n\s*\n/)[0] ?? '').replace(/\s*\n\s*/g, ' ');
}

function git(...args) {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
}

function does(...args) {
  try {
    return git(...args);
  } catch {
    return undefined;
  }
}

/** Tells whether this is a checkout of its own, not a package or a copy inside another repository. */
function isCheckout() {
  const top = does('rev-parse', '--show-toplevel');
  return top !== undefined && top !== '' && realpathSync(top) === realpathSync(root);
}

/**
 * Makes git use our hooks in this checkout, if it is one and nobody set other hooks, in the configuration or in the folder of
 * the repository, which git would no longer run.
 */
export function installHooks() {
  try {
    if (!isCheckout() || does('config', '--get', 'core.hooksPath') !== undefined) return;
    const own = join(resolve(root, git('rev-parse', '--git-common-dir')), 'hooks');
    if (existsSync(own) && readdirSync(own).some((name) => !name.endsWith('.sample'))) return;
    git('config', 'core.hooksPath', HOOKS);
  } catch {
    // A configuration that cannot be written does without: `npm run check` looks at the commits.
  }
}

/** Returns the commits that the rule holds for, newest first; none without git or outside a checkout. */
function commits() {
  if (!isCheckout()) return [];
  const isKnown = does('merge-base', '--is-ancestor', BASE, 'HEAD') !== undefined;
  const lines = does('log', '--format=%h %s', ...(isKnown ? [`${BASE}..HEAD`] : [`--since=${SINCE}`]));
  return (lines ?? '').split('\n').filter(Boolean);
}

function main([option, file]) {
  const wrong = [];
  if (option === '--message') {
    const subject = subjectOf(readFileSync(file, 'utf8'));
    // Git itself refuses an empty one.
    const why = subject === '' || FOR_A_REBASE.test(subject) ? undefined : wrongWith(subject);
    if (why) wrong.push(`"${subject}" ${why}`);
  } else
    for (const line of commits()) {
      const at = line.indexOf(' ');
      const why = wrongWith(line.slice(at + 1));
      if (why) wrong.push(`${line.slice(0, at)} "${line.slice(at + 1)}" ${why}`);
    }
  for (const each of wrong) console.error(each);
  if (wrong.length > 0)
    console.error('A subject reads as in "secrets: count steps instead of seconds" (CONTRIBUTING.md).');
  process.exitCode = wrong.length > 0 ? 1 : 0;
}

if (resolve(process.argv[1] ?? '') === fileURLToPath(import.meta.url)) main(process.argv.slice(2));
