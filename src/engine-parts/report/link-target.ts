import { encodeSegment } from '../../core/text/text.ts';
import { nodeAt, pathOf, type Tree, type TreeNode } from '../../core/tree/tree.ts';

const LONGEST = 1000;

/** Returns the address of a web page, in the form for a link; undefined for anything else. */
export function webAddress(target: string): string | undefined {
  if (target.length > LONGEST || !/^https?:\/\//i.test(target)) return undefined;
  try {
    const url = new URL(target);
    if (url.username !== '' || url.password !== '') return undefined;
    return url.origin + url.href.slice(url.origin.length).replace(/[()[\]`\\<>\s|]/g, encodeSegment);
  } catch {
    return undefined;
  }
}

/** Returns the path of a node's document, relative to the search's folder. */
export function documentLink(node: TreeNode): string {
  return `${pathOf(node).split('/').map(encodeSegment).join('/')}/document.md`;
}

/** A place in the workspace, relative to the search's folder. */
export interface Place {
  /** For a link: relative to the search's folder, percent-encoded, with its fragment. */
  readonly link: string;
  /** The link without its fragment. */
  readonly file: string;
  /** For people: relative to the workspace folder. */
  readonly name: string;
  /** The node whose document it is. */
  readonly node: TreeNode | undefined;
}

/**
 * The target of a relative link in a node's document, if it can exist: a node's document, or something in the workspace
 * outside of the search's folder.
 * @param from slug path of the node
 * @param folder the search's folder relative to the workspace folder
 */
export function placeOf(tree: Tree, folder: string, from: string, target: string): Place | undefined {
  if (target.length > LONGEST || /^[a-z][a-z\d+.-]*:|^\/|[\\?]/i.test(target)) return undefined;
  const [way = '', ...rest] = target.split('#');
  const steps = decoded(way);
  if (!steps) return undefined;
  const at = from === '' ? [] : from.split('/');
  if (way === '') at.push('document.md');
  let up = 0;
  for (const step of steps)
    if (step === '..') {
      if (at.pop() === undefined) up++;
    } else at.push(step);
  return placeAt(tree, folder, up, at, fragmentOf(rest.join('#')));
}

function placeAt(tree: Tree, folder: string, up: number, steps: string[], fragment: string): Place | undefined {
  const above = folder.split('/').filter((part) => part !== '');
  const isOutside = above[0] === '..'; // anything above a search outside the workspace has no name here
  let climbed = up;
  while (climbed > 0 && steps[0] !== undefined && steps[0] === above.at(-climbed)) {
    steps.shift();
    climbed--;
  }
  if (steps.length === 0 || (climbed > above.length && !isOutside)) return undefined;
  const node = climbed === 0 && steps.at(-1) === 'document.md' ? nodeAt(tree, steps.slice(0, -1).join('/')) : undefined;
  if (climbed === 0 && (!node?.parent || !hasDocument(node))) return undefined;
  const file = '../'.repeat(climbed) + steps.map(encodeSegment).join('/');
  const name = [...(isOutside ? [] : above.slice(0, above.length - climbed)), ...steps].join('/');
  return { link: file + fragment, file, name, node };
}

/** Tells whether there is a finished document in the node's folder, as far as the tree knows. */
export function hasDocument(node: TreeNode): boolean {
  if (node.leafReason === 'duplicate' && node.document === undefined) return false; // nothing was spent on it
  return node.status === 'expanded' || node.status === 'leaf';
}

/** Returns the segments of a path, percent-decoded; undefined if one could be more than a name. */
function decoded(way: string): string[] | undefined {
  try {
    const steps = way
      .split('/')
      .map((step) => decodeURIComponent(step))
      .filter((step) => step !== '' && step !== '.');
    return steps.some((step) => /[/\\\p{Cc}]/u.test(step)) ? undefined : steps;
  } catch {
    return undefined;
  }
}

function fragmentOf(text: string): string {
  try {
    return text === '' ? '' : `#${encodeSegment(decodeURIComponent(text))}`;
  } catch {
    return '';
  }
}
