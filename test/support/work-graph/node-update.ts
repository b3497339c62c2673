import { createMemoryStore, type MemoryFiles } from '../memory-store.ts';
import { goalFile, has, simulateWork, type WorkSimulation, writes } from './work-search.ts';

const runs = (command: string) => ({ item: `${command} ends well`, check: { command } });

/** A goal that is worked on until no alternative is left for one of its parts. */
export async function nodeUpdate(files: MemoryFiles): Promise<WorkSimulation> {
  const title = 'All tests pass on Node 26';
  return await simulateWork({
    store: createMemoryStore({ ...goalFile(), title, prompt: title }, files),
    workspace: { 'package-lock.json': '24', 'README.md': 'x' },
    plan: {
      goal: title,
      base_case: [runs('npm test')],
      groups: [],
      atoms: [
        { id: 'A1', title: 'List what fails, and why', run: 'npm test -- --list', touches: ['failing'] },
        {
          id: 'A2',
          title: 'Bring the lock file up to date',
          run: 'npm update',
          depends_on: ['A1'],
          touches: ['package-lock.json'],
        },
        {
          id: 'B1',
          title: 'With the Web Crypto API',
          group: 'crypto',
          depends_on: ['A1'],
          run: 'use web',
          touches: ['crypto'],
          checks: [runs('npm test -- crypto')],
        },
        {
          id: 'B2',
          title: 'With node:crypto behind one module',
          group: 'crypto',
          depends_on: ['A1'],
          run: 'use node',
          touches: ['crypto'],
          checks: [runs('npm test -- crypto')],
        },
        {
          id: 'C1',
          title: 'Repair the tests of the session',
          depends_on: ['crypto', 'A2'],
          run: 'repair session',
          touches: ['session'],
          checks: [runs('npm test -- session')],
        },
        {
          id: 'C2',
          title: 'Repair the tests of the upload',
          depends_on: ['crypto'],
          run: 'repair upload',
          touches: ['upload'],
          checks: [runs('npm test -- upload')],
        },
        {
          id: 'C3',
          title: 'Repair the tests of the cache',
          depends_on: ['C1'],
          run: 'repair cache',
          touches: ['cache'],
        },
        {
          id: 'D1',
          title: 'Say it in the changelog',
          depends_on: ['C1', 'C2', 'C3'],
          run: 'write changelog',
          touches: ['CHANGELOG.md'],
        },
      ],
    },
    commands: {
      'npm test -- --list': writes({ failing: 'session upload cache' }),
      'npm update': writes({ 'package-lock.json': '26' }),
      'use web': writes({ crypto: 'web' }),
      'use node': writes({ crypto: 'node' }),
      'npm test -- crypto': has('crypto', 'node'),
      'repair session': writes({ session: 'repaired' }),
      'npm test -- session': has('session', 'repaired'),
      'repair upload': writes({ upload: 'flaky' }),
      'npm test -- upload': has('upload', 'repaired'),
      'repair cache': writes({ cache: 'repaired' }),
      'write changelog': writes({ 'CHANGELOG.md': 'Node 26' }),
      'npm test': has('CHANGELOG.md'),
    },
  });
}
