import { createHash } from 'node:crypto';
import type { Model, ModelCall, ModelRequest, Turn } from '../../core/ports/model.ts';
import { isThoughtTreeError } from '../../core/search/errors.ts';
import type { Agent, AgentQuestion } from './agent.ts';

/**
 * An agent as a model. A request continues in a fork of the last session that its turns name and that exists here; what
 * was said since then, or everything if there is none, is sent as text. In a workplace, a question that was stopped, even
 * with its process, continues in the session that was begun for it.
 */
export function agentModel(agent: Agent): Model {
  return {
    name: agent.name,
    label: agent.label,
    free: false,
    worksByItself: true,
    changesWorkspace: agent.changesWorkspace,
    most: { tokens: agent.limits.tokens, usd: agent.limits.usd },
    async generate(request, call) {
      const begun = await begunSessions(agent, request, call);
      const place = await lastSession(agent, request);
      try {
        return await agent.ask(questionFrom(request, place, begun), call);
      } catch (error) {
        // It existed a moment ago, or belongs to another folder.
        const wasForked = place !== undefined || begun?.last !== undefined;
        if (!wasForked || !isThoughtTreeError(error, 'not-found')) throw error;
        return agent.ask(questionFrom(request, undefined, begun && { next: begun.next }), call);
      }
    },
    close: () => agent.close(),
  };
}

/** The sessions that were begun for a question in a workplace: the last that exists, and the id for the next one. */
interface Begun {
  readonly last?: string;
  readonly next: string;
}

/** The most sessions for one question. */
const MOST_SESSIONS = 100;

async function begunSessions(
  agent: Agent,
  { workplace, isLast }: ModelRequest,
  { question }: ModelCall,
): Promise<Begun | undefined> {
  if (!workplace || isLast) return undefined;
  let last: string | undefined;
  for (let nth = 0; nth < MOST_SESSIONS; nth++) {
    const id = sessionId(question, nth);
    if (!(await agent.hasSession(id, workplace))) return { ...(last !== undefined && { last }), next: id };
    last = id;
  }
  return undefined;
}

/** A UUID by what it is for, so that nobody has to keep it. */
function sessionId(question: string, nth: number): string {
  const hex = createHash('sha256').update(`${question} ${nth}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** The index of the last turn whose session exists here. */
async function lastSession(agent: Agent, { turns, workplace }: ModelRequest): Promise<number | undefined> {
  for (let place = turns.length - 1; place >= 0; place--) {
    const session = turns[place]?.session;
    if (session !== undefined && (await agent.hasSession(session, workplace))) return place;
  }
  return undefined;
}

function questionFrom(request: ModelRequest, place: number | undefined, begun: Begun | undefined): AgentQuestion {
  const { turns, system, prompt, workplace, isLast = false, maxOutputTokens } = request;
  const named = place === undefined ? undefined : turns[place]?.session;
  // A session of this very question got at least as far as those that its turns name.
  const from = begun?.last ?? named;
  const isStopped = from !== undefined && from !== named;
  const since = turns.slice(place === undefined ? 0 : place + 1);
  return {
    system,
    prompt: isStopped ? `${STOPPED}${prompt}` : `${asText(since)}${prompt}`,
    ...(from === undefined ? {} : { from }),
    ...(workplace && { workplace }),
    ...(begun && { id: begun.next }),
    isKept: !isLast,
    maxOutputTokens,
  };
}

const STOPPED =
  'You were stopped in the middle of this. What you did is still there: look at it, and go on. This was asked:\n\n';

/** The previous turns, for a session that does not contain them. */
function asText(turns: readonly Turn[]): string {
  if (turns.length === 0) return '';
  const said = turns.map(({ role, text }) => `<${role}>\n${text}\n</${role}>`).join('\n');
  return `This was said before in our conversation:\n<conversation>\n${said}\n</conversation>\n\nGo on from there.\n\n`;
}
