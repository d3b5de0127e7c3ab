// Result of an import: counts per resource, and the reasons for skipped objects.

/** An object that was skipped or changed during the import. */
export interface ImportNotice {
  resource: string;
  line: number;
  label: string;
  reason: string;
}

/** Counts of one resource. */
export interface ResourceCounts {
  created: number;
  updated: number;
  skipped: number;
  /** Number of skipped objects by reason. */
  reasons: Map<string, number>;
}

/** Notices reported in full; further ones are only counted. */
const MAX_NOTICES = 200;

/** Collects the counts, rejected objects and notes of an import. */
export class ImportSummary {
  readonly counts = new Map<string, ResourceCounts>();
  /** Rejected objects, with their lines. */
  readonly refused: ImportNotice[] = [];
  refusedCount = 0;
  /** Parts that could not be imported although their object was, with their number. */
  readonly notes = new Map<string, number>();

  constructor(readonly dryRun = false) {}

  /** Counts one object; a skipped one has a reason. */
  count(resource: string, did: 'created' | 'updated' | 'skipped', reason = ''): void {
    const counts = this.of(resource);
    counts[did] += 1;
    if (did === 'skipped') counts.reasons.set(reason, (counts.reasons.get(reason) ?? 0) + 1);
  }

  /** Counts an object that the site rejected. */
  refuse(notice: ImportNotice, kind = notice.reason): void {
    this.count(notice.resource, 'skipped', kind);
    this.refusedCount += 1;
    if (this.refused.length < MAX_NOTICES) this.refused.push(notice);
  }

  note(text: string): void {
    this.notes.set(text, (this.notes.get(text) ?? 0) + 1);
  }

  /** Puts the counts of these resources first, in this order. */
  sort(resources: readonly string[]): void {
    const rank = (name: string) => (resources.includes(name) ? resources.indexOf(name) : resources.length);
    const sorted = [...this.counts].sort(([one], [other]) => rank(one) - rank(other));
    this.counts.clear();
    for (const [name, counts] of sorted) this.counts.set(name, counts);
  }

  /** Whether anything was, or would be, written. */
  get changed(): boolean {
    return [...this.counts.values()].some(({ created, updated }) => created + updated > 0);
  }

  private of(resource: string): ResourceCounts {
    let counts = this.counts.get(resource);
    if (!counts) this.counts.set(resource, (counts = { created: 0, updated: 0, skipped: 0, reasons: new Map() }));
    return counts;
  }
}

/** Formats the summary as a table with aligned columns, followed by reasons and rejected objects. */
export function formatSummary(summary: ImportSummary): string {
  const head = summary.dryRun ? ['', 'to create', 'to update', 'to skip'] : ['', 'created', 'updated', 'skipped'];
  const rows = [...summary.counts].map(([name, { created, updated, skipped }]) =>
    [name, created, updated, skipped].map(String),
  );
  const reasons = [...summary.counts].flatMap(([name, counts]) =>
    [...counts.reasons].map(([reason, times]) => `${name}: ${times} ${reason}`),
  );
  const notes = [...summary.notes].map(([note, times]) => `${times} × ${note}`);
  const refused = summary.refused.map(
    ({ resource, line, label, reason }) => `line ${line}, ${resource} ${label}: ${reason}`,
  );
  if (summary.refusedCount > refused.length) refused.push(`and ${summary.refusedCount - refused.length} more`);
  return [
    ...aligned(rows.length > 0 ? [head, ...rows] : [['The file holds nothing to import.']]),
    ...section('Skipped', reasons),
    ...section('Left out', notes),
    ...section('Refused', refused),
  ].join('\n');
}

function aligned(rows: string[][]): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!)))
      .join('  ')
      .trimEnd(),
  );
}

function section(title: string, lines: string[]): string[] {
  return lines.length === 0 ? [] : ['', `${title}:`, ...lines.map((line) => `  ${line}`)];
}
