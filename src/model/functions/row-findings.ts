// Findings of an audit about single rows, which are repaired by their ids: one at a time, or many.
import type { AuditFinding } from '../hooks.js';
import type { Transaction } from '../store.js';

/** The findings of these messages. `fix` repairs rows of the given ids. */
export function rowFindings(
  wrong: readonly { id: number; message: string }[],
  fix: (ids: readonly number[], tx: Transaction) => Promise<void>,
): AuditFinding[] {
  const idOf = new Map<AuditFinding, number>();
  const fixTogether: AuditFinding['fixTogether'] = (findings, tx) => {
    const ids = findings.map((finding) => idOf.get(finding)!);
    return fix(ids, tx);
  };
  for (const { id, message } of wrong) idOf.set({ message, fix: (tx) => fix([id], tx), fixTogether }, id);
  return [...idOf.keys()];
}
