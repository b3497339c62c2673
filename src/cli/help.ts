import { EXIT } from './exit-codes.ts';
import { l10n } from './terminal/translation.ts';

/** A title that commander writes above a part of the help. */
export function helpTitle(title: string): string {
  const titles: Readonly<Record<string, string>> = {
    'Usage:': l10n.t('Usage:'),
    'Arguments:': l10n.t('Arguments:'),
    'Options:': l10n.t('Options:'),
    'Commands:': l10n.t('Commands:'),
  };
  return titles[title] ?? title;
}

/** Returns the end of the whole program's help. */
export function helpBelow(): string {
  const variables = [
    ['THOUGHT_TREE_MODEL', l10n.t('the model where --model names none')],
    ['THOUGHT_TREE_JUDGE', l10n.t('the model that picks and scores where --judge names none')],
    ['THOUGHT_TREE_BASE_URL', l10n.t("the server's address where --base-url names none")],
    ['THOUGHT_TREE_QUEUE', l10n.t("the queue's address where --queue names none")],
    [
      'THOUGHT_TREE_API_KEY',
      l10n.t("the key for that server; at a provider's own address its usual variable holds it:"),
    ],
    ['', 'ANTHROPIC_API_KEY, OPENAI_API_KEY, GOOGLE_GENERATIVE_AI_API_KEY, GEMINI_API_KEY'],
  ] as const;
  const codes = [
    [EXIT.finished, l10n.t('finished')],
    [EXIT.error, l10n.t('error')],
    [EXIT.usage, l10n.t('wrong use')],
    [EXIT.budget, l10n.t('paused by the budget')],
    [EXIT.person, l10n.t('a person is needed (key, quota, model not reached, five failures)')],
    [EXIT.held, l10n.t('another process holds the search')],
    [EXIT.declined, l10n.t('not begun (its forecast is above --ask-above, or you did not agree)')],
    [EXIT.waiting, l10n.t('all that is left to do is outside (offers wait for answers)')],
    [EXIT.failed, l10n.t('finished, and all that it tried failed')],
    [EXIT.interrupted, l10n.t('interrupted or paused by a person')],
  ] as const;
  return [
    '',
    l10n.t('Environment:'),
    ...variables.map(([name, about]) => `  ${name.padEnd(21)}  ${about}`),
    '',
    l10n.t('Exit codes:'),
    ...codes.map(([code, about]) => `  ${String(code).padStart(3)}  ${about}`),
    '',
    l10n.t(
      "Where no model is named, the workspace's own text answers: nothing leaves this computer, and it costs nothing.",
    ),
  ].join('\n');
}
