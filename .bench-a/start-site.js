// Makes a running site of a configuration: models, store, files, accounts, application. Called by main, cli and tests.
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildApp } from './app.js';
import { Accounts } from './auth/accounts.js';
import { ActorSource } from './auth/actor-source.js';
import { APPLICATION_PASSWORDS, ApplicationPasswords } from './auth/application-passwords.js';
import { MemoryCounters } from './auth/counters.js';
import { BasicVerifier } from './auth/credentials.js';
import { makeFirstAdministrator } from './auth/first-administrator.js';
import { PasswordHasher } from './auth/password-hasher.js';
import { loadRoles } from './auth/roles.js';
import { loadSecret } from './auth/secret.js';
import { LoginThrottle } from './auth/throttle.js';
import { REFRESH_TOKENS } from './auth/token-families.js';
import { Tokens } from './auth/tokens.js';
import { RequestLimits } from './auth/write-limit.js';
import { ContentWriter } from './engine/content-writer.js';
import { startSchedule } from './engine/schedule.js';
import { plantSeeds } from './engine/seeds.js';
import { setPasswordMinLength } from './fields/password-rule.js';
import { LocalFileStore } from './files/local-store.js';
import { serveUploads } from './files/serve.js';
import { applicationPasswordsController } from './http/application-passwords.controller.js';
import { authControllerAt } from './http/auth.controller.js';
import { importTable } from './import/import-table.js';
import { compileSite } from './schema/compile-site.js';
import { openSqliteStore } from './storage/sqlite.store.js';
/**
 * Opens the database of a site and makes what a first boot makes: tables, seeds, the first administrator.
 * @throws BootError with every problem of schemas, roles and database
 */
export async function openSite(config, log) {
    const models = compileSite(config.schemasDir);
    const roles = loadRoles(config.rolesFile);
    setPasswordMinLength(config.site.passwordMinLength);
    const hasher = new PasswordHasher();
    const store = await openStore(config, models, log);
    const site = makeSite(config, hasher, roles);
    const writer = new ContentWriter(models, store, site);
    await plantSeeds(writer);
    const accounts = Accounts.of(models, store.reader);
    const administrator = await makeFirstAdministrator(accounts, writer, { hasher, roles }, config.admin);
    const secret = await loadSecret(config.tokenSecret, join(dataFolder(config), 'secret'));
    const applicationPasswords = new ApplicationPasswords(store, secret);
    const close = async () => {
        await applicationPasswords.settled();
        await store.close();
    };
    return { models, store, site, writer, hasher, roles, accounts, applicationPasswords, secret, administrator, close };
}
/** Opens a site and builds its application. */
export async function startSite(config, log) {
    const open = await openSite(config, log);
    const { store, accounts, hasher, roles, secret, applicationPasswords } = open;
    const counters = new MemoryCounters();
    const { mode } = config.rateLimit;
    const throttle = mode === 'none' ? undefined : new LoginThrottle(counters);
    const basic = new BasicVerifier({
        accounts,
        applicationPasswords,
        hasher,
        secret,
        throttle,
        accountPasswords: config.basicAccountPassword,
    });
    const tokens = new Tokens(accounts, store, secret);
    const actors = new ActorSource({ basic, bearer: tokens, roles, trustProxy: config.trustProxy !== false });
    const uploadDirectory = join(dataFolder(config), 'incoming');
    mkdirSync(uploadDirectory, { recursive: true });
    const running = { ...open, app: undefined, stopping: false };
    running.app = await buildApp({
        models: open.models,
        config,
        site: open.site,
        store,
        log,
        actors,
        ...(mode === 'none' || mode === 'off' ? {} : { counter: new RequestLimits(counters, config.rateLimit) }),
        uploadDirectory,
        readiness: async () => (running.stopping ? { ready: false, reason: 'The server is stopping.' } : { ready: true }),
        controllers: [authControllerAt(config.apiRoot), ...accountControllers(open, config)],
        providers: [
            { provide: Tokens, useValue: tokens },
            { provide: BasicVerifier, useValue: basic },
            { provide: ActorSource, useValue: actors },
        ],
    });
    running.app.use('/uploads', serveUploads(mediaFolder(config)));
    const schedule = startSchedule(open.writer, (error) => log.error(error));
    running.close = async () => {
        schedule.stop();
        await running.app.close();
        await open.close();
    };
    return running;
}
/** Endpoints that only a site with accounts has. */
function accountControllers({ accounts, applicationPasswords, store, site }, config) {
    if (!accounts)
        return [];
    const root = `${config.apiRoot}/${config.apiNamespace}`;
    return [
        applicationPasswordsController({ passwords: applicationPasswords, accounts: accounts.model, store, site, root }),
    ];
}
async function openStore(config, models, log) {
    const tables = new Map(models.tables);
    for (const table of [APPLICATION_PASSWORDS, REFRESH_TOKENS, importTable])
        tables.set(table.name, table);
    const [, path = '', options = ''] = /^sqlite:([^?]*)\??(.*)$/.exec(config.database.url) ?? [];
    mkdirSync(dirname(path), { recursive: true });
    const synchronous = new URLSearchParams(options).get('synchronous') === 'normal' ? 'normal' : 'full';
    return openSqliteStore(path, { synchronous, onSlow: (sql, ms) => log.warn({ sql, ms }, 'slow statement') }, tables);
}
/** The folder of the embedded database: secrets and incoming files lie beside it. */
function dataFolder(config) {
    const [, path] = /^sqlite:([^?]*)/.exec(config.database.url) ?? [];
    return path ? dirname(path) : 'data';
}
function mediaFolder(config) {
    return config.mediaUrl.replace(/^file:/, '');
}
function makeSite(config, hasher, roles) {
    const uploads = `${config.publicUrl}/uploads`;
    return {
        settings: config.site,
        apiRoot: `${config.publicUrl}${config.apiRoot}`,
        base: `${config.publicUrl}${config.apiRoot}/${config.apiNamespace}`,
        home: config.siteUrl,
        namespace: config.apiNamespace,
        uploads,
        files: new LocalFileStore(mediaFolder(config), uploads),
        now: () => Date.now(),
        hashPassword: (password) => hasher.hash(password),
        capabilitiesOf: (names) => roles.capabilitiesOf(names),
        hasRole: (name) => roles.has(name),
        roleNames: () => roles.names(),
    };
}
