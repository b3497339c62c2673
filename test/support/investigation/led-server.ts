import { type ScriptedServer, type ScriptedServerOptions, startScriptedServer } from '../servers/scripted-server.ts';
import { type LedManner, ledAnswer } from './led-investigation.ts';

/** Returns a server whose model leads an investigation and keeps to the rules. */
export function startLedServer(manner: LedManner, options: ScriptedServerOptions = {}): Promise<ScriptedServer> {
  return startScriptedServer({
    ...options,
    answer: ({ purpose, messages, prompt }) => {
      const turns = messages.slice(1, -1).map(({ content: text }) => ({ role: 'user' as const, text }));
      return ledAnswer(
        { purpose, turns, prompt, node: '', system: '', data: { question: '' }, maxOutputTokens: 0 },
        manner,
      );
    },
  });
}
