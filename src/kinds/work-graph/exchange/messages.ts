import { message } from '../../../core/messages/message.ts';

// Faults of a state file. Each follows its file and line.
export const noFrontMatter = message(
  'work.state.no-front-matter',
  'a state file begins with a line "---", with nothing before it; add it',
);
export const notClosed = message(
  'work.state.not-closed',
  'the second line "---", which ends the front matter, is missing; add it',
);
export const missingPart = message('work.state.missing', '"{name}" is missing; add it');
export const notMapping = message('work.state.not-mapping', '"{name}" has to be a mapping of names to values');
export const notList = message('work.state.not-list', '"{name}" has to be a list');
export const notText = message('work.state.not-text', '"{name}" has to be a text');
export const notNumber = message('work.state.not-number', '"{name}" has to be a whole number, at least 0');
export const notYesNo = message('work.state.not-yes-no', '"{name}" has to be true or false');
export const noAtoms = message('work.state.no-atoms', 'there are no atoms; add at least one');
export const tooMany = message('work.state.too-many', 'there are more than {most:number} atoms; split the goal');
export const wrongName = message(
  'work.state.wrong-name',
  '"{name}" is no name of an atom or a group: letters, digits, "_", "-" and "." only, at most 100',
);
export const idTwice = message('work.state.id-twice', 'the id "{name}" is there twice; give each atom its own');
export const groupIsAtom = message('work.state.group-is-atom', '"{name}" is both an atom and a group; rename one');
export const unknownStatus = message(
  'work.state.unknown-status',
  'the status "{status}" is unknown; use one of {known}',
);
export const notAChoice = message(
  'work.state.not-a-choice',
  '"{selected}" is selected in "{group}", but is none of its choices; choose one of them',
);
export const twoGroups = message(
  'work.state.two-groups',
  '"{name}" is an alternative of both "{group}" and "{other}"; decide for one',
);
export const inCircle = message(
  'work.state.in-circle',
  'these wait for each other in a circle: {names}; remove one of the dependencies',
);
export const wrongCommand = message('work.state.wrong-command', 'this command cannot be kept: {why}');
export const noChecks = message('work.state.no-checks', 'the base case has no items; add one');
export const tooDeep = message('work.state.too-deep', 'the base case is nested too deeply; write it flatter');

// Words in the plan for what cannot be kept as it is.
export const checkedByHand = message('work.state.checked-by-hand', '{what}: {value}');
export const clarifiedBefore = message('work.state.clarified-before', 'the state file');
export const completedVia = message('work.state.completed-via', 'Completed via {names} resolution');

// Notes on a file that was written.
export const hookArmed = message(
  'work.state.hook-armed',
  'Where the plugin that such files come from is installed, its hook approves every edit and every command all the same: {why}. Move or rename the file, or uninstall the plugin.',
);
export const hookReadsOther = message(
  'work.state.hook-reads-other',
  'the first line in it that begins with two blanks and "status:" is line {line}, which does not say "stopped"',
);
export const hookReadsNothing = message(
  'work.state.hook-reads-nothing',
  'it finds no line that begins with two blanks and "status:" between two lines "---" that end with a line feed',
);

// Notes on a mirror.
export const mirrorArms = message(
  'work.mirror.arms',
  'While the search runs, this file says "running". Where the plugin that such files come from is installed, its hook then approves every edit and every command of every session in that folder, without asking anybody.',
);
export const mirrorUnreadable = message('work.mirror.unreadable', 'It cannot be read any more. {why}');
export const mirrorStatuses = message(
  'work.mirror.statuses',
  'It says of {names} how far they are. That is not taken over: only what we have checked ourselves is resolved.',
);
export const mirrorOthers = message(
  'work.mirror.others',
  'Something else in it differs from what was written, such as a comment, a group or a field that is not ours.',
);

// Faults of YAML. Each follows its file and line.

export const wrongAt = message('work.yaml.wrong-at', '{file}, line {line}: {why}.');
export const tooLong = message('work.yaml.too-long', 'it has more than {most:number} characters; give less');
export const yamlTooDeep = message('work.yaml.too-deep', 'it is nested too deeply; write it flatter');
export const notYaml = message('work.yaml.not-yaml', 'this is not valid YAML ({why}); correct it');
export const twoDocuments = message('work.yaml.two-documents', 'a second YAML document begins here; keep one');
export const alias = message('work.yaml.alias', 'aliases such as "*{name}" are not read; write the value out');
export const twice = message('work.yaml.twice', 'the key "{key}" is there twice; remove one');
export const wrongKey = message('work.yaml.wrong-key', 'this key is not a plain text; write it as one');
export const yamlNotMapping = message('work.yaml.not-mapping', 'this is not a mapping of names to values');
