import * as vscode from 'vscode';
import { FleetLanes } from './fleet-lanes.ts';
import { openFleet } from './open-fleet.ts';
import { QueuePassword } from './queue-password.ts';

/** The only way to a fleet: a bundle of its own, loaded where the settings name a queue. */
export const windowFleet = {
  open: openFleet,
  lanes: (parts: ConstructorParameters<typeof FleetLanes>[0]): Promise<vscode.Disposable> =>
    new FleetLanes(parts).open(),
  password: (secrets: vscode.SecretStorage): QueuePassword => new QueuePassword(secrets),
  /** *Remove Queue Password*. */
  removePassword: async (secrets: vscode.SecretStorage): Promise<void> => {
    const wasThere = await new QueuePassword(secrets).remove();
    void vscode.window.showInformationMessage(
      wasThere
        ? vscode.l10n.t('The password of the queue is removed.')
        : vscode.l10n.t('No password of a queue is kept.'),
    );
  },
};
