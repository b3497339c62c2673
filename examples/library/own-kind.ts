// A kind of one's own, made of another one: it has a name, and options of its own.
import { type KindEntry, kinds, search } from 'thought-tree/unstable';

const research = kinds.find(({ descriptor }) => descriptor.name === 'research');
if (!research) throw new Error('there is no research');

const descriptor = { ...research.descriptor, name: 'overview' };
const overview: KindEntry = { descriptor, load: async () => ({ ...(await research.load()), descriptor }) };

const { state, report } = await search({
  question: 'What is here?',
  kind: 'overview',
  options: { maxChildren: 3 },
  limits: { size: 'small' },
  kinds: [overview],
});
console.log(JSON.stringify({ state, hasReport: report !== undefined }));
