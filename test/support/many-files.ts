import { UserRepository } from '../e2e/work-graph/user-repository.ts';

/** How many files a goal makes, and how many it deletes. */
const FILES = 150;

/** A plan whose work makes, changes and deletes many files. */
function planOf(name: string): string {
  const run = `mkdir -p ${name} && for i in $(seq ${FILES}); do echo "new $i" > ${name}/n-$i.txt; echo "changed $i" > ${name}/c-$i.txt; rm ${name}/d-$i.txt; done`;
  return `
goal: Many files of ${name}
base_case: [{ item: They are there, check: { file: ${name}/n-1.txt } }]
atoms: [{ id: A1, title: Make them, run: '${run}', touches: [${name}/**] }]
`;
}

/** Returns the files that the work of some plans finds, and the plans. */
function filesFor(...names: string[]): Record<string, string> {
  const files: Record<string, string> = { 'README.md': '# Many\n' };
  for (const name of names) {
    files[`plan-${name}.yaml`] = planOf(name);
    for (let i = 1; i <= FILES; i++) {
      files[`${name}/c-${i}.txt`] = `old ${i}\n`;
      files[`${name}/d-${i}.txt`] = `gone ${i}\n`;
    }
  }
  return files;
}

/** Returns the folder of the search for such a plan. */
export function searchOf(name: string): string {
  return `thought-trees/many-files-of-${name}`;
}

/** Returns a repository in which the goals of these plans are reached, and nothing is accepted. */
export async function reached(disk: string | undefined, ...names: string[]): Promise<UserRepository> {
  const user = await UserRepository.make(filesFor(...names), [], disk);
  for (const name of names) {
    const more = ['--kind', 'work-graph', '--plan', `plan-${name}.yaml`, '--allow-commands'];
    const { code, stdout, stderr } = await user.cli('start', ...more);
    if (code !== 0) throw new Error(stdout + stderr);
  }
  return user;
}
