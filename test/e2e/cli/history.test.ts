import assert from 'node:assert/strict';
import { appendFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { makeWorkspace, runCli } from './run-cli.ts';

const DIR = 'thought-trees/waiting';
const SECRET = 'my "secret" word';

describe('thought-tree log, why, undo, fork, compare and forget', () => {
  let workspace: Awaited<ReturnType<typeof makeWorkspace>>;
  before(async () => {
    workspace = await makeWorkspace();
    const question = 'How long does a search wait for its model?';
    assert.equal((await run('start', question, '--title', 'Waiting', '--max-depth', '1')).code, 0);
  });
  after(() => workspace.remove());
  const run = (...args: string[]): ReturnType<typeof runCli> => runCli(args, { cwd: workspace.folder });
  const file = (...path: string[]): string => join(workspace.folder, DIR, ...path);

  it('shows a search as it was, and changes nothing in that', async () => {
    assert.equal((await run('log', DIR, '--name', 'done')).code, 0);
    const log = await run('log', DIR);
    assert.match(log.stdout, /@\d+ .* Began with workspace\/quotes\.\n/);
    assert.match(log.stdout, /Finished\. {2}@done\n/);
    const added = /@(\d+) +\S+ \S+ +\d+ nodes? below “Waiting”/.exec(log.stdout)?.[1] as string;
    const journal = await readFile(file('.search', 'journal.jsonl'), 'utf8');
    const then = JSON.parse((await run('status', `${DIR}@${Number(added) - 1}`, '--json')).stdout);
    assert.deepEqual([then.nodes, then.state], [[], 'running']);
    assert.match((await run('report', `${DIR}@done`)).stdout, /^# /);
    assert.equal((await run('export', `${DIR}@done`, '--format', 'json')).code, 0);
    const refused = await run('note', `${DIR}@done`, '.', 'Mind this.');
    assert.match(refused.stderr + refused.stdout, /What was cannot be changed/);
    assert.equal(await readFile(file('.search', 'journal.jsonl'), 'utf8'), journal);
  });

  it('undoes a note, does it again, and forgets what it said everywhere in .search', async () => {
    await run('note', DIR, '.', SECRET);
    assert.match((await run('undo', DIR)).stdout, /Undone: note/);
    await assert.rejects(readFile(file('notes.md')), /ENOENT/);
    assert.match((await run('undo', DIR, '--forward')).stdout, /Done again: note/);
    assert.equal(await readFile(file('notes.md'), 'utf8'), `${SECRET}\n`);
    await run('undo', DIR);
    assert.equal((await run('forget', DIR, SECRET)).code, 0);
    for (const entry of await readdir(file('.search'), { withFileTypes: true, recursive: true }))
      if (entry.isFile()) {
        const text = await readFile(join(entry.parentPath, entry.name), 'utf8');
        assert.ok(!text.includes(SECRET) && !text.includes(JSON.stringify(SECRET).slice(1, -1)), entry.name);
      }
    assert.equal((await run('status', DIR)).code, 0);
  });

  it('forks, compares the fork with what it is of, and says why a node is there', async () => {
    const { stdout } = await run('fork', `${DIR}@done`, '--title', 'Mine');
    assert.match(stdout, /thought-trees\/mine/);
    assert.match((await run('list')).stdout, /fork of waiting after event/);
    const { nodes } = JSON.parse((await run('status', 'thought-trees/mine', '--json')).stdout);
    const [{ path }] = nodes as [{ path: string }];
    await appendFile(join(workspace.folder, 'thought-trees', 'mine', path, 'document.md'), '\nOne more.\n');
    const compared = JSON.parse((await run('compare', DIR, 'thought-trees/mine', '--json')).stdout);
    assert.deepEqual(
      compared.changed.map(({ paths }: { paths: { b: string } }) => paths.b),
      [path],
    );
    const why = JSON.parse((await run('why', DIR, path, '--json')).stdout);
    const written = why.causes.find(({ of }: { of: string }) => of === 'document');
    const { calls } = JSON.parse((await run('show', DIR, written.call.node, '--json')).stdout);
    assert.equal(calls[written.call.number - 1].id, written.call.call);
  });

  it('plays a search again for nothing, as it was and smaller', async () => {
    const same = JSON.parse((await run('what-if', DIR, '--json')).stdout);
    const { a, b, changed, alone } = same.comparison;
    assert.deepEqual([changed, alone, same.neverAsked], [[], [], []]);
    assert.deepEqual([b.nodes, b.calls, b.usd], [a.nodes, a.calls, a.usd]);
    const limited = await run('what-if', DIR, '--max-calls', '2');
    assert.match(limited.stdout, /^A +as it was · .*\nB +what if · .* 2 calls · /);
    assert.match((await run('what-if', DIR, '--beam', '3')).stderr, /--beam is for searches that solve/);
  });

  it('marks exactly the nodes that cite a changed line, and writes these alone anew', async () => {
    const cited = await citations(workspace.folder);
    const [{ path: source, from: line }] = cited as [Citation];
    const expected = [...new Set(cited.filter((each) => isAt(each, source, line)).map(({ node }) => node))].sort();
    const all = new Set(cited.map(({ node }) => node));
    assert.ok(expected.length < all.size, 'some cite other lines');
    assert.deepEqual(JSON.parse((await run('update', DIR, '--json')).stdout).nodes, []);
    const lines = (await readFile(join(workspace.folder, source), 'utf8')).split('\n');
    lines[line - 1] = 'Nothing of what was here is here any more.';
    await writeFile(join(workspace.folder, source), lines.join('\n'));
    const { nodes } = JSON.parse((await run('update', DIR, '--json')).stdout);
    assert.deepEqual(nodes.map(({ path }: { path: string }) => path).sort(), expected);
    assert.match((await run('update', DIR)).stdout, /out of date\. .*\nWrite (?:it|them) anew\? Say so with --yes\.\n/);
    const kept = await readdir(file(), { recursive: true });
    assert.equal((await run('update', DIR, '--yes')).code, 0);
    assert.ok((await readdir(file(), { recursive: true })).length >= kept.length);
    assert.deepEqual(JSON.parse((await run('update', DIR, '--json')).stdout).nodes, []);
  });
});

interface Citation {
  readonly node: string;
  readonly path: string;
  readonly from: number;
  readonly to: number;
}

function isAt({ path, from, to }: Citation, file: string, line: number): boolean {
  return path === file && from <= line && line <= to;
}

/** The places that the documents of the search link to. */
async function citations(workspace: string): Promise<Citation[]> {
  const found: Citation[] = [];
  const folder = join(workspace, DIR);
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (entry.name !== 'document.md') continue;
    const node = relative(folder, entry.parentPath).split(sep).join('/');
    const text = await readFile(join(entry.parentPath, entry.name), 'utf8');
    for (const [, path = '', from, to = from] of text.matchAll(/\]\((?:\.\.\/)+([^)#]+)#L(\d+)(?:-L(\d+))?\)/g))
      found.push({ node, path, from: Number(from), to: Number(to) });
  }
  return found;
}
