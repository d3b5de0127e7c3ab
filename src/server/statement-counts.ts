// Counts the statements of a process by what they do and who runs them.
import type { OnStatement, StatementRole } from '../storage/sql/connection.js';

/** What was counted of one kind of statement. */
export interface StatementSample {
  kind: string;
  role: StatementRole;
  count: number;
  /** Total duration in seconds. */
  seconds: number;
}

/** By the first three letters: reading the whole text would cost more than the count. */
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

  /** What was counted so far. */
  samples(): StatementSample[] {
    return [...this.all].flatMap(([kind, roles]) => [...roles].map(([role, counted]) => ({ kind, role, ...counted })));
  }
}

/** What a statement does: `select`, `insert`, `update`, `delete`, `transaction` or `other`. */
export function kindOf(sql: string): string {
  return KINDS[sql.slice(0, 3)] ?? 'other';
}
