import { extensionOf } from './file-role.ts';

/** The look of lines of a language that begin something: enough to cut its files where we have no grammar for it. */
export interface Outline {
  /** A line that is nothing but a comment. */
  readonly comment: RegExp;
  /** The first and the last line of a comment of several lines. */
  readonly block?: readonly [first: RegExp, last: RegExp];
  /** A line of such a comment from which on it is about something else. */
  readonly anew?: RegExp;
  /** The first line of a symbol, by its kind; the group is its name. */
  readonly symbols: readonly (readonly ['class' | 'function', RegExp])[];
  /** A line that says what all the symbols below belong to; the group is its name. */
  readonly owner?: RegExp;
}

const SLASHES = { comment: /^\s*\/\//, block: [/^\s*\/\*/, /\*\//] } as const;
const PERL: Outline = {
  comment: /^\s*#/,
  block: [/^=[a-z]/, /^=cut\b/],
  anew: /^=(?:item|head\d|method|func)\b/,
  symbols: [['function', /^\s*sub\s{1,20}([\w:']{1,80})/]],
  owner: /^\s*package\s{1,20}(?:\w{1,60}::){0,9}(\w{1,60})/,
};

const LUA: Outline = {
  comment: /^\s*--/,
  block: [/^\s*--\[\[/, /\]\]/],
  symbols: [
    ['function', /^\s*(?:local\s{1,4})?function\s{1,4}([\w.:]{1,80})/],
    ['function', /^\s*(?:local\s{1,4})?([\w.]{1,80})\s{0,4}=\s{0,4}function\b/],
  ],
};

export const KOTLIN: Outline = {
  ...SLASHES,
  symbols: [
    [
      'class',
      /^\s*(?:@\w{1,40}\s{1,4})?(?:[a-z]{2,20}(?:\(\w{1,20}\))?\s{1,4}){0,5}(?:class|interface|object)\s{1,4}(\w{1,80})/,
    ],
    [
      'function',
      /^\s*(?:@\w{1,40}\s{1,4})?(?:[a-z]{2,20}(?:\(\w{1,20}\))?\s{1,4}){0,5}fun\s{1,4}(?:<[^>]{1,80}>\s{0,4})?(?:[\w<>?]{1,80}\.)?(\w{1,80})\s{0,4}\(/,
    ],
  ],
};

const SWIFT: Outline = {
  ...SLASHES,
  symbols: [
    [
      'class',
      /^\s*(?:@\w{1,40}\s{1,4})?(?:[a-z]{2,20}(?:\(\w{1,20}\))?\s{1,4}){0,5}(?:class|struct|enum|protocol|actor|extension)\s{1,4}(?!func\b|var\b)(\w{1,80})/,
    ],
    ['function', /^\s*(?:@\w{1,40}\s{1,4})?(?:[a-z]{2,20}(?:\(\w{1,20}\))?\s{1,4}){0,5}func\s{1,4}(\w{1,80})/],
  ],
};

const SCALA: Outline = {
  ...SLASHES,
  symbols: [
    [
      'class',
      /^\s*(?:@\w{1,40}\s{1,4})?(?:[a-z]{2,20}(?:\(\w{1,20}\))?\s{1,4}){0,5}(?:class|trait|object|enum)\s{1,4}(\w{1,80})/,
    ],
    ['function', /^\s*(?:@\w{1,40}\s{1,4})?(?:[a-z]{2,20}(?:\(\w{1,20}\))?\s{1,4}){0,5}def\s{1,4}(\w{1,80})/],
  ],
};

const ELIXIR: Outline = {
  comment: /^\s*#/,
  symbols: [
    ['class', /^\s*defmodule\s{1,4}([\w.]{1,120})/],
    ['function', /^\s*def(?:p|macro|macrop)?\s{1,4}(\w{1,80}[?!]?)/],
  ],
};

interface Cut<Query> {
  /** The grammar's name, as in `tree-sitter-<grammar>.wasm`; the language's own where there is none. */
  readonly grammar: string;
  /** The sign that joins a member's name to its owner's. */
  readonly join: '#' | '.' | '::';
  /** The patterns of symbols. */
  readonly query: Query;
}

/** A language that has a grammar; the query is in tree-sitter's language. */
export type ParsedLanguage = Cut<string>;

/** A language whose code is cut by symbol: by a grammar, or by the first lines of symbols where there is none. */
export type Language = ParsedLanguage | Cut<Outline>;

export function hasGrammar(language: Language): language is ParsedLanguage {
  return typeof language.query === 'string';
}

// `@name` is the name of a symbol, `@owner` what it belongs to where the syntax does not nest it, `@title` a string that
// says what a block is for (a test's name). The other capture is the symbol itself, named after its kind; or a comment,
// a string, or the name of an imported file. What a field, a call or an assignment is, `parse-process.ts` knows.
const FUNCTION = '[(arrow_function) (function_expression) (generator_function)]';
const JAVASCRIPT = `
(comment) @comment
(string_fragment) @string
(import_statement source: (string (string_fragment) @import))
(export_statement source: (string (string_fragment) @import))
(function_declaration name: (_) @name) @function
(generator_function_declaration name: (_) @name) @function
(class_declaration name: (_) @name) @class
(method_definition name: (_) @name) @member
(variable_declarator name: (identifier) @name value: ${FUNCTION}) @function
(variable_declarator name: (identifier) @name value: (class)) @class
(program (lexical_declaration (variable_declarator name: (identifier) @name) @constant))
(program (variable_declaration (variable_declarator name: (identifier) @name) @constant))
(program (export_statement (lexical_declaration (variable_declarator name: (identifier) @name) @constant)))
(assignment_expression) @assignment
(pair key: (_) @name value: ${FUNCTION}) @member
(call_expression function: (_) @name arguments: (arguments . (string) @title)) @call`;
const TYPESCRIPT = `${JAVASCRIPT}
(abstract_class_declaration name: (_) @name) @class
(interface_declaration name: (_) @name) @class
(enum_declaration name: (_) @name) @class
(type_alias_declaration name: (_) @name) @type
(internal_module name: (_) @name) @class
(function_signature name: (_) @name) @function
(abstract_method_signature name: (_) @name) @member
(public_field_definition) @field`;
const PYTHON = `
(comment) @comment
(expression_statement . (string) @docstring .)
(string_content) @string
(function_definition name: (_) @name) @function
(class_definition name: (_) @name) @class
(module (expression_statement (assignment left: (identifier) @name) @constant))`;
const GO = `
(comment) @comment
(function_declaration name: (_) @name) @function
(method_declaration receiver: (parameter_list (parameter_declaration type: (type_identifier) @owner)) name: (_) @name)
  @member
(method_declaration receiver: (parameter_list (parameter_declaration type: (pointer_type (type_identifier) @owner)))
  name: (_) @name) @member
(method_declaration receiver: (parameter_list (parameter_declaration type: (generic_type type: (_) @owner)))
  name: (_) @name) @member
(method_declaration
  receiver: (parameter_list (parameter_declaration type: (pointer_type (generic_type type: (_) @owner))))
  name: (_) @name) @member
(type_spec name: (_) @name) @class
(source_file (const_declaration (const_spec name: (_) @name) @constant))
(source_file (var_declaration (var_spec name: (_) @name) @constant))`;
const JAVA = `
(line_comment) @comment
(block_comment) @comment
(class_declaration name: (_) @name) @class
(interface_declaration name: (_) @name) @class
(enum_declaration name: (_) @name) @class
(record_declaration name: (_) @name) @class
(annotation_type_declaration name: (_) @name) @class
(method_declaration name: (_) @name) @member
(constructor_declaration name: (_) @name) @member`;
const C_SHARP = `
(comment) @comment
(class_declaration name: (_) @name) @class
(struct_declaration name: (_) @name) @class
(interface_declaration name: (_) @name) @class
(enum_declaration name: (_) @name) @class
(record_declaration name: (_) @name) @class
(delegate_declaration name: (_) @name) @type
(method_declaration name: (_) @name) @member
(constructor_declaration name: (_) @name) @member
(property_declaration name: (_) @name) @member
(local_function_statement name: (_) @name) @function`;
const CPP = `
(comment) @comment
(function_definition declarator: (function_declarator declarator: (_) @name)) @function
(function_definition declarator: (pointer_declarator declarator: (function_declarator declarator: (_) @name))) @function
(function_definition declarator: (reference_declarator (function_declarator declarator: (_) @name))) @function
(class_specifier name: (_) @name body: (_)) @class
(struct_specifier name: (_) @name body: (_)) @class
(union_specifier name: (_) @name body: (_)) @class
(enum_specifier name: (_) @name body: (_)) @class`;
/** A header has the comments on what other files define, and often nothing but declarations. */
const CPP_HEADER = `${CPP}
(declaration declarator: (function_declarator declarator: (identifier) @name)) @function
(declaration declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))) @function
(type_definition type: (enum_specifier body: (_)) declarator: (_) @name) @class
(type_definition type: (struct_specifier body: (_)) declarator: (_) @name) @class
(preproc_function_def name: (_) @name) @function`;
const RUST = `
(line_comment) @comment
(block_comment) @comment
(function_item name: (_) @name) @function
(function_signature_item name: (_) @name) @member
(struct_item name: (_) @name) @class
(enum_item name: (_) @name) @class
(union_item name: (_) @name) @class
(trait_item name: (_) @name) @class
(impl_item type: (_) @name) @class
(macro_definition name: (_) @name) @function
(type_item name: (_) @name) @type
(const_item name: (_) @name) @constant
(static_item name: (_) @name) @constant`;
const RUBY = `
(comment) @comment
(method name: (_) @name) @member
(singleton_method name: (_) @name) @member
(class name: (_) @name) @class
(module name: (_) @name) @class
(program (assignment left: (constant) @name) @constant)
(call method: (_) @name arguments: (argument_list . (string) @title) block: (_)) @block`;
const PHP = `
(comment) @comment
(function_definition name: (_) @name) @function
(class_declaration name: (_) @name) @class
(interface_declaration name: (_) @name) @class
(trait_declaration name: (_) @name) @class
(enum_declaration name: (_) @name) @class
(method_declaration name: (_) @name) @member`;
const CSS = `
(comment) @comment
(rule_set (selectors) @title) @rule
(keyframes_statement (keyframes_name) @title) @rule`;
const BASH = `
(comment) @comment
(function_definition name: (_) @name) @function`;
const POWERSHELL = `
(comment) @comment
(function_statement (function_name) @name) @function
(class_statement (simple_name) @name) @class
(class_method_definition (simple_name) @name) @member`;

const javascript: Language = { grammar: 'javascript', join: '#', query: JAVASCRIPT };
const typescript: Language = { grammar: 'typescript', join: '#', query: TYPESCRIPT };
const cpp: Language = { grammar: 'cpp', join: '::', query: CPP };
const header: Language = { grammar: 'cpp', join: '::', query: CPP_HEADER };
const bash: Language = { grammar: 'bash', join: '.', query: BASH };
const python: Language = { grammar: 'python', join: '.', query: PYTHON };
const perl: Language = { grammar: 'perl', join: '::', query: PERL };
const kotlin: Language = { grammar: 'kotlin', join: '.', query: KOTLIN };
const elixir: Language = { grammar: 'elixir', join: '.', query: ELIXIR };
const ruby: Language = { grammar: 'ruby', join: '#', query: RUBY };
const powershell: Language = { grammar: 'powershell', join: '.', query: POWERSHELL };

const BY_EXTENSION = new Map<string, Language>([
  ['js', javascript],
  ['cjs', javascript],
  ['mjs', javascript],
  ['jsx', javascript],
  ['ts', typescript],
  ['cts', typescript],
  ['mts', typescript],
  ['tsx', { grammar: 'tsx', join: '#', query: TYPESCRIPT }],
  ['py', python],
  ['pyi', python],
  ['go', { grammar: 'go', join: '.', query: GO }],
  ['java', { grammar: 'java', join: '#', query: JAVA }],
  ['cs', { grammar: 'c-sharp', join: '.', query: C_SHARP }],
  ['c', cpp],
  ['h', header],
  ['cc', cpp],
  ['cpp', cpp],
  ['cxx', cpp],
  ['hh', header],
  ['hpp', header],
  ['hxx', header],
  ['rs', { grammar: 'rust', join: '::', query: RUST }],
  ['rb', ruby],
  ['rake', ruby],
  ['php', { grammar: 'php', join: '::', query: PHP }],
  ['css', { grammar: 'css', join: '.', query: CSS }],
  ['sh', bash],
  ['bash', bash],
  ['ps1', powershell],
  ['psm1', powershell],
  ['pl', perl],
  ['pm', perl],
  ['perl', perl],
  ['lua', { grammar: 'lua', join: '.', query: LUA }],
  ['kt', kotlin],
  ['kts', kotlin],
  ['swift', { grammar: 'swift', join: '.', query: SWIFT }],
  ['scala', { grammar: 'scala', join: '.', query: SCALA }],
  ['ex', elixir],
  ['exs', elixir],
]);

/** The languages of programs that run a script without an extension, as its first line says. */
const BY_PROGRAM: readonly (readonly [RegExp, Language])[] = [
  [/^(?:ba|da|k|z)?sh$/, bash],
  [/^perl\d*$/, perl],
  [/^python[\d.]*$/, python],
  [/^ruby$/, ruby],
  [/^node(?:js)?$/, javascript],
];

/**
 * The language of a file, judging by its name, or of a script without an extension by its first line; undefined if we do not
 * know what its code looks like.
 */
export function languageOf(path: string, text = ''): Language | undefined {
  const extension = extensionOf(path);
  if (extension !== '') return BY_EXTENSION.get(extension);
  const program = /^#! {0,4}(?:\S{0,100}\/)?([\w.-]{1,30})(?=\s|$)(?: {1,4}([\w.-]{1,30}))?/.exec(text.slice(0, 200));
  const name = program?.[1] === 'env' ? program[2] : program?.[1];
  return BY_PROGRAM.find(([pattern]) => pattern.test(name ?? ''))?.[1];
}

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
