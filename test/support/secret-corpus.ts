import { FIFTH_LIST } from '../fixtures/secrets/fifth-list.ts';
import { FIRST_LIST } from '../fixtures/secrets/first-list.ts';
import { FOURTH_LIST } from '../fixtures/secrets/fourth-list.ts';
import { KNOWN_FORMS } from '../fixtures/secrets/known-forms.ts';
import { LAST_LIST } from '../fixtures/secrets/last-list.ts';
import { SECOND_LIST } from '../fixtures/secrets/second-list.ts';
import type { SecretForm } from '../fixtures/secrets/secret-form.ts';
import { SecretValues } from '../fixtures/secrets/secret-values.ts';
import { SIXTH_LIST } from '../fixtures/secrets/sixth-list.ts';
import { THIRD_LIST } from '../fixtures/secrets/third-list.ts';

/**
 * What secrets are planted in. `known`: forms that the rules are written for. `other`: forms that they are not, gathered after
 * the last change of a rule; see the head of `last-list.ts`. `learnt`: lists that were gathered in the same way before, and
 * that the rules were made better with since; how much they held back of each when they met it first is told here.
 */
export type FormsName = 'known' | 'other' | 'learnt';

export const FORMS: Readonly<Record<FormsName, readonly SecretForm[]>> = {
  known: KNOWN_FORMS,
  other: LAST_LIST,
  learnt: [
    ...FIRST_LIST, // 82.6 %
    ...SECOND_LIST, // 75.0 %
    ...THIRD_LIST, // 83.2 %
    ...FOURTH_LIST, // 74.5 %, much of it for one mistake
    ...FIFTH_LIST, // 80.1 %
    ...SIXTH_LIST, // 81.7 %
  ],
};

/** A file with a secret in it. */
export interface PlantedFile {
  readonly forms: FormsName;
  readonly form: string;
  /** Relative to the workspace, with `/`. */
  readonly path: string;
  readonly text: string;
  /** What must not be sent, each by itself. */
  readonly secrets: readonly string[];
}

/** Files in which every form occurs several times, each time with other values; the same for the same seed. */
export function plantedFiles(forms: FormsName, times: number, seed = 1): PlantedFile[] {
  const values = new SecretValues(seed);
  return Array.from({ length: times }, (_, time) =>
    FORMS[forms].map(({ name, file, write }, at): PlantedFile => {
      const { text, secrets } = write(values);
      const own = /^[A-Z]/.test(file) ? file : `part-${at % 7}.${file}`;
      return { forms, form: name, path: `${forms}/case-${time}-${at}/${own}`, text: `${text}\n`, secrets };
    }),
  ).flat();
}

/** Names that say that a file holds secrets, as people and programs name them. */
export const SECRET_NAMES: readonly string[] = `
  .env .env.local .env.production app/.env.example config/prod.env env.production .envrc
  .npmrc .yarnrc.yml .pypirc .netrc .git-credentials .pgpass .my.cnf .s3cfg .boto .htpasswd .vault-token .dockercfg .bash_history
  .zsh_history .python_history .psql_history
  .aws/credentials .aws/config .docker/config.json .kube/config .ssh/config .ssh/id_ed25519 .gnupg/secring .config/gh/hosts.yml
  .azure/accessTokens.json .terraform/environment .gem/credentials .m2/settings.xml .secrets/anything.txt
  infra/terraform.tfstate infra/terraform.tfstate.backup infra/prod.tfvars infra/prod.auto.tfvars
  credentials.json service-account.json gcp-key.json my-project-firebase-adminsdk-x1.json client_secret_123.json
  secrets.yml secrets.json config/secrets.yaml db_password.txt password.txt passwords.csv api_key.txt api-keys.json
  kube/config.yaml deploy/kube/config appsettings.Production.json local_settings.py backup.pgpass wallet.dat cookies.sqlite dump.sql
  vault.hcl .vscode/sftp.json .github/secrets.yml .circleci/.env
  access_token.txt auth.json wp-config.php local.settings.json config/master.key database.yml
  keys/server.pem keys/server.key keys/store.p12 keys/store.jks keys/id_rsa keys/AuthKey_1.p8 keys/login.kdbx vpn/office.ovpn
`
  .trim()
  .split(/\s+/);
