import { problemAt } from './load.js';
import { record, text } from './loose.js';
/** What the resources of a site do to each other. */
export function siteProblems(all, resources) {
    return [...doubleNames(all), ...doublePaths(all, resources), ...sharedTables(all)];
}
function doubleNames(all) {
    const first = new Map();
    return all.flatMap((known) => {
        const earlier = known.name === undefined ? undefined : first.get(known.name);
        if (known.name !== undefined && !earlier)
            first.set(known.name, known);
        return earlier
            ? [problemAt(known.file, ['name'], `"${known.name}" is the name of ${earlier.file.file} already`)]
            : [];
    });
}
function doublePaths(all, resources) {
    const problems = [];
    const first = new Map();
    for (const known of all) {
        const trail = ancestry(known, resources);
        if (trail.circle) {
            const names = [...trail.names, known.name].map((name) => `"${name}"`).join(' → ');
            problems.push(problemAt(known.file, ['parent', 'resource'], `parents in a circle: ${names}`));
        }
        if (!trail.address || known.file.broken)
            continue;
        const earlier = first.get(trail.address);
        if (!earlier)
            first.set(trail.address, known);
        else if (earlier.name !== known.name) {
            problems.push(problemAt(known.file, ['path'], `/${trail.address} is the path of resource "${earlier.name}" already`));
        }
    }
    return problems;
}
/** Path below the namespace, every parent id as `<id>`; none when a parent is unknown or leads back. */
function ancestry(known, resources) {
    const names = [];
    const segments = [];
    for (let at = known; at;) {
        const path = text(at.schema['path']);
        if (at.name === undefined || path === undefined)
            return { names };
        if (names.includes(at.name))
            return { names, circle: at === known };
        names.push(at.name);
        segments.unshift(path);
        const parent = text(record(at.schema['parent'])['resource']);
        if (parent === undefined)
            return { names, address: segments.join('/<id>/') };
        at = resources.get(parent);
    }
    return { names };
}
function sharedTables(all) {
    const problems = [];
    const tables = new Map();
    for (const known of all) {
        const storage = record(known.schema['storage']);
        const table = text(storage['table']) ?? defaultTable(known, storage);
        if (table === undefined || known.file.broken)
            continue;
        const others = tables.get(table) ?? [];
        tables.set(table, [...others, known]);
        const clash = others.find((other) => !isTwin(other, known) && !isApart(other, known));
        if (!clash)
            continue;
        const place = ['where', 'table'].find((key) => storage[key] !== undefined);
        const message = `table "${table}" is shared with resource "${clash.name}", but nothing tells their rows apart`;
        problems.push(problemAt(known.file, place ? ['storage', place] : ['path'], message, 'give both a "where" with different values of one column'));
    }
    return problems;
}
function defaultTable(known, storage) {
    return storage['registry'] === undefined ? text(known.schema['path'])?.replaceAll('-', '_') : undefined;
}
// Equal names or addresses are reported as such.
function isTwin(left, right) {
    return (left.name === right.name || (left.schema['path'] === right.schema['path'] && parentOf(left) === parentOf(right)));
}
// Rows below different parents are told apart by the parent.
function isApart(left, right) {
    const [wheres, parents] = [[left, right].map(whereOf), [left, right].map(parentOf)];
    const [mine, yours] = [record(wheres[0]), record(wheres[1])];
    if (Object.keys(mine).some((column) => Object.hasOwn(yours, column) && mine[column] !== yours[column]))
        return true;
    return parents[0] !== undefined && parents[1] !== undefined && parents[0] !== parents[1];
}
function whereOf(known) {
    return record(known.schema['storage'])['where'];
}
function parentOf(known) {
    return record(known.schema['parent'])['resource'];
}
