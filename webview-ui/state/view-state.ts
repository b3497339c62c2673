import { type Filter, NO_FILTER } from './filter.ts';

/** A person's view settings, kept over a reload of the page. */
export interface ViewState {
  readonly folder: string;
  readonly selected: string | null;
  /** Until somebody opens, closes, moves or selects something, the levels that are shown follow from the tree. */
  readonly isAutomatic: boolean;
  /** The number of visible levels; 0 for all. */
  readonly levels: number;
  readonly opened: readonly string[];
  readonly closed: readonly string[];
  readonly camera: { readonly x: number; readonly y: number; readonly scale: number } | null;
  readonly filter: Filter;
  readonly isFollowing: boolean;
  /** Pixels. */
  readonly inspectorWidth: number;
  readonly inspectorScroll: number;
  /** The path of the only branch that is drawn; empty for the whole tree. */
  readonly focus: string;
  /** The reason for which the search does not go on, once a person has closed what says so. */
  readonly closedReason: string;
  /** Whether the timeline is open. */
  readonly hasTimeline: boolean;
  /** Whether the calls in time are shown instead of the tree. */
  readonly hasCalls: boolean;
}

const FIRST_VIEW: ViewState = {
  folder: '',
  selected: null,
  isAutomatic: true,
  levels: 0,
  opened: [],
  closed: [],
  camera: null,
  filter: NO_FILTER,
  isFollowing: false,
  inspectorWidth: 380,
  inspectorScroll: 0,
  focus: '',
  closedReason: '',
  hasTimeline: false,
  hasCalls: false,
};

/** Returns the stored settings, as far as they are valid. */
export function readViewState(value: unknown): ViewState {
  if (typeof value !== 'object' || value === null) return { ...FIRST_VIEW };
  const kept: Record<string, unknown> = { ...value };
  const known = Object.entries(FIRST_VIEW).map(([key, first]) => [
    key,
    isLike(first, kept[key], key) ? kept[key] : first,
  ]);
  return Object.fromEntries(known) as unknown as ViewState;
}

function isLike(first: unknown, value: unknown, key: string): boolean {
  if (key === 'selected') return value === null || typeof value === 'string';
  if (key === 'camera') return isCamera(value);
  if (key === 'filter') return isFilter(value);
  if (Array.isArray(first)) return Array.isArray(value) && value.every((each) => typeof each === 'string');
  return typeof value === typeof first && (typeof value !== 'number' || Number.isFinite(value));
}

function isCamera(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { x, y, scale } = value as Record<string, unknown>;
  return Number.isFinite(x) && Number.isFinite(y) && Number.isFinite(scale) && (scale as number) > 0;
}

function isFilter(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { text, statuses, minScore } = value as Record<string, unknown>;
  return typeof text === 'string' && Array.isArray(statuses) && typeof minScore === 'number';
}
