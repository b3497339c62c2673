import type { FileStanding } from '../files/file-role.ts';
import { splitWords } from '../words/split-words.ts';

/**
 * The kinds of file that a question asks for by itself, in words such as "which test …" or "is it documented". A
 * question about code may say "test" as well ("test whether", "tested for null"), so that the word alone is not enough.
 */
const ASKS: Partial<Record<FileStanding, readonly RegExp[]>> = {
  test: [
    /\b(?:which|what) (?:[\w-]+ ){0,2}tests?\b(?! (?:is|are|was|were|get|gets|runs?|fails?|files?)\b)/i,
    /\b(?:by|in|is there|are there|do we have) (?:an?|any|the|our)? ?(?:unit )?tests?\b(?! (?:whether|files?|runs?)\b)/i,
    /\bhow (?:do|does) (?:the|our) (?:[\w-]+ ){0,3}tests? (?:show|prove|make|check|verify|assert|simulate|cover|avoid)/i,
    /\b(?:unit|regression|integration|fuzz) tests?\b|\btested\b(?! (?:for|against|first|before|if|with)\b)/i,
  ],
  docs: [
    /\bdocumented\b|\bdocumentation\b|\b(?:the|our|in|its) docs\b|\bread ?me\b|\bchange ?log\b|\brelease notes?\b/i,
    /\b(?:the|our|user|in a) (?:manual|faq)\b|\bguides?\b|\btutorials?\b|\bmigration notes?\b|\bsecurity policy\b/i,
    /\b(?:are|is) (?:people|users|readers|we|one) (?:told|advised|warned|recommended)\b/i,
  ],
  config: [
    /\bwhere (?:is|are) (?:that|this|it|they) (?:configured|declared|set|pinned)\b|\bcontinuous integration\b|\b(?:in|on|by|our) ci\b/i,
    /\b(?:which|what|oldest|minimum|lowest|least) (?:\w+ )?versions? of (?!the (?:protocol|format|file|index|pack))/i,
    /\b(?:which|what|oldest|minimum|lowest) (?:is the )?(?:oldest |minimum |lowest )?(?:node(?:\.?js)?|python|go|rust|ruby|java|php|typescript|compiler|toolchain)\b/i,
    /\b(?:which|what|how many|any|third-party|runtime|optional|its|our) (?:\w+ )?dependenc(?:y|ies)\b/i,
    /\bpackage\.json\b|\bgo\.mod\b|\bcargo\.toml\b|\bpyproject\b|\bsetup\.(?:py|cfg)\b|\bcoverage threshold\b/i,
    /\blint(?:er|ing)? (?:rules?|config\w*|settings?)\b|\bcompiler options?\b|\bbuild (?:script|settings?|configuration)s?\b/i,
  ],
  example: [/\bexamples?\b|\bbenchmark(?:s|ed)?\b|\bdemos?\b|\bsample (?:app|program|code|script)s?\b/i],
  declaration: [/\btype (?:declaration|definition)s?\b|\bdeclaration files?\b|\btypings?\b/i],
};

/** Returns the standings that a question asks for; usually none, which means code. */
export function askedFor(question: string): ReadonlySet<FileStanding> {
  const asked = new Set<FileStanding>();
  for (const [standing, patterns] of Object.entries(ASKS))
    if (patterns.some((pattern) => pattern.test(question))) asked.add(standing as FileStanding);
  return asked;
}

/** A thing that a question may ask for, and the lines of code that can say it. */
interface Sign {
  /** In the question, in lower case. */
  readonly asked: RegExp;
  readonly line: RegExp;
}

const NUMBER =
  /(?<![\w.])(?!0\b|1\b)\d[\d_]*(?:\.\d+)?|\b0x[\da-f]+\b|\b[A-Z][A-Z\d]*_[A-Z\d_]+\b|\b(?:seconds?|millis|minutes?)\b/i;
/** Asks how much something is: a limit, a default, a time. */
const VALUE_ASKED =
  /\bhow (?:long|many|much|often|big|large|far|deep|small|soon|late|old|wide|fast|frequently|close)\b|\b(?:limit|maximum|minimum|at most|at least|number of|size|default|timeout|longest|shortest|largest|biggest|smallest|oldest|cap|ceiling|threshold|upper bound|interval|which value|what value|assumed)\b/;
