import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findAgents } from '../../../src/mcp/investigations/agent-sessions.ts';

describe("agents' session files", () => {
  let home: string;
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'thought-tree-sessions-'));
  });
  afterEach(() => rm(home, { recursive: true, force: true }));

  it('are waited for a moment, as clients write them after the agent has answered', async () => {
    const project = join(home, 'projects', '-home-me-project');
    const agents = join(project, 'session', 'subagents');
    await mkdir(agents, { recursive: true });
    await writeFile(join(project, 'session.jsonl'), '');
    const setup = { profile: 'strict', projectDir: '/home/me/project' } as const;
    const asked = findAgents(setup, ['a1', 'a2'], { CLAUDE_CONFIG_DIR: home });
    setTimeout(() => void writeFile(join(agents, 'agent-a1.jsonl'), ''), 150);
    assert.deepEqual(await asked, { a1: 'found', a2: 'missing' });
  });
});
