import * as z from 'zod';
import { LEFT_OUT } from '../../../core/text/left-out.ts';
import type { BoundTool } from '../toolbox-of.ts';
import { Refusal } from '../workspace-tool.ts';
import { type CheckoutFiles, LARGEST_FILE } from './checkout-files.ts';

// The tools with which a model changes the files of its checkout.

/** As JSON, a text of the largest size may take up to six times as much. */
const longestInput = LARGEST_FILE * 2;

const path = z.string().min(1).max(1000);
const text = z.string().max(LARGEST_FILE);
const Write = z.object({ path, text });
const Edit = z.object({ path, old: text.min(1), new: text });
const Delete = z.object({ path });

const PATH = { type: 'string', description: 'relative to the folder, with /' } as const;

/** @param changed called after files came or went */
export function writingTools(files: CheckoutFiles, changed: () => void): BoundTool[] {
  return [writeFile(files, changed), editFile(files), deleteFile(files, changed)];
}

function writeFile(files: CheckoutFiles, changed: () => void): BoundTool {
  return {
    longestInput,
    tool: {
      name: 'write_file',
      description: 'Writes a whole text file, new or in place of what it held. Use edit_file to change a part of one.',
      parameters: {
        type: 'object',
        properties: { path: PATH, text: { type: 'string', description: 'the whole new text' } },
        required: ['path', 'text'],
      },
    },
    async use(input) {
      const asked = Write.parse(input);
      rejectPlaceholder(asked.text);
      const isNew = await files.write(asked.path, asked.text);
      changed();
      return { text: isNew ? 'It is written, as a new file.' : 'It is written.', what: `write ${asked.path}` };
    },
  };
}

function editFile(files: CheckoutFiles): BoundTool {
  return {
    longestInput,
    tool: {
      name: 'edit_file',
      description: 'Replaces one passage of a text file. The passage has to occur in it exactly once, word for word.',
      parameters: {
        type: 'object',
        properties: {
          path: PATH,
          old: { type: 'string', description: 'the passage, without line numbers' },
          new: { type: 'string', description: 'what takes its place; may be empty' },
        },
        required: ['path', 'old', 'new'],
      },
    },
    async use(input) {
      const asked = Edit.parse(input);
      rejectPlaceholder(asked.new);
      const line = await files.edit(asked.path, asked.old, asked.new);
      return { text: `It is changed, at line ${line}.`, what: `edit ${asked.path}:${line}` };
    },
  };
}

function deleteFile(files: CheckoutFiles, changed: () => void): BoundTool {
  return {
    tool: {
      name: 'delete_file',
      description: 'Deletes one file.',
      parameters: { type: 'object', properties: { path: PATH }, required: ['path'] },
    },
    async use(input) {
      const asked = Delete.parse(input);
      await files.remove(asked.path);
      changed();
      return { text: 'It is deleted.', what: `delete ${asked.path}` };
    },
  };
}

/** What a model was shown in place of a secret would take the secret's place. */
function rejectPlaceholder(written: string): void {
  if (written.includes(LEFT_OUT))
    throw new Refusal(`"${LEFT_OUT}" stands for a text that you do not see. Leave its lines out of what you change.`);
}
