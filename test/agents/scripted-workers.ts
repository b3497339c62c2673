import { join } from 'node:path';
import type { MessagesCall, MessagesReply } from './messages-server.ts';

/** One thing that a worker does: uses a tool, or answers. */
type Step = MessagesReply | ((at: At) => MessagesReply | Promise<MessagesReply>);

/** Where a worker is, as its own requests say. */
interface At {
  /** Its checkout. */
  readonly folder: string;
  /** What its last tool said. */
  readonly last: string;
}

const NEWS = '# News\n';

/** The modules that the workers write, by the atoms. */
export const MODULES: Readonly<Record<string, readonly [path: string, text: string]>> = {
  A1: ['lib/count.js', "module.exports = function () {\n  return Object.keys(require('../types.json')).length;\n};\n"],
  A2: [
    'lib/alias.js',
    "var ALIASES = { jpg: 'jpeg' };\nmodule.exports = function (name) {\n  return ALIASES[name] || name;\n};\n",
  ],
  A3: [
    'lib/text.js',
    "var mime = require('../mime');\nmodule.exports = function (path) {\n  return /^text\\//.test(mime.lookup(path));\n};\n",
  ],
  A4b: [
    'lib/parse.js',
    "module.exports = function (text) {\n  var parts = text.split(';')[0].split('/');\n  return { type: parts[0], subtype: parts[1] };\n};\n",
  ],
  A5: [
    'lib/family.js',
    "var mime = require('../mime');\nmodule.exports = function (path) {\n  return mime.lookup(path).split('/')[0];\n};\n",
  ],
  A6: [
    'lib/query.js',
    "module.exports = function (start) {\n  return Object.keys(require('../types.json')).some(function (type) {\n    return type.indexOf(start) === 0;\n  });\n};\n",
  ],
  A7: [
    'lib/known.js',
    "var mime = require('../mime');\nmodule.exports = function (path) {\n  return mime.lookup(path, 'none') !== 'none';\n};\n",
  ],
  A9: [
    'lib/index.js',
    "var names = ['alias', 'count', 'family', 'hooked', 'known', 'parse', 'query', 'text'];\nnames.forEach(function (name) {\n  exports[name] = require('./' + name + '.js');\n});\n",
  ],
};

/**
 * Workers behind one server. Each tells from its own request which atom it has, and whether that was tried before; so that
 * what it does is the same however often the search was killed.
 */
export class ScriptedWorkers {
  /** What they were asked, in its order: the atom, with `again` if it was tried before. */
  readonly asked: string[] = [];
  /** What they were told of tools that they used, by atom. */
  readonly told = new Map<string, string[]>();
  /** How often a worker was told that it had been stopped. */
  stopped = 0;
  readonly #workspace: string;
  #stop: { readonly name: string; readonly step: number; readonly reached: () => void } | undefined;
  /** Whether A7 has hung. */
  #hung = false;
  readonly #begun = new Map<string, () => void>();
  readonly #both: Promise<unknown>;

