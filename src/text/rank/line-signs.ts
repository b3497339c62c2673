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
const known = new Map<string, Signs>();

/** The lines that can answer a question by their form, whatever their words: the same object for the same forms. */
export function signsOf(question: string): Signs {
  const text = question.toLowerCase();
  const wanted = SIGNS.filter(({ asked }) => asked.test(text));
  const key = SIGNS.map((sign) => Number(wanted.includes(sign))).join('');
  const signs = known.get(key) ?? ((line: string) => wanted.filter((sign) => sign.line.test(line)).length);
  known.set(key, signs);
  return signs;
}

/** Tells whether a question asks for a value: a limit, a default, a time. */
export function asksForValue(question: string): boolean {
  return VALUE_ASKED.test(question.toLowerCase());
}

/** The name that a line of code gives a number, if it does. */
export function constantIn(line: string): string | undefined {
  return (CONSTANT.exec(line) ?? DEFINED.exec(line))?.[1];
}

/** Tells whether a line of code, by its form, decides something: a condition, or a failure. */
export function decides(line: string): boolean {
  return CONDITION.test(line) || FAILURE.test(line);
}
