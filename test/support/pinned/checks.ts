import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { changesBetween, diskState } from '../e2e-disk.ts';
import { isTheSame, saysTheSame, tellsAsMuch } from './comparing.ts';
import { type KeptFiles, Place, type RunCommand } from './place.ts';
import { endOf, exportsOf, type PinnedEnd, type PinnedStatus, reportOf, shownOf, statusOf } from './said.ts';
import { OPENINGS, PINNED, type PinnedScript, type PinnedServer } from './scripts.ts';

const KEPT = join(import.meta.dirname, '../../fixtures/pinned');

/** A pinned search, unpacked. */
interface Unpacked {
  readonly place: Place;
  readonly script: PinnedScript;
  readonly server: PinnedServer;
  /** What is kept of it, by the name of the file. */
  readonly kept: (file: string) => string;
}

/** Unpacks a pinned search and starts its model for as long as something is done with it. */
export async function withPinned(
  name: string,
  run: RunCommand,
  use: (pinned: Unpacked) => Promise<void>,
): Promise<void> {
  const script = PINNED[name] as PinnedScript;
  const kept = (file: string): string => readFileSync(join(KEPT, name, file), 'utf8');
  const place = await Place.make(JSON.parse(kept('files.json')) as KeptFiles, run);
  const server = await script.serve();
  place.baseUrl = server.baseUrl;
  try {
    await use({ place, script, server, kept });
  } finally {
    await server.close();
    await place.remove();
  }
}

/** Checks that nothing that is read of it has changed, and that reading it changes no file. */
export async function looksAsPinned({ place, script, server, kept }: Unpacked): Promise<void> {
  const before = diskState(place.root);
  const status = JSON.parse(kept('status.json')) as PinnedStatus;
  saysTheSame(await statusOf(place), status, 'status');
  for (const [file, text] of Object.entries(await exportsOf(place, script))) {
    const was = kept(file);
    if (/\.(dot|mermaid|md)$/.test(file)) tellsAsMuch(text, was, wordsOf(status), file);
    else if (was.startsWith('{')) isTheSame(JSON.parse(text), JSON.parse(was), file);
    else assert.equal(text, was, file);
  }
  // The user's own folder may be made by looking, where there was none.
  const changes = changesBetween(before, diskState(place.root)).filter(
    (path) => path in before || !/^state/.test(path),
  );
  assert.deepEqual(changes, []);
  assert.deepEqual(server.asked(), []);
}

/** Checks that the calls of the search and of its first node are told to their exact words. */
export async function callsAsPinned({ place, kept }: Unpacked): Promise<void> {
  saysTheSame(await shownOf(place), JSON.parse(kept('shown.json')), 'what is shown');
}

/** Checks that a report made anew tells what it told. */
export async function reportsAsPinned({ place, kept }: Unpacked): Promise<void> {
  const status = JSON.parse(kept('status.json')) as PinnedStatus;
  tellsAsMuch(await reportOf(place), kept('report.md'), wordsOf(status), 'the report');
  saysTheSame((await statusOf(place)).nodes, status.nodes, 'the tree');
}

/** Checks that it comes to its end, and that nothing is asked again that was paid for. */
export async function endsAsPinned({ place, script, server, kept }: Unpacked): Promise<void> {
  const [end, before] = [JSON.parse(kept('end.json')) as PinnedEnd, JSON.parse(kept('status.json')) as PinnedStatus];
  let { goOn } = script;
  if (before.state === 'finished') {
    const { end: now, status } = await endOf(place, goOn.slice(0, 1), server, end.paid);
    assert.deepEqual([server.asked(), now.rewritten], [[], []], 'what is finished is not worked on');
    saysTheSame(status.nodes, before.nodes, 'the tree');
    goOn = goOn.slice(1);
    if (goOn.length === 0) return;
  }
  const { end: now, status } = await endOf(place, goOn, server, end.paid);
  isTheSame(now.nodes, end.nodes, 'the tree at its end');
  isTheSame(now.documents, end.documents, 'documents');
  assert.deepEqual([now.state, now.rewritten, now.askedAgain], [end.state, end.rewritten, end.askedAgain]);
  assert.ok(status.results.calls >= before.results.calls + server.asked().length, 'a call is missing in the spend');
}

/** Returns what texts for people tell of a search. */
function wordsOf({ nodes }: PinnedStatus): string[] {
  return [...nodes.map(({ title }) => title), ...OPENINGS];
}

/** Returns the titles of its nodes. */
export function titlesOf(kept: Unpacked['kept']): string[] {
  return (JSON.parse(kept('status.json')) as PinnedStatus).nodes.map(({ title }) => title);
}
