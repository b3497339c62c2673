// A model that plays the Game of 24 from the words of a request alone: it proposes true steps and knows what can be made.

const OPERATORS = [
  ['+', (a, b) => a + b],
  ['-', (a, b) => a - b],
  ['*', (a, b) => a * b],
  ['/', (a, b) => a / b],
];

/** The answer to a request about thoughts; undefined where it is about something else. */
exports.thoughtsFor = (prompt) => {
  const message = messageIn(prompt);
  if (message?.type === 'decompose_task') return output(plan());
  if (message?.type === 'generate_thoughts') return output(proposals(message.payload));
  if (message?.type === 'evaluate_thoughts')
    return output({ evaluations: message.payload.candidates.map(({ id, content }) => judgement(id, content)) });
  return undefined;
};

/** The message comes first, before the text about it. */
function messageIn(prompt) {
  const end = prompt.indexOf('\n}\n');
  if (!prompt.startsWith('{') || end < 0) return undefined;
  return JSON.parse(prompt.slice(0, end + 2));
}

function plan() {
  return {
    thought_granularity: 'one step',
    intermediate_steps: ['Begin', 'End'],
    depth_estimate: 3,
    constraints: ['Use each number once'],
    success_criteria: '24 is left',
  };
}

function proposals({ num_candidates: most, context: { problem, path, earlier } }) {
  const numbers = numbersIn(path.at(-1) ?? problem);
  const all = steps(numbers).map(({ text }) => text);
  const fresh = all.filter((text) => !earlier.includes(text));
  // The first that come to mind, spread over all there are.
  const stride = Math.max(1, Math.floor(fresh.length / most));
  const said = fresh.filter((_, i) => i % stride === 0).slice(0, most);
  return said.map((content) => ({ content, action_type: 'arithmetic' }));
}

function judgement(id, content) {
  const numbers = numbersIn(content);
  if (numbers.length === 1 && isGoal(numbers[0]))
    return { id, score: 10, confidence: 1, reasoning: '24 is left.', solution: true };
  if (canMake(numbers)) return { id, score: 8.5, confidence: 0.9, reasoning: '24 can be made of these.' };
  const isFar = numbers.some((each) => Math.abs(each) > 40 || !Number.isInteger(each));
  return { id, score: isFar ? 0.5 : 3, confidence: 0.8, reasoning: '24 is out of reach.' };
}

function numbersIn(text) {
  const left = /\(left: ([^)]*)\)/.exec(text)?.[1] ?? text;
  return left.trim().split(/\s+/).map(Number);
}

/** Every step from these numbers that comes to a whole number: what it says, and what is left. */
function steps(numbers) {
  const found = new Map();
  for (const [i, a] of numbers.entries())
    for (const [j, b] of numbers.entries()) {
      if (i === j) continue;
      for (const [sign, join] of OPERATORS) {
        const result = join(a, b);
        if (!Number.isInteger(result) || (/[+*]/.test(sign) && i > j) || result < 0) continue;
        const left = [...numbers.filter((_, k) => k !== i && k !== j), result].sort((x, y) => x - y);
        found.set(`${a} ${sign} ${b} = ${result} (left: ${left.join(' ')})`, left);
      }
    }
  return [...found].map(([text, left]) => ({ text, left }));
}

function canMake(numbers) {
  return numbers.length === 1 ? isGoal(numbers[0]) : steps(numbers).some(({ left }) => canMake(left));
}

function isGoal(number) {
  return Math.abs(number - 24) < 1e-9;
}

function output(answer) {
  return `<output>\n${JSON.stringify(answer)}\n</output>\n`;
}
