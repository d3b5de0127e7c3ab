import { and, equals, or, TRUE } from '../../model/query.js';
import { samePassword } from '../protected.trait.js';
/** Column of the trait `protected`. */
const PASSWORD = 'password';
export class Target {
    /** Our column with the id of the item. */
    column;
    table;
    /** Whether some of the items may have a password. */
    protects;
    models;
    constructor(model, reference) {
        const field = model.fields.get(reference);
        const table = field?.targets?.[0]?.table;
        if (!field?.column || !table)
            throw new Error(`"${reference}" of ${model.name} is no reference to a stored resource`);
        this.column = field.column;
        this.table = table.name;
        this.models = field.targets;
        this.protects = this.models.some((each) => each.traits.has('protected'));
    }
    /** Rows of the table that the reference may lead to. */
    get kinds() {
        return or(...this.models.map(kindOf));
    }
    /** Rows that a caller may read and whose password, if any, does not concern him. */
    visible(actor) {
        return this.allowing(actor, ['read', 'open']);
    }
    /** Rows that a caller may read, passwords aside. */
    readable(actor) {
        return this.allowing(actor, ['read']);
    }
    /** The item with this id; with 0/1 answers to `checks`. */
    async load(id, fields, op, checks = {}) {
        if (!(id > 0))
            return undefined;
        return op.store.first(this.table, ['id', ...this.columnsOf(fields)], and(equals('id', id), this.kinds), checks);
    }
    /** Whether a password opens an item that the caller could read without it being protected. */
    async opens(id, given, op) {
        if (!this.protects || typeof given !== 'string' || given === '')
            return false;
        const row = await this.load(id, [PASSWORD], op, { readable: this.readable(op.actor) });
        const stored = String(row?.[PASSWORD] ?? '');
        return Boolean(row?.['readable']) && stored !== '' && samePassword(given, stored);
    }
    /** The resource a loaded row belongs to. */
    modelOf(row) {
        return this.models.find((each) => Object.entries(each.discriminator).every(([column, value]) => row[column] === value));
    }
    /** Column of a field that the resources have in common. */
    columnOf(field) {
        return this.models.find((each) => each.fields.get(field)?.column)?.fields.get(field)?.column;
    }
    /** Constant columns that tell the resources apart. */
    get constants() {
        return [...new Set(this.models.flatMap((each) => Object.keys(each.discriminator)))];
    }
    columnsOf(fields) {
        const columns = fields.map((field) => this.columnOf(field)).filter((column) => column !== undefined);
        return [...new Set([...columns, ...this.constants])];
    }
    // A resource without the rule has nothing to hide by it.
    allowing(actor, rules) {
        return or(...this.models.map((each) => and(kindOf(each), ...rules.map((rule) => each.rules.get(rule)?.(actor) ?? TRUE))));
    }
}
function kindOf(model) {
    return and(...Object.entries(model.discriminator).map(([column, value]) => equals(column, value)));
}
