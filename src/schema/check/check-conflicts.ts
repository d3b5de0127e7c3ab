// Conflicts between resources: names, routes, cycles of parents, shared tables.
import type { Problem } from '../../errors/problem.js';
import { hasTable, type DeclaredNames } from './declared-names.js';
import { problemAt } from '../load/load.js';
import { record, text } from '../load/as-json.js';

/** Conflicts between the resources of a site. */
export function siteProblems(all: readonly DeclaredNames[], resources: ReadonlyMap<string, DeclaredNames>): Problem[] {
  return [...doubleNames(all), ...doublePaths(all, resources), ...sharedTables(all)];
}

function doubleNames(all: readonly DeclaredNames[]): Problem[] {
  const first = new Map<string, DeclaredNames>();
  return all.flatMap((known) => {
    const earlier = known.name === undefined ? undefined : first.get(known.name);
    if (known.name !== undefined && !earlier) first.set(known.name, known);
    return earlier
      ? [problemAt(known.file, ['name'], `"${known.name}" is the name of ${earlier.file.file} already`)]
      : [];
  });
}

function doublePaths(all: readonly DeclaredNames[], resources: ReadonlyMap<string, DeclaredNames>): Problem[] {
  const problems: Problem[] = [];
  const first = new Map<string, DeclaredNames>();
  for (const known of all) {
    const trail = ancestry(known, resources);
    if (trail.circle) {
      const names = [...trail.names, known.name].map((name) => `"${name}"`).join(' → ');
      problems.push(problemAt(known.file, ['parent', 'resource'], `parents in a circle: ${names}`));
    }
    if (!trail.address || known.file.broken) continue;
    const earlier = first.get(trail.address);
    if (!earlier) first.set(trail.address, known);
    else if (earlier.name !== known.name) {
      problems.push(
        problemAt(known.file, ['path'], `/${trail.address} is the path of resource "${earlier.name}" already`),
      );
    }
  }
  return problems;
}

/** Path below the namespace, every parent id as `<id>`; none when a parent is unknown or part of a cycle. */
function ancestry(
  known: DeclaredNames,
  resources: ReadonlyMap<string, DeclaredNames>,
): { address?: string; names: string[]; circle?: boolean } {
  const names: string[] = [];
  const segments: string[] = [];
  for (let at: DeclaredNames | undefined = known; at;) {
    const path = text(at.schema['path']);
    if (at.name === undefined || path === undefined) return { names };
    if (names.includes(at.name)) return { names, circle: at === known };
    names.push(at.name);
    segments.unshift(path);
    const parent = text(record(at.schema['parent'])['resource']);
    if (parent === undefined) return { names, address: segments.join('/<id>/') };
    at = resources.get(parent);
  }
  return { names };
}

function sharedTables(all: readonly DeclaredNames[]): Problem[] {
  const problems: Problem[] = [];
  const tables = new Map<string, DeclaredNames[]>();
  for (const known of all) {
    const storage = record(known.schema['storage']);
    const table = text(storage['table']) ?? defaultTable(known, storage);
    if (table === undefined || known.file.broken) continue;
    const others = tables.get(table) ?? [];
    tables.set(table, [...others, known]);
    const clash = others.find((other) => !isDuplicate(other, known) && !isApart(other, known));
    if (!clash) continue;
    const place = ['where', 'table'].find((key) => storage[key] !== undefined);
    const message = `table "${table}" is shared with resource "${clash.name}", but nothing tells their rows apart`;
    problems.push(
      problemAt(
        known.file,
        place ? ['storage', place] : ['path'],
        message,
        'give both a "where" with different values of one column',
      ),
    );
  }
  return problems;
}

function defaultTable(known: DeclaredNames, storage: Record<string, unknown>): string | undefined {
  return hasTable(storage) ? text(known.schema['path'])?.replaceAll('-', '_') : undefined;
}

// Equal names or routes are reported elsewhere.
function isDuplicate(left: DeclaredNames, right: DeclaredNames): boolean {
  return (
    left.name === right.name || (left.schema['path'] === right.schema['path'] && parentOf(left) === parentOf(right))
  );
}

// Rows below different parents are distinguished by the parent.
function isApart(left: DeclaredNames, right: DeclaredNames): boolean {
  const [wheres, parents] = [[left, right].map(whereOf), [left, right].map(parentOf)];
  const [mine, yours] = [record(wheres[0]), record(wheres[1])];
  if (Object.keys(mine).some((column) => Object.hasOwn(yours, column) && mine[column] !== yours[column])) return true;
  return parents[0] !== undefined && parents[1] !== undefined && parents[0] !== parents[1];
}

function whereOf(known: DeclaredNames): unknown {
  return record(known.schema['storage'])['where'];
}

function parentOf(known: DeclaredNames): unknown {
  return record(known.schema['parent'])['resource'];
}
