import type { DetailCell, DetailTable, KindDetails } from '../../../core/kind/kind-descriptor.ts';
import { isWord, recordsIn, type Seen, seenIn, textsIn, WORD_TEXTS, WORD_TONES } from './seen.ts';

// The panel shows of an atom, a group or the goal what is known of each item, what was made, tried and chosen.

type Row = readonly DetailCell[];

/** The ends of a try, for people. */
const ENDS = {
  resolved: 'resolved',
  failed: 'failed',
  conflict: 'in conflict with other work',
  contradicted: 'contradicted',
  decomposed: 'split into parts',
  probed: 'found out that it can be done',
  infeasible: 'found out that it cannot be done',
  dropped: 'dropped',
} as const;

const T = {
  evidence: 'Evidence',
  item: 'Item',
  word: 'How sure',
  exit: 'Exit code',
  commit: 'Commit',
  hash: 'Hash of the output',
  votes: 'Votes',
  by: 'By',
  time: 'Time',
  seen: 'What was seen',
  unknown: 'not checked yet',
  work: 'What was made',
  summary: 'Summary',
  artifacts: 'Artifacts',
  outside: 'Changed outside of what it touches',
  tries: 'Tries',
  iteration: 'Iteration',
  end: 'How it ended',
  underWay: 'under way',
  choices: 'Choices',
  chosen: 'Chosen',
  reason: 'Reason',
  task: 'What is to be done',
  does: 'In full',
  run: 'Command',
  touches: 'Touches',
  uses: 'Uses',
  probe: 'Probe',
  feasible: 'It can be done',
  infeasible: 'It cannot be done',
  first: 'comes first',
} as const;

const text = (value: unknown): DetailCell => ({
  text: typeof value === 'string' || typeof value === 'number' ? String(value) : '',
});
const ours = (value: string): DetailCell => ({ text: value, isOurs: true });
const code = (value: unknown): DetailCell => ({ ...text(value), isCode: true });
/** The beginning of a commit or a hash, which is enough to tell it from others. */
const short = (value: unknown): DetailCell => ({ ...code(typeof value === 'string' ? value.slice(0, 10) : '') });
const time = (value: unknown): DetailCell =>
  text(typeof value === 'string' ? value.slice(0, 16).replace('T', ' ') : '');

export const workGraphDetails: KindDetails = {
  texts: [...new Set([...Object.values(T), ...Object.values(ENDS), ...Object.values(WORD_TEXTS)])],
  of: (own) => {
    const seen = seenIn(own);
    return [taskOf(seen), evidenceOf(seen), workOf(seen), triesOf(seen), choicesOf(seen)].filter(
      ({ rows }) => rows.length > 0,
    );
  },
};

function taskOf({ does, run, touches, uses, probe }: Seen): DetailTable {
  const found = seenIn(probe) as { readonly feasible?: unknown; readonly findings?: unknown };
  const rows: Row[] = [
    ...labelled(T.does, text(does)),
    ...labelled(T.run, code(run)),
    ...labelled(T.touches, code(textsIn(touches).join('\n'))),
    ...labelled(T.uses, text(textsIn(uses).join(', '))),
    ...(probe === 'first' ? [[ours(T.probe), ours(T.first)]] : []),
    ...(typeof found.feasible === 'boolean'
      ? [[ours(T.probe), ours(found.feasible ? T.feasible : T.infeasible), text(found.findings)]]
      : []),
  ];
  return { title: T.task, rows };
}

function labelled(label: string, cell: DetailCell): Row[] {
  return cell.text === '' ? [] : [[ours(label), cell]];
}

/** Returns each item of the checklist, in its order, then what else there is evidence of. */
function evidenceOf({ checks, evidence }: Seen): DetailTable {
  const known = new Map(recordsIn(evidence).map((each) => [String(each['item']), each]));
  const items = itemsIn(checks, '');
  const places = new Set([...items.keys(), ...known.keys()]);
  const rows = [...places].map((place): Row => {
    const { word, exitCode, commit, outputHash, votes, by, time: when, seen } = known.get(place) ?? {};
    return [
      text(
        items.get(place) ??
          `${T.item} ${place
            .split('.')
            .map((each) => Number(each) + 1)
            .join('.')}`,
      ),
      isWord(word) ? { ...ours(WORD_TEXTS[word]), tone: WORD_TONES[word] } : { ...ours(T.unknown), tone: 'dim' },
      text(exitCode),
      short(commit),
      short(outputHash),
      text(Array.isArray(votes) ? votes.map(String).join(', ') : ''),
      text(by),
      time(when),
      text(seen),
    ];
  });
  const columns = [T.item, T.word, T.exit, T.commit, T.hash, T.votes, T.by, T.time, T.seen];
  return { title: T.evidence, columns, rows };
}

/** Returns the names of the single checks by their place: `0`, `2.1`. */
function itemsIn(checks: unknown, above: string): Map<string, string> {
  const items = new Map<string, string>();
  for (const [i, each] of recordsIn(checks).entries()) {
    const place = `${above}${i}`;
    const parts = [...itemsIn(each['all_of'], `${place}.`), ...itemsIn(each['any_of'], `${place}.`)];
    if (parts.length === 0) items.set(place, String(each['item'] ?? ''));
    for (const [at, item] of parts) items.set(at, `${String(each['item'] ?? '')}: ${item}`);
  }
  return items;
}

function workOf({ work, joined }: Seen): DetailTable {
  const { summary, artifacts, outside, by, commit } = seenIn(work) as Readonly<Record<string, unknown>>;
  const rows: Row[] = [
    ...labelled(T.summary, text(summary)),
    ...labelled(T.artifacts, code(textsIn(artifacts).join('\n'))),
    ...labelled(T.outside, code(textsIn(outside).join('\n'))),
    ...labelled(T.by, text(by)),
    ...labelled(T.commit, short(joined ?? commit)),
  ];
  return { title: T.work, rows };
}

function triesOf({ tries }: Seen): DetailTable {
  const rows = recordsIn(tries).map(({ iteration, ended, by, seen }): Row => {
    const end = typeof ended === 'string' && Object.hasOwn(ENDS, ended) ? ENDS[ended as keyof typeof ENDS] : T.underWay;
    return [text(iteration), ours(end), text(by), text(seen)];
  });
  return { title: T.tries, columns: [T.iteration, T.end, T.by, T.seen], rows };
}

function choicesOf({ trail }: Seen): DetailTable {
  const rows = recordsIn(trail).map(
    ({ selected, reason, time: when }): Row => [text(selected), text(reason), time(when)],
  );
  return { title: T.choices, columns: [T.chosen, T.reason, T.time], rows };
}