  constructor(workspace: string) {
    this.#workspace = workspace;
    this.#both = Promise.all(
      ['A2', 'A3'].map((atom) => new Promise<void>((resolve) => this.#begun.set(atom, resolve))),
    );
  }

  /** Resolves once a worker has done so many steps; it then waits for ever. */
  reaches(name: string, step: number): Promise<void> {
    return new Promise((reached) => {
      this.#stop = { name, step, reached };
    });
  }

  async answer(call: MessagesCall): Promise<MessagesReply> {
    const prompts = [...call.text.matchAll(/<atom>\n(\w+): /g)];
    const atom = prompts.at(-1)?.[1];
    if (atom === undefined) return { text: 'ok' }; // a title for the session, or the like
    const isProbe = call.text.slice(0, prompts.at(-1)?.index).endsWith(`${PROBE}\n\n`);
    const isAgain = call.text.slice(prompts.at(-1)?.index).includes('What was seen when it was tried before');
    const name = isProbe ? `${atom} probed` : isAgain ? `${atom} again` : atom;
    const results = resultsSince(call);
    if (results.length > 0) this.told.set(name, [...(this.told.get(name) ?? []), results.at(-1) as string]);
    else this.asked.push(name);
    if (results.length === 0 && STOPPED.test(call.text.slice(0, prompts.at(-1)?.index))) this.stopped++;
    this.#begun.get(atom)?.();
    if (this.#stop?.name === name && this.#stop.step === results.length) {
      this.#stop.reached();
      this.#stop = undefined;
      return { hang: true };
    }
    const steps = isProbe ? [this.#write(atom), FEASIBLE] : this.#stepsOf(atom, isAgain);
    const step = steps[Math.min(results.length, steps.length - 1)] as Step;
    return typeof step === 'function' ? await step({ folder: folderOf(call), last: results.at(-1) ?? '' }) : step;
  }

  #stepsOf(atom: string, isAgain: boolean): Step[] {
    const write = this.#write(atom);
    switch (atom) {
      case 'A2':
      case 'A3':
        // Both begin on the same accepted work, and change the same line of a file that none of them named.
        return [write, ...this.#news(atom), () => this.#both.then(() => DONE)];
      case 'A4a':
        return [({ folder }) => writing(folder, 'lib/parse.js', 'module.exports = JSON.parse;\n'), DONE];
      case 'A5':
        return isAgain ? [write, DONE] : [DONE]; // a lie
      case 'A6':
        return isAgain ? [write, DONE] : [...this.#weakenTest(), DONE];
      case 'A7':
        return [(at) => this.#hangOnce(write, at), DONE];
      case 'A1':
        return [...this.#leave(), ...this.#installHooks(), write, DONE];
      default:
        return [write, DONE];
    }
  }

  #write(atom: string): Step {
    const [path, text] = MODULES[atom] ?? ['lib/nothing.js', ''];
    return ({ folder }) => writing(folder, path, text);
  }

  #news(atom: string): Step[] {
    const file = ({ folder }: At): string => join(folder, 'NEWS.md');
    return [
      (at) => ({ tool: 'Read', input: { file_path: file(at) } }),
      // One that was stopped behind this step sees that it is done.
      (at) =>
        at.last.includes(`- by ${atom}`)
          ? DONE
          : { tool: 'Edit', input: { file_path: file(at), old_string: NEWS, new_string: `${NEWS}- by ${atom}\n` } },
    ];
  }

  /** Makes the test that it is judged by hold whatever there is. */
  #weakenTest(): Step[] {
    const file = ({ folder }: At): string => join(folder, 'checks', 'query.js');
    return [
      (at) => ({ tool: 'Read', input: { file_path: file(at) } }),
      (at) => ({ tool: 'Write', input: { file_path: file(at), content: '// fine\n' } }),
    ];
  }

  #leave(): Step[] {
    return [
      { tool: 'Write', input: { file_path: join(this.#workspace, 'lib', 'count.js'), content: 'mine\n' } },
      ({ folder }) => ({ tool: 'Write', input: { file_path: join(folder, '..', 'escaped.js'), content: 'mine\n' } }),
      { tool: 'Read', input: { file_path: join(this.#workspace, '.env') } },
    ];
  }

  #installHooks(): Step[] {
    const hook = { content: '#!/bin/sh\ntouch /tmp/hooked\n' };
    return [
      { tool: 'Write', input: { file_path: join(this.#workspace, '.git', 'hooks', 'pre-push'), ...hook } },
      ({ folder }) => ({ tool: 'Write', input: { file_path: join(folder, '.git', 'hooks', 'pre-commit'), ...hook } }),
      { tool: 'Bash', input: { command: `echo mine > ${join(this.#workspace, 'mine.txt')}` } },
    ];
  }

  #hangOnce(step: Step, at: At): MessagesReply | Promise<MessagesReply> {
    if (this.#hung) return typeof step === 'function' ? step(at) : step;
    this.#hung = true;
    return { hang: true };
  }
}

/** How a question to one who was stopped begins. */
const STOPPED = /You were stopped in the middle of this\.[^<]*$/;

/** How a question to a probe ends before it names the atom. */
const PROBE = 'Look at the files that matter, and at what could be in the way.';

const FEASIBLE: MessagesReply = { text: '<output>{"feasible": true, "findings": "types.json has them all."}</output>' };

const DONE: MessagesReply = {
  text: '<output>{"success": true, "summary": "It is done.", "artifacts": [], "issues": [], "next_steps": []}</output>',
};

function writing(folder: string, path: string, content: string): MessagesReply {
  return { tool: 'Write', input: { file_path: join(folder, path), content } };
}

/** What tools gave since the last question. */
function resultsSince({ messages }: MessagesCall): string[] {
  const blocks = messages.flatMap(({ content, role }) =>
    typeof content === 'string' ? [{ role, type: 'text', text: content }] : content.map((each) => ({ role, ...each })),
  );
  const last = blocks.findLastIndex(({ type, text }) => type === 'text' && text?.includes('<atom>'));
  return blocks
    .slice(last + 1)
    .filter(({ type }) => type === 'tool_result')
    .map(({ content }) => JSON.stringify(content));
}

/** Where a worker is, as its model is told. */
function folderOf({ system }: MessagesCall): string {
  return /You work in this folder: (.+)/.exec(system)?.[1] ?? '';
}
