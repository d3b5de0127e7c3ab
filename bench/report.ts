// Formats the tables that the benchmark prints.
import { percentile, type Measured } from './load.js';

/** One kind of request, measured on both servers. */
export interface Comparison {
  name: string;
  typecase: Measured;
  handWritten: Measured;
}

/** Requests, latencies and processor time of both servers, and their ratio. */
export function comparisonTable(comparisons: readonly Comparison[]): string {
  const head = ['', 'requests/s', 'p50 ms', 'p99 ms', 'CPU ms/request', 'of it database', 'CPU ratio'];
  const rows = comparisons.flatMap(({ name, typecase, handWritten }) => [
    [name, '', '', '', '', '', ''],
    ['  Typecase', ...numbers(typecase), ratio(typecase, handWritten)],
    ['  hand-written', ...numbers(handWritten), '1.00'],
  ]);
  return aligned([head, ...rows]);
}

/** Typecase's time over the hand-written server's, per request. */
export function cpuRatio(typecase: Measured, handWritten: Measured): number | undefined {
  const [mine, theirs] = [cpuMs(typecase), cpuMs(handWritten)];
  return mine === undefined || theirs === undefined ? undefined : mine / theirs;
}

/** Aligns a table of texts, the first column to the left and the others to the right. */
export function aligned(rows: readonly string[][]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const line = (row: string[]) =>
    row.map((text, column) => (column === 0 ? text.padEnd(widths[0]!) : text.padStart(widths[column]!))).join('  ');
  return rows.map((row) => line(row).trimEnd()).join('\n');
}

function numbers(measured: Measured): string[] {
  const cpu = cpuMs(measured);
  const { databaseSeconds } = measured;
  return [
    (measured.requests / measured.seconds).toFixed(0),
    percentile(measured, 0.5).toFixed(2),
    percentile(measured, 0.99).toFixed(2),
    cpu === undefined ? '-' : cpu.toFixed(3),
    databaseSeconds === 0 ? '-' : ((databaseSeconds * 1000) / measured.requests).toFixed(3),
  ];
}

function ratio(typecase: Measured, handWritten: Measured): string {
  return cpuRatio(typecase, handWritten)?.toFixed(2) ?? '-';
}

function cpuMs({ cpuSeconds, requests }: Measured): number | undefined {
  return cpuSeconds === undefined ? undefined : (cpuSeconds * 1000) / requests;
}
