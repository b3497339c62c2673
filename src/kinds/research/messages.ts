import { message } from '../../core/messages/message.ts';

// Progress of a search

export const rootExpanding = message('research.root-expanding', 'Generating root children...');
export const surveying = message(
  'research.surveying',
  'Looking around the workspace, for a first answer and the topics...',
);
export const provisional = message('research.provisional', 'First answer: {answer}');
export const rootWalk = message('research.root-walk', 'Walking root level: {title} ({current}/{total})');
export const pickingLeaf = message('research.picking-leaf', 'Picking next leaf to research...');
export const expandingNode = message('research.expanding-node', 'Researching: {title} (depth {depth})');

// Faults of prompts of a person's own

export const templateTooLong = message('research.template-too-long', 'prompts/{name}: is too long.');
export const unknownPlaceholder = message(
  'research.unknown-placeholder',
  'prompts/{name}: unknown placeholder {placeholder}. Known are {placeholders}.',
);
export const missingPlaceholder = message(
  'research.missing-placeholder',
  'prompts/{name}: the placeholder {placeholder} is required.',
);
export const rulesNotJson = message('research.rules-not-json', 'prompts/{name}: this is not valid JSON.');
export const wrongRules = message('research.wrong-rules', 'prompts/{name}: {why}.');
