// Serializes rows: loads relations in one statement each, formats fields, runs the traits' hooks, adds links.
import type { ViewScope } from '../../model/shown.js';
import type { Operation, View } from '../../model/operation.js';
import type { Row } from '../../model/query.js';
import type { Context } from '../../model/schema/schema.js';
import { chain } from '../../model/runtime/chain.js';
import { neverSeen, withheldFrom, type WithheldFields } from '../rights/field-rights.js';
import { TimeSlice } from '../../model/runtime/time-slice.js';
import { selectionOf, type Selection } from './selection.js';
import { loadRelations } from './load-relations.js';

/** Maximum number of rows serialized without yielding. */
const MAX_ROWS_AT_ONCE = 200;

/**
 * Representations of rows in a context, in the order of the rows. The number of statements does not depend on the
 * number of rows.
 */
export async function present(op: Operation, rows: Row[], context: Context = op.context): Promise<View[]> {
  const { model } = op;
  const selection = selectionOf(model, context, op.fields, op.kind === 'retrieve', neverSeen(model, op.actor));
  await loadRelations(op, rows, selection);
  const withheld = model.rights && (await withheldFrom(op, rows));
  return presentLoaded(op, rows, selection, { context, withheld });
}

/** The same for rows with everything that the selection needs; synchronous for few rows with synchronous hooks. */
export function presentLoaded(
  op: Operation,
  rows: Row[],
  selection: Selection,
  { context, withheld }: { context: Context; withheld?: WithheldFields | undefined },
): View[] | Promise<View[]> {
  op.state.withheld = withheld;
  const scope: ViewScope = { op, context, site: op.site, withheld };
  const views = viewsOf(rows, selection, scope);
  const finish = (views: View[]) =>
    chain(runHooks(op, rows, views), () => finishViews(op, rows, views, selection, scope));
  return chain(views, finish);
}

/** Runs the hooks one after the other from a position on. */
function runHooks(op: Operation, rows: Row[], views: View[], from = 0): Promise<void> | void {
  const { present: hooks } = op.model.hooks;
  for (let at = from; at < hooks.length; at++) {
    const pending = hooks[at]!.run(views, rows, op);
    if (pending) return pending.then(() => runHooks(op, rows, views, at + 1));
  }
}

function finishViews(op: Operation, rows: Row[], views: View[], { links }: Selection, scope: ViewScope): View[] {
  const { withheld } = op.state;
  // After the hooks, which may show a value in another form.
  if (withheld) rows.forEach((row, index) => (withheld as WithheldFields).strip(views[index]!, row));
  if (links) rows.forEach((row, index) => (views[index]!['_links'] = links(views[index]!, row, scope)));
  return op.fields ? views.map((view) => op.fields!.pick(view)) : views;
}

function viewsOf(rows: Row[], selection: Selection, scope: ViewScope): View[] | Promise<View[]> {
  if (rows.length > MAX_ROWS_AT_ONCE) return viewsInSlices(rows, selection, scope);
  return rows.map((row) => viewOf(row, selection, scope));
}

// A long list is processed in time slices.
async function viewsInSlices(rows: Row[], selection: Selection, scope: ViewScope): Promise<View[]> {
  const slice = new TimeSlice();
  const views: View[] = [];
  for (const row of rows) {
    await slice.pause();
    views.push(viewOf(row, selection, scope));
  }
  return views;
}

function viewOf(row: Row, { fields, template: blank }: Selection, scope: ViewScope): View {
  // Copies an object with every member: an object that grows by many computed names becomes a slow hash table.
  const view: View = { ...blank };
  for (const field of fields) view[field.name] = field.toView!(row, scope);
  return view;
}
