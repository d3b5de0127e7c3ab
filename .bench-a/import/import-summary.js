// What an import did, counted per resource, with the reasons for what it left out. Filled by the writers, printed by the command line.
/** Notices kept in full; of more, only the number is known. */
const KEPT = 200;
export class ImportSummary {
    dryRun;
    counts = new Map();
    /** Refused objects, with their lines. */
    refused = [];
    refusedCount = 0;
    /** Parts that could not be taken over although their object was: what, and how often. */
    notes = new Map();
    constructor(dryRun = false) {
        this.dryRun = dryRun;
    }
    /** Counts one object; a skipped one has a reason. */
    count(resource, did, reason = '') {
        const counts = this.of(resource);
        counts[did] += 1;
        if (did === 'skipped')
            counts.reasons.set(reason, (counts.reasons.get(reason) ?? 0) + 1);
    }
    /** Counts an object that the site did not take. */
    refuse(notice, kind = notice.reason) {
        this.count(notice.resource, 'skipped', kind);
        this.refusedCount += 1;
        if (this.refused.length < KEPT)
            this.refused.push(notice);
    }
    note(text) {
        this.notes.set(text, (this.notes.get(text) ?? 0) + 1);
    }
    /** Whether anything was, or would be, written. */
    get changed() {
        return [...this.counts.values()].some(({ created, updated }) => created + updated > 0);
    }
    of(resource) {
        let counts = this.counts.get(resource);
        if (!counts)
            this.counts.set(resource, (counts = { created: 0, updated: 0, skipped: 0, reasons: new Map() }));
        return counts;
    }
}
/** The summary as a table with aligned columns, the reasons and the refused objects below. */
export function formatSummary(summary) {
    const head = summary.dryRun ? ['', 'to create', 'to update', 'to skip'] : ['', 'created', 'updated', 'skipped'];
    const rows = [...summary.counts].map(([name, { created, updated, skipped }]) => [name, created, updated, skipped].map(String));
    const reasons = [...summary.counts].flatMap(([name, counts]) => [...counts.reasons].map(([reason, times]) => `${name}: ${times} ${reason}`));
    const notes = [...summary.notes].map(([note, times]) => `${times} × ${note}`);
    const refused = summary.refused.map(({ resource, line, label, reason }) => `line ${line}, ${resource} ${label}: ${reason}`);
    if (summary.refusedCount > refused.length)
        refused.push(`and ${summary.refusedCount - refused.length} more`);
    return [
        ...aligned(rows.length > 0 ? [head, ...rows] : [['The file holds nothing to import.']]),
        ...section('Skipped', reasons),
        ...section('Left out', notes),
        ...section('Refused', refused),
    ].join('\n');
}
function aligned(rows) {
    const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
    return rows.map((row) => row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]))).join('  ').trimEnd());
}
function section(title, lines) {
    return lines.length === 0 ? [] : ['', `${title}:`, ...lines.map((line) => `  ${line}`)];
}
//# sourceMappingURL=import-summary.js.map