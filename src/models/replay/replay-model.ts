import { basename } from 'node:path';
import type { Message } from '../../core/messages/message.ts';
import type { Model, ModelAnswer, ModelRequest } from '../../core/ports/model.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { oneLine } from '../../core/text/text.ts';
import * as say from '../messages.ts';
import { findRecording, type Recorded, readRecording } from './read-recording.ts';
import { requestKey, type Words } from './request-key.ts';

const MAX_NAME = 120;

/**
 * A model that answers from a recording: offline, free of charge, the same every time. If one request was
 * answered several times, it gives the answers in their order, and then again from the first one.
 * @param places absolute paths where the recording may be; the first that exists is read
 * @param name the part after `replay/`
 * @throws ThoughtTreeError `not-found`, `damaged`, `newer-version`, `bad-input`
 */
export async function openReplayModel(places: readonly string[], name: string): Promise<Model> {
  const file = await findRecording(places);
  const { requests, models } = await readRecording(file);
  const asked = new Map<string, number>();
  const contexts = models.flatMap(({ contextTokens }) => contextTokens ?? []);
  const recordedOf = oneLine(models.map((model) => model.name).join(', '), MAX_NAME) || 'nothing';
  return {
    name: `replay/${name}`,
    label: `Replay of ${basename(file)} (${recordedOf})`,
    free: true,
    ...(models.length > 0 && models.every(({ prose }) => prose === false) ? { prose: false } : {}),
    ...(models.some(({ tools }) => tools) ? { tools: true } : {}),
    ...(contexts.length > 0 ? { contextTokens: Math.min(...contexts) } : {}),
    async generate(request, { signal, onText }) {
      if (signal.aborted) throw new ThoughtTreeError('aborted', say.callStopped(), { charged: false });
      const key = requestKey(request);
      const recorded = requests.get(key);
      if (!recorded) throw notRecorded(file, request, [...requests.values()]);
      const turn = asked.get(key) ?? 0;
      asked.set(key, turn + 1);
      const answer = recorded.answers[turn % recorded.answers.length] as ModelAnswer;
      onText?.(answer.text);
      return answer;
    },
  };
}

function notRecorded(file: string, request: ModelRequest, recorded: readonly Recorded[]): ThoughtTreeError {
  const nearest = nearestTo(request, recorded);
  const { purpose } = request;
  const near = nearest
    ? say.nearestRecorded({ node: shown(nearest.node), where: nearest.where })
    : say.nothingRecorded({ purpose });
  const what = { file: basename(file), purpose, node: shown(request.node), nearest: near };
  return new ThoughtTreeError('not-found', say.notRecorded(what), { charged: false });
}

function shown(node: string): Message {
  return node === '' ? say.searchItself() : say.quotedNode({ node: oneLine(node, MAX_NAME) });
}

/** The recorded request of the same purpose with the longest common beginning, and where they differ. */
function nearestTo(request: Words, recorded: readonly Recorded[]): { node: string; where: Message } | undefined {
  const wanted = partsOf(request);
  let best: { node: string; where: Message; alike: number } | undefined;
  for (const each of recorded) {
    if (each.purpose !== request.purpose) continue;
    const parts = partsOf(each);
    let alike = 0;
    let at = 0;
    for (; at < wanted.length; at++) {
      const length = alikeAtStart(wanted[at]?.text ?? '', parts[at]?.text ?? '');
      alike += length;
      if (wanted[at]?.text !== parts[at]?.text) break;
    }
    const where = (wanted[at] ?? wanted.at(-1))?.what ?? say.itsBeginning();
    if (!best || alike > best.alike) best = { node: each.node, where, alike };
  }
  return best;
}

function partsOf({ system, turns, prompt }: Words): { what: Message; text: string }[] {
  return [
    { what: say.systemText(), text: system },
    ...turns.map(({ role, text }, index) => ({ what: say.turnText({ number: index + 1, role }), text })),
    { what: say.promptText(), text: prompt },
  ];
}

function alikeAtStart(a: string, b: string): number {
  if (a === b) return a.length;
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return at;
}
