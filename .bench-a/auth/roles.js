// What each role allows, read once at boot from roles.json (or ROLES_FILE): {description, firstAccount, roles: {name: {label, capabilities}}}.
// Asked by the actor source for every caller and by the site for `capabilities` of accounts.
import { readFileSync } from 'node:fs';
import { LRUCache } from 'lru-cache';
import { BootError } from '../errors/problem.js';
const ROLE_NAME = /^[a-z][a-z0-9_-]*$/;
const CAPABILITY = /^[a-z][a-z0-9_.:-]*$/;
const NOTHING = new Set();
/** The roles of a site; never changes after boot. */
export class RoleSet {
    roles;
    firstAccount;
    united = new LRUCache({ max: 1000 });
    constructor(roles, 
    /** Role of the administrator made at first boot. */
    firstAccount) {
        this.roles = roles;
        this.firstAccount = firstAccount;
    }
    /** Capabilities of all these roles together, the names of the roles included. A role that is gone allows nothing. */
    capabilitiesOf(names) {
        const known = names.filter((name) => this.roles.has(name));
        if (known.length === 0)
            return NOTHING;
        const key = known.join(' ');
        let united = this.united.get(key);
        if (!united) {
            united = new Set(known.flatMap((name) => [...this.roles.get(name).capabilities, name]));
            this.united.set(key, united);
        }
        return united;
    }
    /** Whether there is a role of this name. */
    has(name) {
        return this.roles.has(name);
    }
    /** Every role, in the order of the file. */
    names() {
        return [...this.roles.keys()];
    }
    /** The role's name for people. */
    label(name) {
        return this.roles.get(name)?.label ?? name;
    }
}
/** Reads and checks a file of roles. Throws a BootError with everything that is wrong in it. */
export function loadRoles(file) {
    const written = readJson(file);
    const problems = [];
    const report = (path, message) => problems.push({ file, path, message });
    const { roles, firstAccount } = checkFile(written, report);
    if (problems.length > 0)
        throw new BootError(problems);
    return new RoleSet(roles, firstAccount);
}
function readJson(file) {
    try {
        return JSON.parse(readFileSync(file, 'utf8'));
    }
    catch (error) {
        const message = error instanceof SyntaxError ? `not JSON: ${error.message}` : 'the file of roles cannot be read';
        throw new BootError([{ file, message, hint: 'ROLES_FILE names another file.' }]);
    }
}
function checkFile(written, report) {
    const roles = new Map();
    const file = members(written, '', ['$schema', 'description', 'firstAccount', 'roles'], report);
    const entries = Object.entries(members(file['roles'], 'roles', undefined, report));
    for (const [name, role] of entries)
        roles.set(name, checkRole(name, role, report));
    if (entries.length === 0)
        report('roles', 'there must be at least one role');
    for (const role of roles.values()) {
        const clash = role.capabilities.find((capability) => roles.has(capability));
        if (clash)
            report(`roles.${clash}`, 'a role cannot be named like a capability');
    }
    const firstAccount = file['firstAccount'];
    if (typeof firstAccount === 'string' && roles.has(firstAccount))
        return { roles, firstAccount };
    report('firstAccount', `must be one of ${[...roles.keys()].join(', ')}`);
    return { roles, firstAccount: '' };
}
function checkRole(name, written, report) {
    const path = `roles.${name}`;
    if (!ROLE_NAME.test(name))
        report(path, 'a role is named with small letters, digits, _ and -');
    const { label = name, capabilities } = members(written, path, ['label', 'capabilities'], report);
    if (typeof label !== 'string' || label === '')
        report(`${path}.label`, 'must be a text');
    if (!Array.isArray(capabilities)) {
        report(`${path}.capabilities`, 'must be a list of capabilities');
        return { label: String(label), capabilities: [] };
    }
    capabilities.forEach((capability, at) => {
        if (typeof capability !== 'string' || !CAPABILITY.test(capability)) {
            report(`${path}.capabilities.${at}`, 'a capability is written with small letters, digits, _ . : and -');
        }
        else if (capabilities.indexOf(capability) < at) {
            report(`${path}.capabilities.${at}`, `"${capability}" stands here twice`);
        }
    });
    return { label: String(label), capabilities: capabilities.filter((each) => typeof each === 'string') };
}
function members(written, path, known, report) {
    if (typeof written !== 'object' || written === null || Array.isArray(written)) {
        report(path, 'must be an object');
        return {};
    }
    for (const key of Object.keys(written)) {
        const place = path ? `${path}.${key}` : key;
        if (known && !known.includes(key))
            report(place, `unknown key; known are ${known.join(', ')}`);
    }
    return written;
}
