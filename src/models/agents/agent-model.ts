import type { Model, ModelRequest, Turn } from '../../core/ports/model.ts';
import { isThoughtTreeError } from '../../core/search/errors.ts';
import type { Agent, AgentQuestion } from './agent.ts';

/**
 * An agent as a model. A request continues in a fork of the last session that its turns name and that exists here; what
 * was said since then, or everything if there is none, is sent as text.
 */
export function agentModel(agent: Agent): Model {
  return {
    name: agent.name,
    label: agent.label,
    free: false,
    most: { tokens: agent.limits.tokens, usd: agent.limits.usd },
    async generate(request, call) {
      const place = await lastSession(agent, request.turns);
      try {
        return await agent.ask(questionFrom(request, place), call);
      } catch (error) {
        // It existed a moment ago, or belongs to another folder.
        if (place === undefined || !isThoughtTreeError(error, 'not-found')) throw error;
        return agent.ask(questionFrom(request, undefined), call);
      }
    },
    close: () => agent.close(),
  };
}

/** The index of the last turn whose session exists here. */
async function lastSession(agent: Agent, turns: readonly Turn[]): Promise<number | undefined> {
  for (let place = turns.length - 1; place >= 0; place--) {
    const session = turns[place]?.session;
    if (session !== undefined && (await agent.hasSession(session))) return place;
  }
  return undefined;
}

function questionFrom(request: ModelRequest, place: number | undefined): AgentQuestion {
  const { turns, system, prompt, isLast = false, maxOutputTokens } = request;
  const from = place === undefined ? undefined : turns[place]?.session;
  const since = turns.slice(place === undefined ? 0 : place + 1);
  return {
    system,
    prompt: `${asText(since)}${prompt}`,
    ...(from === undefined ? {} : { from }),
    isKept: !isLast,
    maxOutputTokens,
  };
}

/** The previous turns, for a session that does not contain them. */
function asText(turns: readonly Turn[]): string {
  if (turns.length === 0) return '';
  const said = turns.map(({ role, text }) => `<${role}>\n${text}\n</${role}>`).join('\n');
  return `This was said before in our conversation:\n<conversation>\n${said}\n</conversation>\n\nGo on from there.\n\n`;
}
