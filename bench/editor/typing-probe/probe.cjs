// Sits beside the extension in one extension host, so that the timers and the memory it sees are those of that host. Does
// what it finds in the file PROBE_ASKED, a line of JSON each time, and answers in PROBE_TOLD.
const { existsSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const vscode = require('vscode');

const { PROBE_ASKED: asked, PROBE_TOLD: told } = process.env;
const STEP_MS = 10;

let drift = [];
let most = 0;
let last = performance.now();

function step() {
  const now = performance.now();
  drift.push(now - last - STEP_MS);
  last = now;
  most = Math.max(most, process.memoryUsage.rss());
  setTimeout(step, STEP_MS);
}

/** What was seen since the last time. */
function seen() {
  const sorted = drift.sort((a, b) => a - b);
  const found = {
    worst: sorted.at(-1) ?? 0,
    p95: sorted[Math.floor(0.95 * sorted.length)] ?? 0,
    most,
    now: process.memoryUsage.rss(),
  };
  drift = [];
  most = 0;
  return found;
}

const DO = {
  /** Opens an empty text to type into. */
  async text() {
    const document = await vscode.workspace.openTextDocument({ content: '', language: 'plaintext' });
    await vscode.window.showTextDocument(document);
  },
  async seen() {
    return seen();
  },
  async start({ request }) {
    const { exports } = vscode.extensions.getExtension('thought-tree.thought-tree');
    return { folder: await exports.start(request) };
  },
  async running() {
    const { exports } = vscode.extensions.getExtension('thought-tree.thought-tree');
    return exports.searches().map(({ state }) => state);
  },
};

async function look() {
  if (existsSync(asked)) {
    const question = JSON.parse(readFileSync(asked, 'utf8'));
    rmSync(asked);
    const value = await DO[question.does](question).catch((error) => ({ error: String(error?.stack ?? error) }));
    writeFileSync(`${told}.new`, JSON.stringify({ value: value ?? null }));
    require('node:fs').renameSync(`${told}.new`, told);
  }
  setTimeout(() => void look(), 50);
}

exports.activate = async () => {
  await vscode.extensions.getExtension('thought-tree.thought-tree')?.activate();
  step();
  void look();
};
