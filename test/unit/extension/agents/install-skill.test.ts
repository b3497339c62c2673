import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import '../use-fake-vscode.ts';
import type * as vscode from 'vscode';
import { frontMatter } from '../../../support/front-matter.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { fake, Uri, workspace } from '../fake-vscode.ts';

const { installSkill } = await import('../../../../src/extension/agents/install-skill.ts');

const ROOT = join(import.meta.dirname, '../../../..');
const EXTENSION = Uri.file(ROOT) as unknown as vscode.Uri;

describe('Install the Skill', () => {
  let folder: string;
  const install = async (label: RegExp, question = (_: unknown): unknown => undefined): Promise<void> => {
    fake.answer = (asked) =>
      Array.isArray(asked) ? asked.find((item: { label: string }) => label.test(item.label)) : question(asked);
    await installSkill(EXTENSION);
  };
  beforeEach(() => {
    fake.reset();
    folder = temporaryFolder('skill');
    workspace.workspaceFolders = [{ uri: Uri.file(folder), name: 'work' }];
  });
  after(() => {
    workspace.workspaceFolders = [];
  });

  it('copies skills and agent to where Claude Code looks for them', async () => {
    await install(/^Claude Code, in this folder/);
    const text = (path: string): string => readFileSync(join(folder, '.claude', path), 'utf8');
    const ours = readFileSync(join(ROOT, 'media/agents/tree-search/SKILL.md'), 'utf8');
    assert.equal(text('skills/tree-search/SKILL.md'), ours);
    assert.match(text('agents/tree-researcher.md'), /^---\nname: tree-researcher\n/);
    assert.deepEqual(readdirSync(join(folder, '.claude')).toSorted(), ['agents', 'skills']);
  });

  for (const [program, skills, others] of [
    [/^Claude Code, in this folder/, '.claude/skills', ['.claude']],
    [/^Codex.*in this folder/, '.agents/skills', ['.agents']],
    [/^GitHub Copilot, in this folder/, '.github/skills', ['.github']],
  ] as const)
    it(`makes skills of the prompts, which one program alone reads, in ${skills}`, async () => {
      await install(program);
      assert.deepEqual(readdirSync(folder), others);
      const names = readdirSync(join(folder, skills)).toSorted();
      assert.deepEqual(names, ['explain-node', 'investigate', 'tree-search']);
      for (const name of names) {
        const { data, content } = frontMatter(readFileSync(join(folder, skills, name, 'SKILL.md'), 'utf8'));
        assert.deepEqual(Object.keys(data).toSorted(), ['description', 'name']);
        assert.equal(data['name'], name, 'a skill is found by the name of its folder only');
        assert.doesNotMatch(content, /\$\{|\$ARGUMENTS/);
      }
      const text = readFileSync(join(folder, skills, 'investigate/SKILL.md'), 'utf8');
      assert.match(text, /: as the user says it; if they did not, ask: What is the question\?\n/);
      assert.match(text, /`tot_start`/);
    });

  it('asks before it replaces what somebody changed, and replaces nothing then', async () => {
    await install(/^Claude Code, in this folder/);
    const skill = join(folder, '.claude/skills/investigate/SKILL.md');
    writeFileSync(skill, 'mine');
    fake.messages = [];
    await install(/^Claude Code, in this folder/, () => undefined);
    assert.match(fake.messages[0] ?? '', /^Replace what is there/);
    assert.equal(fake.detail, '.claude/skills/investigate/SKILL.md', 'only what would change is named');
    assert.equal(readFileSync(skill, 'utf8'), 'mine');
    await install(/^Claude Code, in this folder/, (asked) => (/^Replace/.test(String(asked)) ? 'Replace' : undefined));
    assert.match(readFileSync(skill, 'utf8'), /^---\nname: investigate\n/);
  });

  it('asks nothing where the same is there already', async () => {
    await install(/^Claude Code, in this folder/);
    fake.messages = [];
    await install(/^Claude Code, in this folder/);
    assert.match(fake.messages.join(), /^Installed in /);
  });

  it('follows no link out of the folder', async () => {
    const elsewhere = temporaryFolder('elsewhere');
    mkdirSync(join(folder, '.claude'));
    symlinkSync(elsewhere, join(folder, '.claude/skills'));
    await assert.rejects(install(/^Claude Code, in this folder/), /leads to another place/);
    assert.deepEqual(readdirSync(elsewhere), []);
  });
});

describe('the files for agents', () => {
  const { contributes } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const paths = ['chatSkills', 'chatAgents', 'chatPromptFiles'].flatMap((point) =>
    contributes[point].map(({ path }: { path: string }) => path),
  );

  for (const path of paths as string[])
    it(`say what they are for: ${path}`, () => {
      const { data, content } = frontMatter(readFileSync(join(ROOT, path), 'utf8'));
      assert.match(data['description'] ?? '', /^[A-Z].{20,1020}$/);
      // A skill is found by the name of its folder only.
      if (path.endsWith('SKILL.md')) assert.equal(data['name'], path.split('/').at(-2));
      assert.ok(content.length < 5000);
      if (/tot_end/.test(content)) assert.match(content, /before (?:`tot_end`|it) has answered `OK`/);
    });
});
