// The roles and their capabilities, read at start from roles.json (or ROLES_FILE): {description, firstAccount, roles:
// {name: {label, capabilities}}}.
import { readFileSync } from 'node:fs';
import { LRUCache } from 'lru-cache';
import { StartupError, type Problem } from '../errors/problem.js';

/** One role as written in the file. */
export interface Role {
  readonly label: string;
  readonly capabilities: readonly string[];
}

const ROLE_NAME = /^[a-z][a-z0-9_-]*$/;
const CAPABILITY = /^[a-z][a-z0-9_.:-]*$/;
const NOTHING: ReadonlySet<string> = new Set();
/** Skips the mark that some editors write before UTF-8, and throws for other bytes. */
const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** The roles of a site; immutable after the start. */
export class RoleSet {
  private readonly united = new LRUCache<string, ReadonlySet<string>>({ max: 1000 });

  constructor(
    private readonly roles: ReadonlyMap<string, Role>,
    /** Role of the administrator created at the first start. */
    readonly firstAccount: string,
  ) {}

  /** Union of the capabilities of these roles, including the names of the roles. An unknown role grants nothing. */
  capabilitiesOf(names: readonly string[]): ReadonlySet<string> {
    const known = names.filter((name) => this.roles.has(name));
    if (known.length === 0) return NOTHING;
    const key = known.join(' ');
    let united = this.united.get(key);
    if (!united) {
      united = new Set(known.flatMap((name) => [...this.roles.get(name)!.capabilities, name]));
      this.united.set(key, united);
    }
    return united;
  }

  /** Whether a role of this name exists. */
  has(name: string): boolean {
    return this.roles.has(name);
  }

  /** Every role, in the order of the file. */
  names(): string[] {
    return [...this.roles.keys()];
  }
}

/** Reads and validates a file of roles. Throws a StartupError with every problem in it. */
export function loadRoles(file: string): RoleSet {
  const written = readJson(file);
  const problems: Problem[] = [];
  const report = (path: string, message: string) => problems.push({ file, path, message });
  const { roles, firstAccount } = checkFile(written, report);
  if (problems.length > 0) throw new StartupError(problems);
  return new RoleSet(roles, firstAccount);
}

type Report = (path: string, message: string) => void;

function readJson(file: string): unknown {
  try {
    return JSON.parse(UTF8.decode(readFileSync(file)));
  } catch (error) {
    const message =
      error instanceof SyntaxError
        ? `not JSON: ${error.message}`
        : error instanceof TypeError
          ? 'the file is not in UTF-8'
          : 'the file of roles cannot be read';
    throw new StartupError([{ file, message, hint: 'ROLES_FILE can name another file.' }]);
  }
}

function checkFile(written: unknown, report: Report): { roles: Map<string, Role>; firstAccount: string } {
  const roles = new Map<string, Role>();
  const file = members(written, '', ['$schema', 'description', 'firstAccount', 'roles'], report);
  const entries = Object.entries(members(file['roles'], 'roles', undefined, report));
  for (const [name, role] of entries) roles.set(name, checkRole(name, role, report));
  if (entries.length === 0) report('roles', 'there must be at least one role');
  const capabilities = new Set([...roles.values()].flatMap((role) => role.capabilities));
  for (const name of roles.keys())
    if (capabilities.has(name))
      report(`roles.${name}`, 'a role cannot be named like a capability: its name counts as one of those who have it');
  const firstAccount = file['firstAccount'];
  if (typeof firstAccount === 'string' && roles.has(firstAccount)) return { roles, firstAccount };
  report('firstAccount', roles.size === 0 ? 'must name a role' : `must be one of ${[...roles.keys()].join(', ')}`);
  return { roles, firstAccount: '' };
}

function checkRole(name: string, written: unknown, report: Report): Role {
  const path = `roles.${name}`;
  if (!ROLE_NAME.test(name)) report(path, 'a role is named with lower-case letters, digits, _ and -');
  const { label = name, capabilities } = members(written, path, ['label', 'capabilities'], report);
  if (typeof label !== 'string' || label === '') report(`${path}.label`, 'must be a text');
  if (!Array.isArray(capabilities)) {
    report(`${path}.capabilities`, 'must be a list of capabilities');
    return { label: String(label), capabilities: [] };
  }
  capabilities.forEach((capability: unknown, at) => {
    if (typeof capability !== 'string' || !CAPABILITY.test(capability)) {
      report(`${path}.capabilities.${at}`, 'a capability is written with lower-case letters, digits, _ . : and -');
    } else if (capabilities.indexOf(capability) < at) {
      report(`${path}.capabilities.${at}`, `"${capability}" stands here twice`);
    }
  });
  return { label: String(label), capabilities: capabilities.filter((each) => typeof each === 'string') };
}

function members(written: unknown, path: string, known: string[] | undefined, report: Report): Record<string, unknown> {
  if (typeof written !== 'object' || written === null || Array.isArray(written)) {
    report(path, 'must be an object');
    return {};
  }
  for (const key of Object.keys(written)) {
    const place = path ? `${path}.${key}` : key;
    if (known && !known.includes(key)) report(place, `unknown key; known are ${known.join(', ')}`);
  }
  return written as Record<string, unknown>;
}
