/** The colours and the font of a drawing: in the panel, all of them are the editor's. */
export interface Palette {
  readonly background: string;
  readonly card: string;
  readonly border: string;
  readonly text: string;
  readonly dim: string;
  readonly edge: string;
  readonly focus: string;
  readonly selection: string;
  readonly selectionText: string;
  readonly green: string;
  readonly blue: string;
  readonly yellow: string;
  readonly orange: string;
  readonly purple: string;
  readonly red: string;
  readonly disabled: string;
  readonly font: string;
  readonly isContrast: boolean;
}

const FONT = "-apple-system, 'Segoe UI', system-ui, Ubuntu, 'Droid Sans', sans-serif";

/** The editor's own light and dark colours, for drawings that leave it. */
export const PALETTES: Readonly<Record<'light' | 'dark', Palette>> = {
  light: {
    background: '#ffffff',
    card: '#f8f8f8',
    border: '#c8c8c8',
    text: '#3b3b3b',
    dim: '#6b6b6b',
    edge: '#a9a9a9',
    focus: '#005fb8',
    selection: '#e4e6f1',
    selectionText: '#3b3b3b',
    green: '#2e7d32',
    blue: '#1a73c7',
    yellow: '#bf8803',
    orange: '#b85c00',
    purple: '#652d90',
    red: '#c72e0f',
    disabled: '#767676',
    font: FONT,
    isContrast: false,
  },
  dark: {
    background: '#1f1f1f',
    card: '#262626',
    border: '#4a4a4a',
    text: '#cccccc',
    dim: '#9d9d9d',
    edge: '#6e6e6e',
    focus: '#0078d4',
    selection: '#37373d',
    selectionText: '#cccccc',
    green: '#89d185',
    blue: '#3794ff',
    yellow: '#cca700',
    orange: '#ee9d28',
    purple: '#b180d7',
    red: '#f85149',
    disabled: '#8b8b8b',
    font: FONT,
    isContrast: false,
  },
};
