import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Model, ModelAnswer, ModelRequest } from '../../../src/core/ports/model.ts';
import { AgentPlace, type AgentPlaceOptions } from '../../../src/fleet/agents.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { modelOf } from './fake-fleet.ts';

export const AGENT = 'claude/sonnet';
/** The limits of one question. */
export const MOST = { tokens: 300_000, usd: 0.5 };

export const SAID: ModelAnswer = {
  text: 'An answer.',
  finish: 'stop',
  usage: { prompt: 90_000, cached: 50, completion: 4000, written: 7, usd: 0.2 },
  session: '3d1d0a52-7f3c-4a7b-9f0e-111111111111',
};

/** Returns an agent that says the same to everything, and what it was asked. */
export function fakeAgent(more: Partial<Model> = {}): Model & { readonly asked: ModelRequest[] } {
  const asked: ModelRequest[] = [];
  const generate: Model['generate'] = async (request) => {
    asked.push(request);
    return SAID;
  };
  return { asked, ...modelOf(generate, { name: AGENT, tools: false, most: MOST, worksByItself: true, ...more }) };
}

/** A folder in which agents may work. */
export function agentFolder(): string {
  const folder = join(temporaryFolder('agents'), 'workspace');
  mkdirSync(folder);
  return folder;
}

/** It as the user with the key of a `FakeFleet` knows it on one computer, or somebody else. */
export function agentPlace(folder: string, more: Partial<AgentPlaceOptions> = {}): Promise<AgentPlace> {
  return AgentPlace.open({ key: 'k', host: 'here', folder, ...more });
}
