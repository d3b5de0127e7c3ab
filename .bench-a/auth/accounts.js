import { and, equals, oneOf, or } from '../model/query.js';
const TRAIT = 'account';
const DEFAULTS = {
    username: 'username',
    email: 'email',
    password: 'password',
    roles: 'roles',
    extra: 'extra',
};
/** Looks accounts up by name or id. */
export class Accounts {
    model;
    reader;
    /** Field names of the account resource. */
    fields;
    columns;
    pairs;
    ours;
    constructor(model, reader) {
        this.model = model;
        this.reader = reader;
        const columnOf = (name) => model.fields.get(name)?.column ?? name;
        const fields = (this.fields = { ...DEFAULTS, ...model.traits.get(TRAIT) });
        this.columns = {
            username: columnOf(fields.username),
            email: columnOf(fields.email),
            password: columnOf(fields.password),
            roles: columnOf(fields.roles),
            extra: columnOf(fields.extra),
        };
        this.pairs = model.fields.get(fields.roles)?.many;
        this.ours = and(...Object.entries(model.discriminator).map(([column, value]) => equals(column, value)));
    }
    /** The accounts of a site; undefined when no resource holds any. */
    static of(models, reader) {
        const model = [...models.byName.values()].find((each) => each.traits.has(TRAIT) && each.table);
        return model && new Accounts(model, reader);
    }
    /** The account with this id; with `name` only if that is its login or e-mail address. */
    async load(id, name) {
        if (!Number.isSafeInteger(id) || id <= 0)
            return undefined;
        const { password, extra } = this.columns;
        const where = and(this.ours, equals('id', id), ...(name === undefined ? [] : [this.named(name)]));
        const [row, roles] = await Promise.all([
            this.reader.first(this.table, ['id', password, extra], where),
            this.rolesOf(id),
        ]);
        if (!row)
            return undefined;
        return { id, roles, extra: objectOf(row[extra]), passwordHash: String(row[password] ?? '') };
    }
    /** Id and password hash of the account with this login, or else this e-mail address. */
    async find(name) {
        const { username, password } = this.columns;
        // Somebody's login may be another one's address, and two logins may differ in case alone.
        const preferred = [equals(username, name), oneOf(username, spellings(name))];
        const [row] = await this.reader.select({
            table: this.table,
            columns: ['id', password],
            where: and(this.ours, this.named(name)),
            order: [
                { cases: preferred, direction: 'asc' },
                { column: 'id', direction: 'asc' },
            ],
            limit: 1,
        });
        return row && { id: Number(row['id']), passwordHash: String(row[password] ?? '') };
    }
    /** Whether there is any account, as seen by `reader`. */
    async any(reader = this.reader) {
        return (await reader.first(this.table, ['id'], this.ours)) !== undefined;
    }
    get table() {
        return this.model.table.name;
    }
    named(name) {
        const { username, email } = this.columns;
        const logins = oneOf(username, spellings(name));
        return name.includes('@') ? or(logins, oneOf(email, spellings(name))) : logins;
    }
    async rolesOf(id) {
        if (!this.pairs)
            return [];
        const { table, value } = this.pairs;
        const rows = await this.reader.select({ table, columns: [value], where: equals('owner_id', id), order: [] });
        return rows.map((row) => String(row[value]));
    }
}
function spellings(name) {
    const lower = name.toLowerCase();
    return lower === name ? [name] : [name, lower];
}
function objectOf(stored) {
    if (typeof stored !== 'string')
        return typeof stored === 'object' && stored !== null ? { ...stored } : {};
    if (stored === '')
        return {};
    const value = JSON.parse(stored);
    return typeof value === 'object' && value !== null ? value : {};
}
