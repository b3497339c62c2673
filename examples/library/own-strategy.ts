// A strategy of one's own, around the one of a kind: it lets one thing be done at a time.
import { kinds, type Strategy, search, withStrategy } from 'thought-tree/unstable';

let most = 0;

function oneAtATime(own: Strategy): Strategy {
  const running = new Set<string>();
  return {
    open: (tree, ranking) => own.open(tree, ranking),
    ask(room) {
      const moves = running.size > 0 ? [] : own.ask(Math.min(room, 1));
      for (const { id } of moves) running.add(id);
      most = Math.max(most, running.size);
      return moves;
    },
    tell(move, result) {
      running.delete(move.id);
      own.tell(move, result);
    },
    changed: (nodes) => own.changed(nodes),
    wish: (node) => own.wish(node),
    grow: (size) => own.grow(size),
    get end() {
      return own.end;
    },
  };
}

const research = kinds.find(({ descriptor }) => descriptor.name === 'research');
if (!research) throw new Error('there is no research');
const { state } = await search({
  question: 'What is here?',
  limits: { size: 'small' },
  kinds: [withStrategy(research, oneAtATime)],
});
console.log(JSON.stringify({ state, most }));
