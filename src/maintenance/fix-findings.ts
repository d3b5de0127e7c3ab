// Repairs what audits find, many findings at a time.
import type { AuditFinding } from '../model/hooks.js';
import type { Store } from '../model/store.js';

/** Findings that one transaction repairs. */
const PER_TRANSACTION = 200;

/** Repairs all findings that can be repaired; those of one kind together, where their trait can. */
export async function fixFindings(findings: readonly AuditFinding[], store: Store): Promise<void> {
  const kinds = new Map<AuditFinding['fixTogether'], AuditFinding[]>();
  for (const finding of findings) {
    const alike = kinds.get(finding.fixTogether);
    if (alike) alike.push(finding);
    else kinds.set(finding.fixTogether, [finding]);
  }
  for (const [fixTogether, alike] of kinds) {
    for (let at = 0; at < alike.length; at += PER_TRANSACTION) {
      const some = alike.slice(at, at + PER_TRANSACTION);
      await store.transaction(async (tx) => {
        if (fixTogether) await fixTogether(some, tx);
        else for (const { fix } of some) await fix?.(tx);
      });
    }
  }
}
