import { isRecord } from './rpc.ts';

/** The editor's variables that the panel uses, by those that chats give to their apps; the first one that is there counts. */
const VARIABLES: Readonly<Record<string, readonly string[]>> = {
  'editor-background': ['color-background-primary'],
  foreground: ['color-text-primary'],
  descriptionForeground: ['color-text-secondary', 'color-text-primary'],
  disabledForeground: ['color-text-tertiary', 'color-text-secondary'],
  errorForeground: ['color-text-danger'],
  focusBorder: ['color-ring-primary', 'color-border-info', 'color-text-info'],
  'editorWidget-background': ['color-background-secondary', 'color-background-primary'],
  'widget-border': ['color-border-primary', 'color-border-secondary'],
  'panel-border': ['color-border-primary', 'color-border-secondary'],
  'tree-indentGuidesStroke': ['color-border-primary', 'color-text-secondary'],
  'list-hoverBackground': ['color-background-tertiary', 'color-background-secondary'],
  'list-inactiveSelectionBackground': ['color-background-tertiary', 'color-background-secondary'],
  'charts-green': ['color-text-success'],
  'charts-blue': ['color-text-info'],
  'charts-yellow': ['color-text-warning'],
  'charts-orange': ['color-text-warning'],
  'charts-red': ['color-text-danger'],
  'button-secondaryBackground': ['color-background-secondary'],
  'button-secondaryForeground': ['color-text-primary'],
  'button-secondaryHoverBackground': ['color-background-tertiary', 'color-background-secondary'],
  'toolbar-hoverBackground': ['color-background-tertiary', 'color-background-secondary'],
  'input-background': ['color-background-secondary', 'color-background-primary'],
  'input-foreground': ['color-text-primary'],
  'input-border': ['color-border-primary'],
  'input-placeholderForeground': ['color-text-secondary'],
  'dropdown-background': ['color-background-secondary', 'color-background-primary'],
  'dropdown-foreground': ['color-text-primary'],
  'dropdown-border': ['color-border-primary'],
  'menu-background': ['color-background-primary'],
  'menu-foreground': ['color-text-primary'],
  'menu-border': ['color-border-primary'],
  'textLink-foreground': ['color-text-info'],
  'textCodeBlock-background': ['color-background-secondary'],
  'textPreformat-background': ['color-background-secondary'],
  'textPreformat-foreground': ['color-text-primary'],
  'textBlockQuote-background': ['color-background-secondary'],
  'textBlockQuote-border': ['color-border-primary'],
  'font-family': ['font-sans'],
  'font-size': ['font-text-sm-size'],
  'editor-font-family': ['font-mono'],
};

/** Takes over the chat's theme; what it does not say is as `chat.css` has it for light and dark. */
export function applyTheme(context: unknown): void {
  if (!isRecord(context)) return;
  const { theme, styles } = context;
  const root = document.documentElement;
  // The drawing reads the colours again when a class or a style changes.
  if (theme === 'light' || theme === 'dark') root.className = `chat-${theme}`;
  const given = isRecord(styles) && isRecord(styles['variables']) ? styles['variables'] : {};
  for (const [ours, theirs] of Object.entries(VARIABLES)) {
    const value = theirs.map((name) => given[`--${name}`]).find((each) => typeof each === 'string' && each !== '');
    // VS Code names its own variables, which are here already: a variable that is defined by itself has no value.
    if (typeof value === 'string' && !value.includes('--vscode-')) root.style.setProperty(`--vscode-${ours}`, value);
  }
}
