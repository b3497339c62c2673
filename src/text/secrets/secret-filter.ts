import { createHash } from 'node:crypto';
import { isAbsolute, posix, relative, resolve, sep } from 'node:path';
import { type FoundSecrets, type HiddenText, leaveOut } from './spans.ts';

/** The name under which the output of commands is read: like prose that may quote anything. */
export const COMMAND_OUTPUT = 'output.md';

const NO_SECRETS: FoundSecrets = { spans: [], count: 0 };
/** The number of texts without secrets that are remembered. */
const MOST_CLEAN = 10_000;

/**
 * Decides what models never see of a workspace: files with names or places that suggest secrets, and everything that
 * looks like a secret in the others. Only this person can allow exceptions; nothing in the folder can.
 */
export class SecretFilter {
  readonly #allowed: ReadonlySet<string>;
  /** Hashes of files without secrets: tools and citation checks read the same ones over and over. */
  readonly #clean = new Set<string>();

  /**
   * @param workspace an absolute path
   * @param allowed files that are shown unfiltered, and dot folders whose files are read like others; relative to the
   *   workspace, or absolute
   */
  constructor(workspace: string, allowed: readonly string[] = []) {
    this.#allowed = new Set(allowed.map((path) => within(workspace, path)));
  }

  /** Tells whether a file is left out completely. @param path relative to the workspace, with `/` */
  leavesOut(path: string): boolean {
    return this.whyLeftOut(path) !== undefined;
  }

