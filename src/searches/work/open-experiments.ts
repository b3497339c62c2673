import { join } from 'node:path';
import type { AllowsExperiment, Experiments } from '../../core/ports/experiments.ts';
import { redactor } from '../../core/text/redact.ts';
import { agentSecrets } from '../../models/agents/agent-secrets.ts';
import { SecretFilter } from '../../text/secrets/secret-filter.ts';
import type { Place } from '../place.ts';
import { realPath } from '../trust/search-use.ts';
import { heldBySandbox, withoutNetwork } from './messages.ts';
import { AS, withoutMissing } from './open-work.ts';
import { workFolders } from './work-folders.ts';

/** The request to open what runs the programs of a search's models. */
interface ExperimentsOpening {
  readonly place: Place;
  readonly id: string;
  readonly formerId?: string | undefined;
  readonly allows: AllowsExperiment;
  readonly allowedFiles?: readonly string[] | undefined;
  /** The files that models may see, and others that go with them. */
  readonly files: () => Promise<readonly string[]>;
}

/** Opens what runs small programs of a search's models; undefined where nothing here would hold them. */
export async function openExperimentsOf(opening: ExperimentsOpening): Promise<Experiments | undefined> {
  const { place, id, formerId, allows, allowedFiles, files } = opening;
  const { state, own } = await workFolders(await realPath(place.folder), id, formerId);
  const filter = new SecretFilter(place.workspace, allowedFiles);
  const keys = redactor(agentSecrets(withoutMissing(process.env), []));
  const { openExperiments } = await import('../../work/open-workshop.ts');
  const says = [
    heldBySandbox({ sandbox: process.platform === 'darwin' ? 'sandbox-exec' : 'bubblewrap' }),
    withoutNetwork(),
  ];
  return await openExperiments({
    workspace: place.workspace,
    folder: join(own, 'experiments'),
    hidden: [state],
    redact: async (text) => (await filter.hide(AS, keys(text))).text,
    files,
    allows: (experiment) => allows(experiment, says),
  });
}
