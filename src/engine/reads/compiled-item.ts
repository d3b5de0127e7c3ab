// An item whose statement is compiled once for all requests with the same parameters. What the caller may do with a row
// is decided once per combination of the results of the rules about it.
import { both, chain } from '../../model/runtime/chain.js';
import type { Operation } from '../../model/operation.js';
import { and, equals, type Row } from '../../model/query.js';
import type { CompiledStatement, Reader } from '../../model/store.js';
import { authorize, checkParams } from '../rights/policy.js';
import { presentLoaded } from '../presentation/present.js';
import { alternate } from '../presentation/item-links.js';
import { seesInPart } from '../rights/field-rights.js';
import type { RowChecks } from '../rights/predicate-for.js';
import { rowChecks } from '../rights/row-checks.js';
import { selectionOf } from '../presentation/selection.js';
import type { Compiled } from './compiled-list.js';
import { INLINE_BYTES, RowPlan, versionFor } from './loaded-rows.js';
import { observe } from './observed.js';
import { allowedMethods } from '../rights/policy-results.js';

/** Two sample ids, which reveal the position of the id among the parameters. */
const IDS = [9_007_199_254_740_001, 9_007_199_254_740_003] as const;

/** What was decided about rows with the same results of the rules. */
interface Verdict {
  ruleResults: Record<string, boolean>;
  allow: readonly string[];
}

/** The items of one shape. */
export class CompiledItem {
  private readonly rows: RowPlan;
  private readonly checks: RowChecks;
  private readonly names: readonly string[];
  /** By results of the rules; null for rows that are refused, or are being decided about. */
  private readonly verdicts = new Map<string, Verdict | null>();
  private statement: (CompiledStatement & { idAt: number }) | undefined;

  private constructor(
    /** Not used by `run`: verdicts are decided with copies of it. */
    private readonly shape: Operation,
    private readonly columns: readonly string[],
    checks: RowChecks,
  ) {
    this.checks = checks;
    this.names = Object.keys(checks.predicates);
    const selection = selectionOf(shape.model, shape.context, shape.fields, true);
    this.rows = new RowPlan(selection, columns, shape, this.names);
  }

  /** Compiles the items of an operation; undefined when they depend on more than its parameters and its caller. */
  static async of(of: Operation): Promise<CompiledItem | undefined> {
    const { model, actor } = of;
    const looks = model.hooks.authorize.some(({ kinds }) => !kinds || kinds.includes('retrieve'));
    if (looks || !model.integerKey || model.singleton || seesInPart(model, actor) || (of.query && of.fields))
      return undefined;
    if (model.policy.retrieve.some(({ field }) => field)) return undefined;
    const { op, isClean } = observe(of);
    await checkParams(op);
    const checks = rowChecks(op, ['retrieve', 'update', 'delete']);
    const { columns } = selectionOf(model, op.context, op.fields, true);
    const item = new CompiledItem(of, columns, checks);
    return isClean() ? item : undefined;
  }

  /** Reads the item of an operation of this shape. */
  run(op: Operation): Compiled | Promise<Compiled> {
    const { store } = op;
    if (op.id === 0) return undefined;
    const statement = (this.statement ??= this.make(store));
    const params = [...statement.params];
    params[statement.idAt] = op.id;
    const version = versionFor(store, this.rows.cachedTables);
    return both(version, store.run!(statement, params), (at, found) => {
      const row = found && this.rows.rowsOf(found, statement)?.[0];
      const verdict = row && this.verdictFor(row);
      return verdict ? this.toResult(op, row, verdict, { statement, version: at }) : undefined;
    });
  }

  private toResult(
    op: Operation,
    row: Row,
    { ruleResults, allow: ruled }: Verdict,
    { statement, version }: { statement: CompiledStatement; version: unknown },
  ): Compiled | Promise<Compiled> {
    op.id = row['id'] as number;
    Object.assign(op.ruleResults, ruleResults);
    // A verdict is about many rows, and this is about one.
    const stays = op.model.faces.stays?.(row, op.site);
    const allow = stays ? ruled.filter((method) => method !== 'DELETE') : ruled;
    op.state.allow = allow;
    const rows = [row];
    const present = () => presentLoaded(op, rows, this.rows.selection, { context: op.context });
    const loading = this.rows.complete(op, rows, statement, version);
    const views = loading ? loading.then(present) : present();
    return chain(views, ([view]) => ({
      status: 200,
      body: view,
      allow,
      version: row['row_version'] as number,
      isSmall: this.rows.isSmall(row),
      ...alternate(op, row, view!),
    }));
  }

  private verdictFor(row: Row): Verdict | null | undefined {
    let key = '';
    for (const name of this.names) key += row[name] ? 1 : 0;
    const verdict = this.verdicts.get(key);
    if (verdict === undefined) {
      this.verdicts.set(key, null);
      // The first request is handled without a compiled read; after an error, so are all requests for such rows.
      void this.decide(key, { ...row }).catch(() => undefined);
    }
    return verdict;
  }

  private async decide(key: string, row: Row): Promise<void> {
    const { op, isClean } = observe({ ...this.shape, ruleResults: {} });
    const { settled, columns } = this.checks;
    Object.assign(op.ruleResults, settled);
    for (const [name, column] of columns) op.ruleResults[name] = Boolean(row[column]);
    await authorize(op, row);
    const allow = await allowedMethods(op, 'item');
    if (isClean()) this.verdicts.set(key, { ruleResults: { ...op.ruleResults }, allow });
  }

  private make(reader: Reader): CompiledStatement & { idAt: number } {
    const { model } = this.shape;
    const statementFor = (id: number) => {
      const where = and(equals(model.key.column!, id), model.rowScope);
      const query = { table: model.table!.name, columns: this.columns, where, order: [] };
      return reader.made!(query, INLINE_BYTES, this.rows.lists, this.checks.predicates);
    };
    const [one, other] = IDS.map(statementFor) as [CompiledStatement, CompiledStatement];
    const places = one.params.flatMap((value, at) => (value === other.params[at] ? [] : [at]));
    if (one.sql !== other.sql || places.length !== 1) throw new Error(`No place of the id in ${one.sql}`);
    return { ...one, idAt: places[0]! };
  }
}
