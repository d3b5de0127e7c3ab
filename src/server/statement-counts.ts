// Counts the statements of a process by kind and role.
import type { OnStatement, StatementRole } from '../storage/sql/connection.js';

/** The counts of one kind of statement. */
export interface StatementSample {
  kind: string;
  role: StatementRole;
  count: number;
  /** Total duration in seconds. */
  seconds: number;
}

/** Kinds by the first three letters of a statement, so that counting stays cheap. */
const KINDS: Readonly<Record<string, string>> = {
  SEL: 'select',
  WIT: 'select',
  INS: 'insert',
  REP: 'insert',
  UPD: 'update',
  DEL: 'delete',
  BEG: 'transaction',
  STA: 'transaction',
  COM: 'transaction',
  ROL: 'transaction',
  SAV: 'transaction',
  REL: 'transaction',
};

/** Statements so far; several sent as one text count as one, of the kind of the first. */
export class StatementCounts {
  private readonly all = new Map<string, Map<StatementRole, { count: number; seconds: number }>>();

  /** Counts a statement. */
  readonly count: OnStatement = (sql, ms, role) => {
    const kind = kindOf(sql);
    let roles = this.all.get(kind);
    if (!roles) this.all.set(kind, (roles = new Map()));
    const counted = roles.get(role);
    if (!counted) roles.set(role, { count: 1, seconds: ms / 1000 });
    else {
      counted.count += 1;
      counted.seconds += ms / 1000;
    }
  };

  /** The counts so far. */
  samples(): StatementSample[] {
    return [...this.all].flatMap(([kind, roles]) => [...roles].map(([role, counted]) => ({ kind, role, ...counted })));
  }
}

/** The kind of a statement: `select`, `insert`, `update`, `delete`, `transaction` or `other`. */
export function kindOf(sql: string): string {
  return KINDS[sql.slice(0, 3)] ?? 'other';
}
