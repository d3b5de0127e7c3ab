// The `Site` object that models and operations use at run time.
import { clientOf } from '../auth/rate-limit/client-address.js';
import type { PasswordHasher } from '../auth/password-hasher.js';
import type { RoleSet } from '../auth/roles.js';
import type { Secret } from '../auth/secret.js';
import { limitedPool } from '../engine/writes/prepared-texts.js';
import type { TextPool } from '../text/pool/text-pool.js';
import type { FileStore } from '../files/file-store.js';
import type { Site } from '../model/site/site.js';
import { signedUrls } from './served-files.js';
import type { AdministeredStore } from '../storage/sql/administered-store.js';
import type { Config } from '../config/settings.js';

/** Characters of the MAC of a cursor: 132 bits. */
const SEAL_LENGTH = 22;

/** Lets a site seal cursors and sign URLs of files with its secret. */
export function signWith(secret: Secret, site: Site, config: Config): void {
  const urls = signedUrls(config, secret);
  site.seal = (text) => secret.fingerprint('cursor', text).slice(0, SEAL_LENGTH);
  site.signFile = (key) => urls.sign(key, site.now());
}

interface SiteTools {
  hasher: PasswordHasher;
  roles: RoleSet;
  store: AdministeredStore;
  pool: TextPool;
  files: FileStore;
  publicBase: string;
}

/** The `Site` object, before `signWith`. */
export function makeSite(
  config: Config,
  { hasher, roles, store: { statementBytes, lowersTexts = false }, pool, files, publicBase }: SiteTools,
): Site {
  return {
    settings: config.site,
    apiRoot: `${config.publicUrl}${config.apiRoot}`,
    base: `${config.publicUrl}${config.apiRoot}/${config.apiNamespace}`,
    home: config.siteUrl,
    namespace: config.apiNamespace,
    uploads: publicBase,
    files,
    imageSizes: config.imageSizes,
    ...(statementBytes === undefined ? {} : { statementBytes }),
    lowersTexts,
    now: () => Date.now(),
    hashPassword: (password) => hasher.hash(password),
    textsOf: (caller) => {
      const client = clientOf(caller);
      return limitedPool((work, ...texts) => pool.runFor(client, work, ...texts));
    },
    capabilitiesOf: (names) => roles.capabilitiesOf(names),
    hasRole: (name) => roles.has(name),
    roleNames: () => roles.names(),
  };
}
