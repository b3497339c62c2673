/** A format that agents read their files in. */
export interface AgentPlace {
  /** The program, by its own name. */
  readonly name: string;
  /** The folder of its skills, below the workspace or the person's own folder. */
  readonly skills: string;
  /** Where its agents and prompts are; undefined if it has none. */
  readonly agents?: string;
  readonly prompts?: string;
  /** True if it has the folder in the person's own folder too. */
  readonly isPersonal: boolean;
}

/** The files of the package that agents read, below `media/agents`. */
const SKILL = 'tree-search/SKILL.md';
const AGENT = 'tree-researcher.agent.md';
const PROMPTS = ['investigate.prompt.md', 'explain-node.prompt.md'] as const;

/** Where agents look for skills. VS Code's own need no copy: the package contributes the files to them. */
export const AGENT_PLACES: readonly AgentPlace[] = [
  {
    name: 'Claude Code',
    skills: '.claude/skills',
    agents: '.claude/agents',
    prompts: '.claude/commands',
    isPersonal: true,
  },
  { name: 'Codex, Gemini CLI, Cursor…', skills: '.agents/skills', isPersonal: true },
  {
    name: 'GitHub Copilot',
    skills: '.github/skills',
    agents: '.github/agents',
    prompts: '.github/prompts',
    isPersonal: false,
  },
];

/** A file to be written. */
export interface AgentFile {
  /** In the package, below `media/agents`. */
  readonly from: string;
  /** Below the folder that it is installed in. */
  readonly to: string;
}

/** Returns the files that are installed for a program. */
export function filesFor({ skills, agents, prompts }: AgentPlace): AgentFile[] {
  const isClaude = skills.startsWith('.claude/');
  const named = (file: string): string => (isClaude ? file.replace(/\.(agent|prompt)\.md$/, '.md') : file);
  return [
    { from: SKILL, to: `${skills}/${SKILL}` },
    ...(agents === undefined ? [] : [{ from: AGENT, to: `${agents}/${named(AGENT)}` }]),
    ...(prompts === undefined ? [] : PROMPTS.map((file) => ({ from: file, to: `${prompts}/${named(file)}` }))),
  ];
}

/** A file as its program reads it: Claude's commands have neither an agent in front matter nor named inputs. */
export function contentFor({ to }: AgentFile, text: string): string {
  if (!to.startsWith('.claude/commands/')) return text;
  return text.replace(/^agent: .*\n/m, '').replaceAll(/\$\{input:[^{}$]{0,300}\}/g, '$ARGUMENTS');
}
