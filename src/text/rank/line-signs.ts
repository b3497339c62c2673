/** What a question asks for, and the lines of code that can say it. */
interface Sign {
  /** In the question, in lower case. */
  readonly asked: RegExp;
  readonly line: RegExp;
}

const NUMBER =
  /(?<![\w.])(?!0\b|1\b)\d[\d_]*(?:\.\d+)?|\b0x[\da-f]+\b|\b[A-Z][A-Z\d]*_[A-Z\d_]+\b|\b(?:seconds?|millis|minutes?)\b/i;
const CONDITION = /\b(?:if|elif|unless|when|while|case|match|switch|guard|assert)\b|\?\s|&&|\|\||[!=<>]==?|\s[<>]\s/;
const FAILURE = /\b(?:throw|raise|panic|reject|abort|Err|errors?|err|fail\w*|exception|except|catch|assert)\b|Error\b/;
const SIGNS: readonly Sign[] = [
  {
    asked:
      /\bhow (?:long|many|much|often|big|large|far|deep|small|soon|late)\b|\b(?:limit|maximum|minimum|at most|at least|number of|size|default|timeout)\b/,
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

/** The lines that can answer a question by their form, whatever their words. */
export function signsOf(question: string): (line: string) => number {
  const text = question.toLowerCase();
  const wanted = SIGNS.filter(({ asked }) => asked.test(text));
  return (line) => wanted.filter((sign) => sign.line.test(line)).length;
}

/** Whether a line of code, by its form, decides something: a condition, or a failure. */
export function decides(line: string): boolean {
  return CONDITION.test(line) || FAILURE.test(line);
}
