// Formats EXPLAIN of PostgreSQL as short lines.
import type { Bound } from '../sql/connection.js';
import { planLine } from '../sql/plan-line.js';

/** The fields of an `EXPLAIN (FORMAT JSON)` node that are used. */
interface PlanNode {
  'Node Type': string;
  'Parent Relationship'?: string;
  'Relation Name'?: string;
  Alias?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  'Plan Rows'?: number;
  Plans?: PlanNode[];
}

/** Formats `EXPLAIN (FORMAT JSON)`: one value, text or already parsed. */
export function planLines(rows: readonly Bound[][]): string[] {
  const value: unknown = rows[0]?.[0];
  const [{ Plan }] = (typeof value === 'string' ? JSON.parse(value) : value) as [{ Plan: PlanNode }];
  return linesOf(Plan, '');
}

function linesOf(node: PlanNode, indent: string, heap?: PlanNode): string[] {
  const below = /SubPlan|InitPlan/.test(node['Parent Relationship'] ?? '') ? `${indent}  ` : indent;
  // The rows of a bitmap heap scan are those of its index.
  const bitmap = node['Node Type'] === 'Bitmap Heap Scan';
  const own = ownLine(node, heap).map((line) => below + line);
  return [...own, ...(node.Plans ?? []).flatMap((plan) => linesOf(plan, below, bitmap ? node : heap))];
}

function ownLine(node: PlanNode, heap: PlanNode | undefined): string[] {
  const type = node['Node Type'];
  const index = node['Index Name'];
  const rows = node['Plan Rows'];
  if (type.endsWith('Sort')) return ['SORT'];
  if (index !== undefined) {
    const table = node.Alias ?? heap?.Alias ?? '';
    return [planLine({ table, index, entered: node['Index Cond'] !== undefined, rows })];
  }
  if (type !== 'Seq Scan') return [];
  return [planLine({ table: node.Alias ?? node['Relation Name'] ?? '', entered: false, rows })];
}
