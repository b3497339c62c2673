import { extensionOf } from './file-role.ts';
import { languageOf } from './languages.ts';

const NAMES = new Map(
  Object.entries({
    typescript: 'TypeScript',
    tsx: 'TypeScript',
    javascript: 'JavaScript',
    python: 'Python',
    go: 'Go',
    rust: 'Rust',
    java: 'Java',
    'c-sharp': 'C#',
    cpp: 'C and C++',
    ruby: 'Ruby',
    php: 'PHP',
    css: 'CSS',
    bash: 'shell',
    powershell: 'PowerShell',
    perl: 'Perl',
    lua: 'Lua',
    kotlin: 'Kotlin',
    swift: 'Swift',
    scala: 'Scala',
    elixir: 'Elixir',
  }),
);

/** Returns the language of a file, as people say, judging by its name; else its extension, which may be empty. */
export function languageName(path: string): string {
  return NAMES.get(languageOf(path)?.grammar ?? '') ?? extensionOf(path);
}
