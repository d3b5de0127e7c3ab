// The most findings of one kind that `check --data` lists at a time: more would take memory without helping anybody.
import type { AuditFinding } from '../model/hooks.js';

/** Findings of one kind that are listed. */
export const MAX_FINDINGS = 1000;

/** At most `MAX_FINDINGS` findings, and one that says that there are more; `what`: what they are about. */
export function mostOf(findings: readonly AuditFinding[], what: string): AuditFinding[] {
  if (findings.length <= MAX_FINDINGS) return [...findings];
  const more = { message: `${what}: more than ${MAX_FINDINGS} of these problems: check again once they are fixed` };
  return [...findings.slice(0, MAX_FINDINGS), more];
}
