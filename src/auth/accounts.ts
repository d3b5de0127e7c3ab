// Looks up accounts for authentication, through the model whose items are accounts, whatever its name. Accounts are
// cached until the data changes: its version is read before every use.
import { LRUCache } from 'lru-cache';
import { accountKey } from '../model/functions/account-key.js';
import type { AccountsFace } from '../model/faces.js';
import type { ModelSet, ResourceModel } from '../model/model.js';
import { and, equals, oneOf, or, type Predicate, TRUE } from '../model/query.js';
import { readerFor } from '../model/functions/reader-for.js';
import type { Requester, Reader } from '../model/store.js';
import type { FieldModel } from '../model/field.js';

/** An account as currently stored. */
export interface Account {
  readonly id: number;
  /** What names it in URLs, where that is not its id. */
  readonly key?: string;
  readonly roles: readonly string[];
  /** Capabilities granted to this account alone; `false` revokes one that a role grants. */
  readonly extra: Readonly<Record<string, unknown>>;
  /** Hash of its password. */
  readonly passwordHash: string;
}

/** Accounts cached. Names, which are part of the keys, are at most as long as a header. */
const MAX_CACHED = 1_000;
/** A site has a few. */
const MOST_ROLES = 100;

/** Looks accounts up by name or id. */
export class Accounts {
  private readonly cache = new LRUCache<string, Account>({ max: MAX_CACHED });
  /** Version of the data that the cached accounts were read from. */
  private cachedVersion: unknown;
  /** Field names of the account resource. */
  readonly fields: AccountsFace['fields'];
  private readonly columns: AccountsFace['fields'];
  private readonly keys: AccountsFace['keys'];
  private readonly pairs: FieldModel['many'];

  constructor(
    readonly model: ResourceModel,
    private readonly reader: Reader,
  ) {
    const columnOf = (name: string) => model.fields.get(name)?.column ?? name;
    const { fields, keys } = model.faces.accounts!;
    this.fields = fields;
    this.keys = keys;
    this.columns = {
      username: columnOf(fields.username),
      email: columnOf(fields.email),
      password: columnOf(fields.password),
      roles: columnOf(fields.roles),
      extra: columnOf(fields.extra),
    };
    this.pairs = model.fields.get(fields.roles)?.many;
  }

  /** The accounts of a site; undefined when no resource holds them. */
  static of(models: ModelSet, reader: Reader): Accounts | undefined {
    const model = [...models.byName.values()].find((each) => each.faces.accounts && each.table);
    return model && new Accounts(model, reader);
  }

  /**
   * The account with this id; with `name` only if that is its username or e-mail address. The same object as long as
   * nothing in the database changes. `requester`: for whom it is read; `knownVersion`: the current `version`, if the
   * caller has it.
   */
  async load(id: number, name?: string, requester?: Requester, knownVersion?: unknown): Promise<Account | undefined> {
    if (!Number.isSafeInteger(id) || id <= 0) return undefined;
    const reader = readerFor(this.reader, requester);
    // Read first, so that what is cached is at least as new as its version.
    const version = knownVersion ?? (await this.version(requester));
    if (version === undefined) return this.read(reader, id, name);
    if (version !== this.cachedVersion) {
      this.cache.clear();
      this.cachedVersion = version;
    }
    const key = name === undefined ? String(id) : `${id} ${name}`;
    const known = this.cache.get(key);
    if (known) return known;
    const found = await this.read(reader, id, name);
    if (found && version === this.cachedVersion) this.cache.set(key, found);
    return found;
  }

  /** The version of the accounts, for callers of `load` who read something else at the same time. */
  async version(requester?: Requester): Promise<unknown> {
    return readerFor(this.reader, requester).version?.(this.tables);
  }

  private async read(reader: Reader, id: number, name: string | undefined): Promise<Account | undefined> {
    const { password, extra } = this.columns;
    const key = this.model.integerKey ? undefined : this.model.key.column;
    const where = and(this.model.rowScope, equals('id', id), ...(name === undefined ? [] : [this.hasName(name)]));
    const [row, roles] = await Promise.all([
      reader.first(this.table, ['id', password, extra, ...(key === undefined ? [] : [key])], where),
      this.rolesOf(reader, id),
    ]);
    if (!row) return undefined;
    const account = { id, roles, extra: objectOf(row[extra]), passwordHash: String(row[password] ?? '') };
    return key === undefined ? account : { ...account, key: String(row[key] ?? '') };
  }

  /** Id and password hash of the account with this username, or else this e-mail address. */
  async find(name: string, requester?: Requester): Promise<{ id: number; passwordHash: string } | undefined> {
    const { username, password } = this.columns;
    // One account's username may be another one's e-mail address, and usernames may differ only in case: prefer the exact
    // username.
    const preferred = [equals(username, name), this.hasUsername(name)];
    const [row] = await readerFor(this.reader, requester).select({
      table: this.table,
      columns: ['id', password],
      where: and(this.model.rowScope, this.hasName(name)),
      order: [
        { cases: preferred, direction: 'asc' },
        { column: 'id', direction: 'asc' },
      ],
      limit: 1,
    });
    return row && { id: Number(row['id']), passwordHash: String(row[password] ?? '') };
  }

  /** Whether any account exists, as seen by `reader`. */
  async any(reader: Reader = this.reader): Promise<boolean> {
    return (await reader.first(this.table, ['id'], this.model.rowScope)) !== undefined;
  }

  /** How many accounts hold each role, for the first hundred roles by name. */
  async rolesHeld(): Promise<Map<string, number>> {
    if (!this.pairs) return new Map();
    const { table, value } = this.pairs;
    const rows = await this.reader.summarize({ table, by: [value], of: [], where: TRUE, limit: MOST_ROLES });
    return new Map(rows.map(({ by: [role], count }) => [String(role), count]));
  }

  /** Tables that an account is read from. */
  private get tables(): string[] {
    return [this.table, ...(this.pairs ? [this.pairs.table] : [])];
  }

  private get table(): string {
    return this.model.table!.name;
  }

  private hasName(name: string): Predicate {
    const byUsername = this.hasUsername(name);
    return name.includes('@') ? or(byUsername, this.hasKey(this.keys.email, this.columns.email, name)) : byUsername;
  }

  private hasUsername(name: string): Predicate {
    return this.hasKey(this.keys.username, this.columns.username, name);
  }

  /** Names are compared by their normalized keys, for which the trait keeps a unique index. */
  private hasKey(key: string, column: string, name: string): Predicate {
    return this.model.table!.columns.has(key) ? equals(key, accountKey(name)) : oneOf(column, spellings(name));
  }

  private async rolesOf(reader: Reader, id: number): Promise<string[]> {
    if (!this.pairs) return [];
    const { table, value } = this.pairs;
    const rows = await reader.select({ table, columns: [value], where: equals('owner_id', id), order: [] });
    return rows.map((row) => String(row[value]));
  }
}

function spellings(name: string): string[] {
  const lower = name.toLowerCase();
  return lower === name ? [name] : [name, lower];
}

function objectOf(stored: unknown): Record<string, unknown> {
  if (typeof stored !== 'string') return typeof stored === 'object' && stored !== null ? { ...stored } : {};
  if (stored === '') return {};
  const value: unknown = JSON.parse(stored);
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
