import { foldsOf } from '../../src/engine-parts/opening/open-held-search.ts';
import { research } from '../../src/kinds/research/research.ts';
import { openDiskFiles } from '../../src/store/files/disk/disk-files.ts';
import { keepSnapshot } from '../../src/store/snapshot/keep-snapshot.ts';

// Writes a snapshot of a search, as closing it does.
const [folder, key] = process.argv.slice(2) as [string, string];
await keepSnapshot(await openDiskFiles(folder), { key, folds: () => foldsOf(research, 'Slow build'), settledMs: 0 });
console.log('{}');