  /**
   * Says why a file is left out completely: its name suggests secrets, or it is in a hidden folder; undefined if it is
   * not.
   */
  whyLeftOut(path: string): 'secret' | 'hidden' | undefined {
    if (this.#allowed.has(path)) return undefined;
    if (isSecretName(path)) return 'secret';
    return this.#dotFolders(path).some((folder) => !isRead(folder)) ? 'hidden' : undefined;
  }

  /**
   * Tells whether models may not change a file: one that is left out, or in a dot folder that nobody allowed, as
   * programs and servers obey what lies there.
   */
  isKept(path: string): boolean {
    return this.leavesOut(path) || (!this.#allowed.has(path) && this.#dotFolders(path).length > 0);
  }

  #dotFolders(path: string): string[] {
    return dotFolders(path).filter((folder) => !this.#allowed.has(folder));
  }

  /** Replaces everything in a file's text that looks like a secret by `[secret left out]`. */
  async hide(path: string, text: string): Promise<HiddenText> {
    const { spans, count } = await this.find(path, text);
    return { text: leaveOut(text, spans), secrets: count };
  }

  /** Finds everything in a file's text that looks like a secret. */
  async find(path: string, text: string): Promise<FoundSecrets> {
    if (this.#allowed.has(path)) return NO_SECRETS;
    const hash = createHash('sha256').update(`${path}\0`).update(text).digest('base64');
    if (this.#clean.has(hash)) return NO_SECRETS;
    // Loaded when a workspace is read, not when a program starts.
    const { findSecrets } = await import('./hide-secrets.ts');
    const found = await findSecrets(path, text);
    if (found.count === 0) {
      if (this.#clean.size >= MOST_CLEAN) this.#clean.clear();
      this.#clean.add(hash);
    }
    return found;
  }
}

function within(workspace: string, path: string): string {
  const own = isAbsolute(path) ? relative(workspace, path) : relative(workspace, resolve(workspace, path));
  return posix.normalize(own.split(sep).join('/'));
}

// Files that are left out completely because of their names. Names of documents and programs are not among them: their
// content is checked instead.

/** Whole names, in lower case. */
const NAMES = new Set(
  `
  .npmrc .yarnrc .yarnrc.yml .pypirc .netrc _netrc .git-credentials .gitcookies pip.conf nuget.config .condarc settings-security.xml
  .s3cfg .boto boto.cfg .dockercfg .dockerconfigjson kubeconfig .kubeconfig .vault-token .vault_pass .vault-password vault_pass
  vault.yml vault.yaml application_default_credentials.json local.settings.json rclone.conf .terraformrc terraform.rc
  credentials.tfrc.json .databrickscfg .dev.vars accesstokens.json msal_token_cache.json azureprofile.json .sentryclirc ngrok.yml
  .pgpass pgpass.conf .my.cnf .mylogin.cnf redis.acl pgbouncer.ini userlist.txt database.yml
  .htpasswd .htdigest wp-config.php master.key credentials.yml.enc secret_token.rb parameters.yml localsettings.php
  settings.local.php auth.json hosts.yml google-services.json googleservice-info.plist key.properties keystore.properties
  signing.properties filezilla.xml sitemanager.xml recentservers.xml sftp-config.json .ftpconfig .remote-sync.json winscp.ini
  .muttrc .msmtprc .fetchmailrc .esmtprc wpa_supplicant.conf sasl_passwd passwd shadow gshadow master.passwd logins.json cookies.txt
  appsettings.production.json appsettings.staging.json appsettings.local.json local_settings.py vault.hcl dump.sql wallet.dat
  cookies.sqlite sftp.json knife.rb .trc .envrc .authinfo .viminfo .lesshst consolehost_history.txt
`
    .trim()
    .split(/\s+/),
);

/** Extensions of keys, key stores, and state that contains secrets. */
const ENDINGS = new Set(
  `pem key p8 p12 pfx pkcs12 jks jceks bks keystore keychain keychain-db keytab ppk kdb kdbx psafe3 agilekeychain opvault gpg pgp
  age kwallet ovpn mobileprovision provisionprofile snk pvk tfstate tfvars rdp cred credentials secret secrets passwd
  pgpass publishsettings azurepubxml pubxml.user tfstate.backup tfvars.json secret.json secret.yml secret.yaml secret.toml secrets.json
  secrets.yml secrets.yaml secrets.toml sops.yml sops.yaml kubeconfig`
    .trim()
    .split(/\s+/),
);

/** Common names of files that contain nothing but secrets. */
const WORDS = [
  '(?:secrets?|credentials?|creds|passwords?|passwds?|passphrases?)',
  '(?:api|private|access|ssh|ssl|tls|gcp|gcloud|aws|azure|deploy|signing|encryption|firebase|stripe|openai)[-_ ]?keys?',
  '(?:access|auth|api|refresh|bot|gcp|aws|azure|deploy|github|gitlab|slack)[-_ ]?(?:tokens?|secrets?|credentials?|creds)',
  '(?:client|app)[-_ ]?secrets?',
  'service[-_ ]?accounts?(?:[-_ ]?keys?)?',
].join('|');
/** With such a name: data, as opposed to a document, a program or a page. */
const DATA =
  'json5?|ya?ml|toml|ini|cfg|conf|config|properties|plist|xml|txt|text|csv|tsv|env|enc|bak|old|orig|local|dist|dat';

const PATTERNS: readonly RegExp[] = [
  /^\.env(?:rc)?$|^\.env[._-]/i,
  /\.env$|\.env\.(?:local|prod|production|staging|stage|live|dev|development|test|testing|qa|ci|example|sample|template|bak|enc|old)$/i,
  /^env\.(?:local|prod|production|staging|stage|live|dev|development|test|testing|qa|ci|secrets?|private)$/i,
  /^(?:id|identity)_(?:rsa|dsa|ecdsa|ed25519|xmss)(?:_sk)?(?:[._-]|$)/i,
  /^ssh_host_\w{1,20}_key$/i,
  /^\.?(?:bash|zsh|sh|ksh|fish|mysql|psql|sqlite|rediscli|python|node_repl|irb)_?(?:history|hist)$/i,
  /firebase-adminsdk[\w-]{0,80}\.json$|^client_secret_[\w.-]{1,160}\.json$/i,
  /access_?keys(?:[-_ ][\w-]{1,40})?\.csv$|credentials(?: \(\d{1,3}\))?\.csv$/i,
  new RegExp(`^(?:[\\w.-]{0,60}[-_.])?(?:${WORDS})(?:[-_.]\\w{1,20})?(?:\\.(?:${DATA})){0,2}$`, 'i'),
];
/** Extensions of programs and documents, whose names describe their content. */
const WRITTEN =
  /\.(?:md|mdx|markdown|rst|adoc|html?|[cm]?[jt]sx?|py|pyi|rb|go|rs|java|kt|kts|cs|fs|php|swift|c|h|cc|cpp|hpp|m|mm|scala|lua|pl|ex|exs|erl|hs|clj|dart|vue|svelte|css|scss|less|sh|bash|ps1|psm1|sql|proto|graphql|ipynb)$/i;

/** A name that says so only in its folder. */
const IN_FOLDER = /(?:^|\/)kube\/config(?:\.ya?ml)?$/i;

/** Tells whether a file's name suggests that it contains secrets. @param path relative to the workspace, with `/` */
function isSecretName(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const lower = name.toLowerCase();
  if (NAMES.has(lower) || IN_FOLDER.test(path)) return true;
  // Nobody chooses longer names.
  if (name.length > 255 || WRITTEN.test(name)) return false;
  return endingsOf(lower).some((ending) => ENDINGS.has(ending)) || PATTERNS.some((pattern) => pattern.test(name));
}

/** Returns the possible endings of a name, of one part and of two. */
function endingsOf(name: string): string[] {
  const last = name.lastIndexOf('.');
  if (last < 0) return [];
  const before = last === 0 ? -1 : name.lastIndexOf('.', last - 1);
  return before < 0 ? [name.slice(last + 1)] : [name.slice(last + 1), name.slice(before + 1)];
}

/** Dot folders that are written to be read, by all who work on a project. */
const READ = /(?:^|\/)\.(?:github|vscode|circleci)$/;

/** Tells whether the files of a dot folder are read like others. */
function isRead(folder: string): boolean {
  return READ.test(folder);
}

/** Returns the dot folders in a path, which programs use for settings, sessions and the like; each with its path. */
function dotFolders(path: string): string[] {
  if (!path.startsWith('.') && !path.includes('/.')) return [];
  const steps = path.split('/');
  return steps.slice(0, -1).flatMap((step, place) => {
    return step.startsWith('.') && step !== '.' ? [steps.slice(0, place + 1).join('/')] : [];
  });
}
