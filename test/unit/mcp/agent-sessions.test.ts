import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { findAgents } from '../../../src/searches/agent-sessions.ts';
import { writeAgentSession } from '../../support/investigation/agent-session.ts';

const AGENT = 'a0123456789abcdef';
const PROPOSED = Date.UTC(2026, 0, 1);
const NODE = { id: 'R2.A1', proposedAt: PROPOSED };

describe("agents' session files", () => {
  let home: string;
  let repository: string;
  beforeEach(async () => {
    home = await realpath(await mkdtemp(join(tmpdir(), 'thought-tree-sessions-')));
    repository = join(home, 'repository');
    await mkdir(join(repository, '.git', 'worktrees', 'fix'), { recursive: true });
  });
  afterEach(() => rm(home, { recursive: true, force: true }));

  const encoded = (folder: string): string => folder.replace(/[^a-zA-Z0-9]/g, '-');
  /** The folder of a project's sessions, with one of them. */
  async function project(folder: string, name = encoded(folder)): Promise<string> {
    const sessions = join(home, 'projects', name);
    await mkdir(sessions, { recursive: true });
    await writeFile(join(sessions, 's1.jsonl'), '{}\n');
    return sessions;
  }
  const inSession = (sessions: string, session = 's1'): string =>
    join(sessions, session, 'subagents', `agent-${AGENT}.jsonl`);
  const write = async (file: string): Promise<void> =>
    await writeAgentSession(file, { asked: 'Research R2.A1: read.', begunAt: PROPOSED + 1 });
  const look = async (projectDir: string, profile: 'strict' | 'g2' = 'strict') =>
    (await findAgents({ profile, projectDir }, [{ id: AGENT, node: NODE }], { CLAUDE_CONFIG_DIR: home }))[AGENT];

  /** Where clients put the file of an agent, and the folder that the investigation knows. */
  const LAYOUTS: readonly (readonly [name: string, make: () => Promise<string>])[] = [
    [
      'of the session that spawned them',
      async () => {
        await write(inSession(await project(repository)));
        return repository;
      },
    ],
    [
      'of a folder whose name is too long, so that it is cut and gets a hash',
      async () => {
        const long = join(home, 'x'.repeat(250));
        await write(inSession(await project(long, `${encoded(long).slice(0, 200)}-a1b2c3`)));
        return long;
      },
    ],
    [
      'of a folder that is known by a link',
      async () => {
        await write(inSession(await project(repository)));
        await symlink(repository, join(home, 'link'));
        return join(home, 'link');
      },
    ],
    [
      'of another worktree of the repository',
      async () => {
        const tree = join(repository, '.claude', 'worktrees', 'fix');
        await mkdir(join(tree, 'app'), { recursive: true });
        await mkdir(join(repository, 'app'));
        await writeFile(join(repository, '.git', 'worktrees', 'fix', 'gitdir'), `${join(tree, '.git')}\n`);
        await writeFile(join(repository, '.git', 'worktrees', 'fix', 'commondir'), '../..\n');
        await writeFile(join(tree, '.git'), `gitdir: ${join(repository, '.git', 'worktrees', 'fix')}\n`);
        await write(inSession(await project(join(tree, 'app'))));
        assert.equal(await look(join(tree, 'app')), 'found');
        return join(repository, 'app');
      },
    ],
    [
      'of a client that was started in a folder above',
      async () => {
        await write(inSession(await project(repository)));
        return join(repository, 'packages', 'app');
      },
    ],
    [
      'of older clients, which put them beside the sessions',
      async () => {
        await write(join(await project(repository), `agent-${AGENT}.jsonl`));
        return repository;
      },
    ],
    [
      'of a session that was continued as another one, to which the file is linked',
      async () => {
        const [elsewhere, linked] = [join(home, 'elsewhere'), inSession(await project(repository))];
        await write(join(elsewhere, `agent-${AGENT}.jsonl`));
        await mkdir(dirname(linked), { recursive: true });
        await symlink(join(elsewhere, `agent-${AGENT}.jsonl`), linked);
        return repository;
      },
    ],
    [
      'of a session that many newer ones came after',
      async () => {
        const sessions = await project(repository);
        await write(inSession(sessions));
        await utimes(join(sessions, 's1.jsonl'), 1, 1);
        for (const newer of ['s2', 's3', 's4', 's5', 's6', 's7', 's8'])
          await writeFile(join(sessions, `${newer}.jsonl`), '{}\n');
        return repository;
      },
    ],
  ];
  for (const [name, make] of LAYOUTS)
    it(`are found: ${name}`, async () => {
      assert.equal(await look(await make()), 'found');
    });

  it('are waited for a moment, as clients write them after the agent has answered', async () => {
    const file = inSession(await project(repository));
    const asked = look(repository);
    setTimeout(() => void write(file), 150);
    assert.equal(await asked, 'found');
  });

  it('are waited for a moment, too, where they are only begun', async () => {
    const file = inSession(await project(repository));
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, '{"type":"user","timest');
    const asked = look(repository);
    setTimeout(() => void write(file), 150);
    assert.equal(await asked, 'found');
  });

  it('are sought by the original in the five newest sessions, whatever is in them', async () => {
    const sessions = await project(repository, repository.replaceAll('/', '-'));
    await mkdir(join(sessions, 's1', 'subagents'), { recursive: true });
    await writeFile(inSession(sessions), '');
    assert.equal(await look(repository, 'g2'), 'found');
  });

  it('count only for a node that their agent was asked about, after it was proposed, and is done with', async () => {
    const file = inSession(await project(repository));
    const judged = async (session: Parameters<typeof writeAgentSession>[1]) => {
      await writeAgentSession(file, { begunAt: PROPOSED + 1, ...session });
      return await look(repository);
    };
    assert.equal(await judged({ asked: 'Research R2.A1.' }), 'found');
    assert.equal(await judged({ asked: 'Research R2.A1.', isFork: true }), 'found');
    assert.equal(await judged({ asked: 'Research R2.A1.', begunAt: PROPOSED - 1 }), 'older');
    assert.equal(await judged({ asked: 'Research R2.A12, a child of R1.A.' }), 'unnamed');
    assert.equal(await judged({ asked: 'Research R2.A1.', isUnderWay: true }), 'under-way');
    await writeFile(file, 'no JSON');
    assert.equal(await look(repository), 'under-way');
  });

  it('count for the agent that they are of, not for another name', async () => {
    const file = inSession(await project(repository));
    await writeAgentSession(file, { asked: 'Research R2.A1.', begunAt: PROPOSED + 1, agentId: 'afedcba9876543210' });
    assert.equal(await look(repository), 'missing');
  });

  it('are not sought where there are no sessions', async () => {
    assert.equal(await look(repository), 'no-sessions');
    assert.deepEqual(await findAgents({ profile: 'strict', projectDir: '' }, [{ id: AGENT }], {}), {});
  });
});
