// What a few lines of code find: the two baselines to beat, as they were given, with their functions exported.
//   rg        files by how many of the question's words they have, then by how often (what `rg -c` tells)
//   better    BM25 over chunks of 40 lines with a light stem, the path, and the names that the chunk defines
// Both over code files only: neither tests, documents nor declarations. Needs the package `minisearch`.
import MiniSearch from 'minisearch';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const STOP = new Set('a about all an and any are as at be been by can could did do does done down for from get gets given has have how i if in into is it its me more my no not of off on one only or out should so some than that the their them then there they this those to too up use used uses was way were what when where which while who why will with work works would you your happens happen put back'.split(' '));
const words = (text) => text.replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2').replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2').toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
const plain = (text) => words(text).filter((word) => word.length > 1 && !STOP.has(word));
const stem = (word) => (word.length < 5 ? word.replace(/([^s])s$/, '$1') : word.replace(/(?:ies)$/, 'y').replace(/(?:ing|ed|es|s|ion|ions|er|ers)$/, '').replace(/(.)\1$/, '$1').replace(/e$/, ''));
const stemmed = (text) => plain(text).map(stem);
export const NOT_CODE = /(^|\/)(tests?|docs?|documentation|examples?|benchmark|__tests__|integration|types)\/|_test\.go$|\.d\.[cm]?ts$|\.(test|spec)\.|\.(md|json|ya?ml|txt|lock)$|LICENSE/i;
const DEFINES = /(?:function\*?|class|def|interface|type|enum|const|let|var|async)\s+\*?([A-Za-z_$][\w$]*)|^\s*(?:static |async |get |set |#)*([A-Za-z_$][\w$]*)\s*\([^)]*\)\s*\{|([\w$]+)\s*[:=]\s*(?:async\s*)?(?:function|\()/gm;

export function read(folder) {
  return readdirSync(folder, { recursive: true }).map(String).sort().flatMap((path) => {
    const file = join(folder, path);
    if (/node_modules|^\.git\/|changelog/i.test(path) || !statSync(file).isFile() || statSync(file).size > 400_000) return [];
    const bytes = readFileSync(file);
    return bytes.includes(0) ? [] : [{ path, text: bytes.toString('utf8') }];
  });
}

export function chunksOf(files, size = 40) {
  return files.flatMap(({ path, text }) => {
    const lines = text.split(/\r\n|\n|\r/);
    return Array.from({ length: Math.ceil(lines.length / size) }, (_, place) => ({ path, start: place * size + 1, end: Math.min(lines.length, (place + 1) * size), text: lines.slice(place * size, (place + 1) * size).join('\n') }));
  });
}

export function rg(files) {
  const lower = files.map(({ path, text }) => ({ path, text: text.toLowerCase() }));
  return (question) => {
    const asked = [...new Set(plain(question))];
    return lower.map(({ path, text }) => {
      const counts = asked.map((word) => text.split(word).length - 1);
      return { path, distinct: counts.filter((count) => count > 0).length, sum: counts.reduce((a, b) => a + b, 0) };
    }).sort((a, b) => b.distinct - a.distinct || b.sum - a.sum);
  };
}

export function better(pieces) {
  const index = new MiniSearch({ fields: ['text', 'names', 'path'], tokenize: stemmed, processTerm: (term) => term });
  index.addAll(pieces.map(({ path, text }, id) => ({ id, text, path, names: [...text.matchAll(DEFINES)].map((match) => match.slice(1).find(Boolean)).join(' ') })));
  return (question) => {
    const asked = new Set(stemmed(question)).size;
    const hits = index.search(question, { boost: { names: 2, path: 1.5 }, bm25: { k: 1.2, b: 0.4, d: 0.5 } }).map(({ id, score, queryTerms }) => {
      const piece = pieces[id];
      const role = /\.(md|txt|json)$|(^|\/)docs\//i.test(piece.path) ? 0.7 : NOT_CODE.test(piece.path) ? 0.35 : 1;
      return { ...piece, score: score * role * (0.5 + (0.5 * new Set(queryTerms).size) / asked) };
    });
    const best = new Map();
    for (const { path, score } of hits) best.set(path, [...(best.get(path) ?? []), score].sort((a, b) => b - a).slice(0, 4));
    const whole = new Map([...best].map(([path, scores]) => [path, scores.reduce((a, b) => a + b, 0)]));
    const most = Math.max(1, ...whole.values());
    return hits.map((hit) => ({ ...hit, score: hit.score * (0.5 + (0.5 * whole.get(hit.path)) / most) })).sort((a, b) => b.score - a.score);
  };
}

export const first = (hits) => [...new Set(hits.map(({ path }) => path))].slice(0, 3);
