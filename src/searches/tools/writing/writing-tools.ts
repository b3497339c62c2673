import { LEFT_OUT } from '../../../core/text/left-out.ts';
import { PATH_NAMES } from '../read-tool.ts';
import { neededText, Refusal } from '../tool-arguments.ts';
import { type BoundTool, boundTool } from '../toolbox-of.ts';
import { type CheckoutFiles, LARGEST_FILE } from './checkout-files.ts';

// The tools with which a model changes the files of its checkout.

/** As JSON, a text of the largest size may take up to six times as much. */
const longestInput = LARGEST_FILE * 2;

const path = neededText('relative to the folder, with /', { also: PATH_NAMES });

function content(description: string, mayBeEmpty: boolean, also: readonly string[]) {
  return neededText(description, { longest: LARGEST_FILE, mayBeEmpty, also });
}

/** @param changed called after files came or went */
export function writingTools(files: CheckoutFiles, changed: () => void): BoundTool[] {
  return [writeFile(files, changed), editFile(files), deleteFile(files, changed)];
}

function writeFile(files: CheckoutFiles, changed: () => void): BoundTool {
  const face = {
    name: 'write_file',
    description: 'Writes a whole text file, new or in place of what it held. Use edit_file to change a part of one.',
    args: { path, text: content('the whole new text', true, ['content', 'contents']) },
    example: { path: 'notes.txt', text: 'One line.\n' },
  };
  return boundTool(
    face,
    async (asked) => {
      rejectPlaceholder(asked.text);
      const isNew = await files.write(asked.path, asked.text);
      changed();
      return { text: isNew ? 'It is written, as a new file.' : 'It is written.', what: `write ${asked.path}` };
    },
    { longestInput },
  );
}

function editFile(files: CheckoutFiles): BoundTool {
  const face = {
    name: 'edit_file',
    description: 'Replaces one passage of a text file. The passage has to occur in it exactly once, word for word.',
    args: {
      path,
      old: content('the passage, without line numbers', false, ['old_string', 'old_str', 'old_text']),
      new: content('what takes its place; may be empty', true, ['new_string', 'new_str', 'new_text']),
    },
    example: { path: 'notes.txt', old: 'One line.', new: 'Another line.' },
  };
  return boundTool(
    face,
    async (asked) => {
      rejectPlaceholder(asked.new);
      const line = await files.edit(asked.path, asked.old, asked.new);
      return { text: `It is changed, at line ${line}.`, what: `edit ${asked.path}:${line}` };
    },
    { longestInput },
  );
}

function deleteFile(files: CheckoutFiles, changed: () => void): BoundTool {
  const face = {
    name: 'delete_file',
    description: 'Deletes one file.',
    args: { path },
    example: { path: 'notes.txt' },
  };
  return boundTool(face, async (asked) => {
    await files.remove(asked.path);
    changed();
    return { text: 'It is deleted.', what: `delete ${asked.path}` };
  });
}

/** Rejects the words that a model was shown in place of a secret: they would take the secret's place. */
function rejectPlaceholder(written: string): void {
  if (written.includes(LEFT_OUT))
    throw new Refusal(`"${LEFT_OUT}" stands for a text that you do not see. Leave its lines out of what you change.`);
}
