// Registers models of the editor's own, as Copilot does. What they do is told by the variable SCRIPTED_MODELS, in JSON:
// { "delay": milliseconds before each answer, "depth": levels of topics, "fanout": subtopics of each,
//   "hold": a file; while it contains a pattern, requests whose prompt matches are not answered }.
const vscode = require('vscode');
const { readFileSync } = require('node:fs');
const { answerTo } = require('./scripted-answer.cjs');

const common = {
  family: 'scripted',
  version: '1.0.0',
  maxInputTokens: 64_000,
  maxOutputTokens: 8000,
  // Without tools the chat does not offer a model.
  capabilities: { toolCalling: true },
};
const MODELS = [
  { ...common, id: 'scripted-1', name: 'Scripted 1' },
  { ...common, id: 'refusing', name: 'Scripted, refusing' },
];

exports.activate = (context) => {
  const options = { delay: 0, depth: 2, fanout: 2, ...JSON.parse(process.env.SCRIPTED_MODELS ?? '{}') };
  /** Every request: the model's id, the texts of its messages, oldest first, and whether it was cancelled. */
  const requests = [];
  const provider = {
    provideLanguageModelChatInformation: () => MODELS,
    provideTokenCount: async (_model, text) => Math.ceil(textOf(text).length / 4),
    async provideLanguageModelChatResponse(model, messages, { tools = [] }, progress, token) {
      const results = messages.at(-1).content.flatMap(resultsOf);
      const request = { model: model.id, texts: messages.map(textOf), results, cancelled: false };
      requests.push(request);
      token.onCancellationRequested(() => {
        request.cancelled = true;
      });
      await pause(options.delay, token);
      while (isHeld(options.hold, request.texts.at(-1)) && !token.isCancellationRequested) await pause(20, token);
      if (model.id === 'refusing') throw vscode.LanguageModelError.Blocked('This model refuses everything.');
      const isDocument = /Write the document on/.test(request.texts.at(-1));
      if (isDocument && results.length === 0 && tools.some(({ name }) => name === 'list')) {
        progress.report(new vscode.LanguageModelToolCallPart('call-1', 'list', { folder: 'src' }));
        return;
      }
      const said = messages
        .filter(({ role }) => role === vscode.LanguageModelChatMessageRole.User)
        .map(textOf)
        .filter((text) => text !== '');
      for (const [piece] of answerTo(said, options).matchAll(/.{1,60}/gsu)) {
        if (token.isCancellationRequested) return;
        progress.report(new vscode.LanguageModelTextPart(piece));
      }
    },
  };
  context.subscriptions.push(vscode.lm.registerLanguageModelChatProvider('scripted', provider));
  return { requests, options };
};

function resultsOf(part) {
  return part instanceof vscode.LanguageModelToolResultPart ? part.content.map(({ value }) => value) : [];
}

function textOf(message) {
  if (typeof message === 'string') return message;
  const parts = message.content.filter((part) => part instanceof vscode.LanguageModelTextPart);
  return parts.map(({ value }) => value).join('');
}

function isHeld(file, prompt) {
  if (file === undefined) return false;
  try {
    const pattern = readFileSync(file, 'utf8');
    return pattern !== '' && new RegExp(pattern).test(prompt);
  } catch {
    return false;
  }
}

/** Ends early when the request is cancelled. */
function pause(milliseconds, token) {
  if (milliseconds === 0) return undefined;
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    token.onCancellationRequested(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
