import { and, equals } from '../../model/query.js';
import { Target } from '../guarded/target.js';
const NAMES = {
    parent: 'parent',
    author: 'author',
    content: 'content',
    name: 'author_name',
    email: 'author_email',
    url: 'author_url',
    address: 'author_ip',
    agent: 'author_user_agent',
};
export const DEFAULT_MODERATORS = 'moderate_comments';
/** The parts of a linked model. */
export function partsOf(model, options) {
    const field = { ...NAMES, status: 'status', ...pick(options) };
    const columnOf = (name) => model.fields.get(name)?.column ?? name;
    const column = Object.fromEntries(Object.entries(field).map(([part, name]) => [part, columnOf(name)]));
    const authors = model.fields.get(field.author).targets[0];
    return {
        model,
        table: model.table.name,
        ours: and(...Object.entries(model.discriminator).map(([name, value]) => equals(name, value))),
        field,
        column,
        target: new Target(model, options.on),
        owner: options.owner ?? NAMES.author,
        authors,
        copied: Object.entries(options.account).map(([name, from]) => ({
            field: name,
            column: columnOf(name),
            from: authors.fields.get(from)?.column ?? from,
        })),
        kind: String(model.fields.get(field.kind)?.schema.default ?? ''),
        moderators: options.moderators ?? DEFAULT_MODERATORS,
        accepts: options.accepts ?? {},
        expiring: options.expiring ?? [],
    };
}
function pick(options) {
    const named = {};
    for (const part of [...Object.keys(NAMES), 'on', 'kind']) {
        if (options[part] !== undefined)
            named[part] = options[part];
    }
    return named;
}
