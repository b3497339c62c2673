import { splitWords } from '../words/split-words.ts';

/** Words of questions in several languages that say nothing about what is asked for. */
const FILLERS = wordsOf(`
  a about all am an and any are as at be been begin best brief briefly by can come consist could describe did do does done
  each everything exactly explain find first folder for from general get give go good had happen happens has have help here
  high how i if important in inside into is it its know learn level like look looks made main make me mean means my need new
  of on or our out over please quick quickly read run see short should show simple so some start started starting sum
  summarise summarize summary tell than that the there these they thing things this those to tour understand up us use used
  using walk want was we were what whats where which who why will with work works would you your s
  aus bitte das dem den der des die dies diese diesem dieser dieses ein eine einem einen einer erklär erkläre es etwas für
  gib gibt hier ich im in ist kann kannst kurz mach macht mich mir man so soll sich sind über um und uns von was welche welcher
  welches wie wird wo worum wozu wofür womit wodurch zu zum zur geht alles
  a au aux c ce cet cette ces ça comment d dans de des donne donner du elle en est et fait faire il il j je l la le les
  moi ne nous on où par pas peux peut pour pourquoi qu que quel quelle quelles quels quoi qui résume s sa se sert ses
  son sont sur t tu un une vous à y explique`);
/** Words for a project as a whole, its purpose and its make-up. */
const WHOLE = wordsOf(`
  app application architecture arranged base code codebase components contents crate design directories directory directory files
  folders framework gem goal idea introduce introduction layout library module modules organised organization organized overview package
  parts pieces product program programme project purpose repo repository software source sources stands structure
  structured structures system tool workspace built
  abschnitte anwendung architektur aufbau aufgebaut bereiche bestandteile dateien einführung gegliedert gliederung komponenten
  module ordner projekt programm programms projekts quellcode quelltext strukturiert struktur teile übersicht überblick zweck
  aperçu but composants dossier dossiers ensemble fichiers fonctionne introduction logiciel organisation organisé parties
  présentation présente programme projet vue structuré structure dépôt générale global globale`);
/** Of which one makes a question about this folder as a whole, if nothing else is asked. */
const POINTERS = wordsOf(`this it here das dies dieses diese hier es ce cette ceci ça c c'est`);
const CHINESE =
  /请问|请|给我|给出|一个|一下|这个|这里|这|该|本|它|整个|项目|工程|代码库|代码|仓库|程序|软件|工具|库|系统|文件夹|目录|是|什么|甚么|做|干|用|来|的|东西|怎么|怎样|如何|样|组织|结构|架构|构成|组成|概述|概览|概况|总览|简介|介绍|说明|解释|总体|主要|部分|有|哪些|里|内容|用途|目的|吗|呢|了|在|工作|运行|启动|起来|为|么|和|与|我|想|看看|看|了解/gu;
const HAN = /\p{Script=Han}/u;

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}

/**
 * Tells whether a question is about a folder as a whole: "What is this project?", "Give me an overview", 这个项目是什么？ Every
 * word of it must be one of asking, or one for the whole; its name counts as such.
 */
export function asksForOverview(question: string, names: readonly string[]): boolean {
  if (question.length > 200) return false;
  if (HAN.test(question)) return question.replace(/[\p{P}\p{Z}]/gu, '').replace(CHINESE, '') === '';
  const words = withoutNames(splitWords(question), names);
  const isPart = (word: string): boolean => word === NAME || WHOLE.has(word);
  return (
    words.length > 0 &&
    words.every((word) => FILLERS.has(word) || isPart(word)) &&
    words.some((word) => isPart(word) || POINTERS.has(word))
  );
}

/** Stands for what the whole is called: no word of a question is empty. */
const NAME = '';

/** A question's words, each name in it as one: `thought-tree` is the whole, a tree is not. */
function withoutNames(words: readonly string[], names: readonly string[]): string[] {
  let left = [...words];
  for (const name of names) {
    const parts = splitWords(name.split('/').at(-1) ?? '');
    const at = left.findIndex((_, start) => parts.length > 0 && parts.every((part, i) => left[start + i] === part));
    if (at >= 0) left = [...left.slice(0, at), NAME, ...left.slice(at + parts.length)];
  }
  return left;
}
