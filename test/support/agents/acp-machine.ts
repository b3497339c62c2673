import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import type { Model } from '../../../src/core/ports/model.ts';
import type { StartedAgent } from '../../../src/models/agents/agent.ts';
import { openWithEnvironment, readEnvironment } from '../../../src/searches/models/environment.ts';

const SCRIPT = fileURLToPath(new URL('./scripted-acp.ts', import.meta.url));

/** What the agent was asked, in order: what its session had before, and what that cost. */
interface AskedAgent {
  readonly sessionId: string;
  readonly text: string;
  readonly before: readonly string[];
  readonly usd: number;
}

/** A workspace, and a scripted agent in the user's own settings. */
export class AcpMachine {
  readonly home = realpathSync(mkdtempSync(join(tmpdir(), 'thought-tree-acp-')));
  readonly workspace = join(this.home, 'workspace');
  readonly state = join(this.home, 'agent');
  /** The questions whether an agent may be started. */
  readonly asked: StartedAgent[] = [];
  agrees = true;
  readonly #own = join(process.env['XDG_STATE_HOME'] ?? '', 'thought-tree');

  /** @param way what the agent does, see scripted-acp.ts */
  constructor(way: string) {
    for (const folder of [this.workspace, this.state, this.#own]) mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(join(this.workspace, 'a.txt'), 'mine\n');
    // As one file of its own folder: the sandbox hides the temporary one, in which all of this may lie.
    const script = join(this.state, 'agent.mjs');
    buildSync({ entryPoints: [SCRIPT], outfile: script, bundle: true, platform: 'node', format: 'esm' });
    this.settings([process.execPath, script, way, this.state]);
  }

  /** Writes the user's own settings. */
  settings(command: readonly string[]): void {
    const agents = { scripted: { command, writes: [this.state] } };
    writeFileSync(join(this.#own, 'agents.json'), JSON.stringify({ version: 1, agents }));
  }

  /** Opens it, as a host does whose person can be asked. */
  open(limits: { readonly usd?: number } = {}): Promise<Model> {
    const mayStart = async (agent: StartedAgent): Promise<boolean> => {
      this.asked.push(agent);
      return this.agrees;
    };
    const env = readEnvironment({ PATH: process.env['PATH'] });
    const agent = { mayStart, limits };
    return openWithEnvironment('acp/scripted', { workspace: this.workspace, env, agent });
  }

  get log(): readonly AskedAgent[] {
    return this.lines('log.jsonl') as readonly AskedAgent[];
  }

  /** Returns what the agent noted in a file of its own. */
  lines(name: string): readonly unknown[] {
    try {
      const text = readFileSync(join(this.state, name), 'utf8');
      return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as unknown]));
    } catch {
      return [];
    }
  }

  /** Lets all questions from now on hang, or no more. */
  hang(isHanging = true): void {
    if (isHanging) writeFileSync(join(this.state, 'hang'), '');
    else rmSync(join(this.state, 'hang'));
  }

  close(): void {
    rmSync(this.home, { recursive: true, force: true });
    for (const name of ['agents.json', 'agents-agreed.json']) rmSync(join(this.#own, name), { force: true });
  }
}