/** A name at the beginning of a line that is given a number other than 0 and 1: a constant, a field, a setting. */
const CONSTANT =
  /^\s{0,40}(?:pub\(\w{1,9}\) )?(?:[^\s=:({][^=:({]{0,60}[\s.@]|@)?([A-Za-z_$][\w$]{3,60})(?::\s?[\w<>]{1,40})?\s{0,40}(?::=|[=:](?![=>:]))\s{0,40}(?:[\w.:]{1,60}\()?-?(?:(?![01]\b(?! ?<<| ?\*|\.))\d|time\.(?:[MN]\w{2,4}s|S)econd|time\.(?:Minute|Hour))/;
const DEFINED = /^\s{0,20}#\s?define\s+([A-Za-z_]\w{3,60})\s+\(?-?\d/;
const CONDITION = /\b(?:if|elif|unless|when|while|case|match|switch|guard|assert)\b|\?\s|&&|\|\||[!=<>]==?|\s[<>]\s/;
const FAILURE = /\b(?:throw|raise|panic|reject|abort|Err|errors?|err|fail\w*|exception|except|catch|assert)\b|Error\b/;
const SIGNS: readonly Sign[] = [
  {
    asked: VALUE_ASKED,
    line: NUMBER,
  },
  {
    asked: /\b(?:error|fail|throw|raise|refuse|reject|complain|crash|panic|wrong|invalid|illegal|forbid|not allowed)/,
    line: FAILURE,
  },
  {
    asked:
      /\b(?:when|if|unless|decide|which|whether|only|except|without|already|twice|condition|check|tell apart|know)/,
    line: CONDITION,
  },
];

/** Counts the forms that are asked for in a line. */
type Signs = (line: string) => number;

/** By which signs are asked for. */
const signsByForms = new Map<string, Signs>();

/** The lines that can answer a question by their form, whatever their words: the same object for the same forms. */
export function signsOf(question: string): Signs {
  const text = question.toLowerCase();
  const wanted = SIGNS.filter(({ asked }) => asked.test(text));
  const key = SIGNS.map((sign) => Number(wanted.includes(sign))).join('');
  const signs = signsByForms.get(key) ?? ((line: string) => wanted.filter((sign) => sign.line.test(line)).length);
  signsByForms.set(key, signs);
  return signs;
}

/** Tells whether a question asks for a value: a limit, a default, a time. */
export function asksForValue(question: string): boolean {
  return VALUE_ASKED.test(question.toLowerCase());
}

/** Returns the name that a line of code gives a number, if it does. */
export function constantIn(line: string): string | undefined {
  return (CONSTANT.exec(line) ?? DEFINED.exec(line))?.[1];
}

/** Tells whether a line of code, by its form, decides something: a condition, or a failure. */
export function decides(line: string): boolean {
  return CONDITION.test(line) || FAILURE.test(line);
}

/** A possible name: in backquotes, or words joined as code joins them, with or without brackets behind it. */
const CALLED_NAME = /`([^`\s]{2,100})`|[\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|#|::|->)[\p{L}_$][\p{L}\p{N}_$]*)*(?:\(\))?/gu;
const LOOKS_LIKE_CODE = /[.#:>()]|[\p{L}\p{N}]_|\p{Ll}\p{Lu}|^\p{Lu}/u;
const LONGEST_READ = 300;

/** Questions after who names something, `¤`, in the languages that we are asked in most. */
const ASKS_FOR_CALLERS: readonly RegExp[] = [
  /^(?:who|what|(?:which|what) [a-z ]{1,40}) (?:calls?|uses?|invokes?|references?|instantiates?|depends? on) ¤$/i,
  /^where (?:is|are) ¤ (?:being )?(?:called|used|invoked|referenced|instantiated)(?: from)?$/i,
  /^where (?:do|does) [a-z]{1,20} (?:call|use|invoke) ¤$/i,
  /^[a-z ]{0,40}(?:callers|users|usages|call sites) of ¤$/i,
  /^(?:wer|was|welche [a-zäöü]{1,30}) (?:ruft|rufen|nutzt|nutzen|benutzt|benutzen|verwendet|verwenden) ¤(?: auf)?$/i,
  /^(?:wo|von wo|woher) (?:wird|werden|ist) ¤ (?:überall )?(?:aufgerufen|benutzt|verwendet|genutzt)$/i,
  /^(?:qui appelle|qui utilise) ¤$/i,
  /^(?:谁|哪里|哪些地方|哪些函数)会?(?:调用|使用|用到)了? ?¤$/,
  /^¤ ?(?:在哪里|在哪儿|被谁|在什么地方)被?(?:调用|使用)$/,
];

/** The name whose uses a question asks for ("Who calls `f`?"), without what it belongs to; undefined if it asks something else. */
export function calledIn(question: string): string | undefined {
  if (question.length > LONGEST_READ) return undefined;
  const text = question
    .replaceAll(/[?？。\s]+/g, ' ')
    .replace(/\.? ?$/, '')
    .trim();
  for (const { 0: word, 1: quoted, index } of text.matchAll(CALLED_NAME)) {
    if (quoted === undefined && !LOOKS_LIKE_CODE.test(word)) continue;
    const before = text.slice(0, index).replace(/(?:the )?(?:function|method|class|type|macro) $/i, '');
    const asked = `${before}¤${text.slice(index + word.length)}`;
    if (ASKS_FOR_CALLERS.some((form) => form.test(asked)))
      return (quoted ?? word)
        .replace(/\(\)$/, '')
        .split(/[.#]|::|->/)
        .at(-1);
  }
  return undefined;
}

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
  const isPart = (word: string): boolean => word === NAME_OF_WHOLE || WHOLE.has(word);
  return (
    words.length > 0 &&
    words.every((word) => FILLERS.has(word) || isPart(word)) &&
    words.some((word) => isPart(word) || POINTERS.has(word))
  );
}

/** Stands for what the whole is called: no word of a question is empty. */
const NAME_OF_WHOLE = '';

/** Returns a question's words, each name in it as one: `thought-tree` is the whole, a tree is not. */
function withoutNames(words: readonly string[], names: readonly string[]): string[] {
  let left = [...words];
  for (const name of names) {
    const parts = splitWords(name.split('/').at(-1) ?? '');
    const at = left.findIndex((_, start) => parts.length > 0 && parts.every((part, i) => left[start + i] === part));
    if (at >= 0) left = [...left.slice(0, at), NAME_OF_WHOLE, ...left.slice(at + parts.length)];
  }
  return left;
}
