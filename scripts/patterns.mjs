// Checks that no regular expression takes long, whatever text it reads: names, files and answers come from anywhere.
//   node scripts/patterns.mjs            fails for one that is not in patterns.txt and is not found safe now
//   node scripts/patterns.mjs --update   writes patterns.txt with those that are new
//   node scripts/patterns.mjs --again    checks all of them again, for a new version of the checker: minutes
// patterns.txt has every pattern of the product with its verdict. `linear` is proved; `safe` has look-around or back
// references, of which attacks were searched for and none was found. Others need their reason in bounded-patterns.json: why
// what they read is too short for them to take long.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import recheck from 'recheck';
import { root } from './ensure.mjs';

const known = join(root, 'scripts', 'patterns.txt');
const isAgain = process.argv.includes('--again');
const isUpdate = isAgain || process.argv.includes('--update');
const bounded = JSON.parse(readFileSync(join(root, 'scripts', 'bounded-patterns.json'), 'utf8'));
const verdicts = isAgain ? new Map() : readVerdicts();
const wrong = [];
const used = new Set();

for (const file of globSync('{src,webview-ui}/**/*.{ts,tsx}', { cwd: root }).sort())
  for (const { pattern, flags, line, isMade } of patternsIn(file)) {
    const text = isMade ? pattern : `/${pattern}/${flags}`;
    used.add(text);
    if (bounded[text] !== undefined) continue;
    if (isMade) wrong.push(`${file}:${line}: made while it runs: ${text}`);
    else {
      if (!verdicts.has(text)) verdicts.set(text, verdictOf(pattern, flags));
      if (!isSafe(verdicts.get(text))) wrong.push(`${file}:${line}: ${verdicts.get(text)}: ${text}`);
    }
  }
for (const text of Object.keys(bounded))
  if (!used.has(text)) wrong.push(`bounded-patterns.json names one that is gone: ${text}`);
if (isUpdate) {
  const lines = [...verdicts]
    .filter(([text, verdict]) => used.has(text) && isSafe(verdict))
    .map(([text, verdict]) => `${verdict} ${text}\n`);
  writeFileSync(known, lines.sort().join(''));
}
for (const each of wrong) console.error(each);
if (wrong.length > 0)
  console.error('Write them so that no two parts can match the same text, or bound what they read.');
process.exitCode = wrong.length > 0 ? 1 : 0;

function isSafe(verdict) {
  return /^(constant|linear|safe)$/.test(verdict);
}

function readVerdicts() {
  const lines = readFileSync(known, 'utf8').split('\n').filter(Boolean);
  return new Map(lines.map((line) => [line.slice(line.indexOf(' ') + 1), line.slice(0, line.indexOf(' '))]));
}

function patternsIn(file) {
  const source = readFileSync(join(root, file), 'utf8');
  const found = [];
  const lineOf = (at) => source.slice(0, at).split('\n').length;
  walk(parseSync(file, source).program, (node) => {
    if (node.type === 'Literal' && node.regex) found.push({ ...node.regex, line: lineOf(node.start) });
    if (node.type === 'NewExpression' && node.callee.name === 'RegExp')
      found.push({
        pattern: `${file}: ${source.slice(node.start, node.end).replace(/\s+/g, ' ')}`,
        line: lineOf(node.start),
        isMade: true,
      });
  });
  return found;
}

function walk(node, visit) {
  if (typeof node !== 'object' || node === null) return;
  if (typeof node.type === 'string') visit(node);
  for (const each of Object.values(node)) walk(each, visit);
}

function verdictOf(pattern, flags) {
  // The checker does not know the flag v; a set without a repetition reads each character once.
  if (flags.includes('v') && /^\[[^*]*\]\+?$/.test(pattern)) return 'linear';
  const { status, complexity } = recheck.checkSync(pattern, flags, { timeout: 30_000 });
  return status === 'safe' ? complexity.type : `${status}${complexity ? ` (${complexity.type})` : ''}`;
}
