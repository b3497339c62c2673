// A model that plays the Game of 24 from the words of a request alone: it proposes true steps and knows what can be made.

const OPERATORS = [
  ['+', (a, b) => a + b],
  ['-', (a, b) => a - b],
  ['*', (a, b) => a * b],
  ['/', (a, b) => a / b],
];

/** The answer to a request about thoughts; undefined where it is about something else. */
exports.thoughtsFor = (prompt) => {
  const candidates = [...prompt.matchAll(/<candidate id="([^"]+)"[^>]*>\n([\s\S]*?)\n<\/candidate>/g)];
  if (candidates.length > 0)
    return output({ evaluations: candidates.map(([, id, content]) => judgement(id, content)) });
  if (prompt.includes('Before anybody proposes a step')) return output(plan());
  const most = /^Propose (?:up to (\d+)|one) thoughts?/m.exec(prompt);
  return most ? output(proposals(Number(most[1] ?? 1), prompt)) : undefined;
};

function plan() {
  return {
    thought_granularity: 'one step',
    intermediate_steps: ['Begin', 'End'],
    depth_estimate: 3,
    constraints: ['Use each number once'],
    success_criteria: '24 is left',
  };
}

function proposals(most, prompt) {
  const inside = (tag) =>
    [...prompt.matchAll(new RegExp(`<${tag}>\\n([\\s\\S]*?)\\n</${tag}>`, 'g'))].map(([, text]) => text);
  const earlier = inside('thought').map((text) => text.split('\n')[0]);
  const problem = /\d+(?: \d+){3}/.exec(prompt)?.[0] ?? '4 9 10 13';
  const numbers = numbersIn(inside('step').at(-1) ?? problem);
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
