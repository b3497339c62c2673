import assert from 'node:assert/strict';
import { hideSecrets } from '../../../../src/text/secrets/hide-secrets.ts';
import { type FormsName, type PlantedFile, plantedFiles } from '../../../support/secret-corpus.ts';

/** The files of which anything of a secret is left. */
async function leaking(files: readonly PlantedFile[]): Promise<PlantedFile[]> {
  const all = await Promise.all(
    files.map(async (file) => {
      const { text } = await hideSecrets(file.path, file.text);
      return file.secrets.some((secret) => text.includes(secret)) ? [file] : [];
    }),
  );
  return all.flat();
}

describe('planted secrets', () => {
  const LEAST: Readonly<Record<FormsName, number>> = { known: 0.98, other: 0.85, learnt: 0.85 };
  for (const [name, least] of Object.entries(LEAST) as [FormsName, number][])
    it(`of ${name} forms are left out, ${least * 100} % of them at least, for values of any seed`, async () => {
      for (const seed of [1, 2, 3]) {
        const files = plantedFiles(name, 1, seed);
        const leaks = await leaking(files);
        const rate = 1 - leaks.length / files.length;
        assert.ok(rate >= least, `${(100 * rate).toFixed(1)} %: ${leaks.map(({ form }) => form).join(', ')}`);
      }
    });
});
