// Loads a dump or handwritten lines in three passes: the first checks every line and writes nothing, the second
// writes, in the third the traits recompute what depends on other rows.
import type { ContentWriter } from '../../engine/content-writer.js';
import { isDuplicate } from '../../engine/writes/duplicate.js';
import { recomputeDerived } from '../../maintenance/backfill-derived.js';
import { fixFindings } from '../../maintenance/fix-findings.js';
import { fingerprint } from '../dump/dump-manifest.js';
import { shapesOf, type Shape } from '../dump/dump-shape.js';
import { commandReason } from '../../errors/resource-error.js';
import { ImportProblem } from '../import-problem.js';
import { ImportSummary } from '../import-summary.js';
import { LoadCheck } from './load-check.js';
import { LineParser, type Nearest } from './load-item.js';
import { firstLineOf, linesOf } from './load-lines.js';
import { note, type LoadOutcome } from './load-outcome.js';
import { BrokenLine, LoadProblems, type Place } from './load-problems.js';
import { LoadSaved } from './load-saved.js';
import { termsFirst } from './load-order.js';
import { openSource, type LoadFile } from './load-source.js';
import { COPIED_FILES, LoadWriter } from './load-writer.js';
import { isSaved, parseSaved } from './saved-line.js';
import type { TextCallsRunner } from '../../model/runtime/texts.js';
import type { TableModel } from '../../model/table.js';
import { counted } from '../../values/value-issue.js';

/** Parameters of a load. */
export interface LoadRequest {
  /** A dump, a folder of .jsonl files, or a single one. */
  source: string;
  writer: ContentWriter;
  /** Opens the writer of the second pass, once all lines have been checked; it has the same models. Absent: `writer`. */
  openTarget?(): Promise<ContentWriter>;
  /** Engine tables that may be included. */
  engineTables?: readonly TableModel[];
  /** Finds similar names for hints. */
  nearest: Nearest;
  /** Runs text functions off the event loop; absent: they run in the transactions that need them. */
  runCalls?: TextCallsRunner;
  /** Only checks. */
  dryRun?: boolean;
  /** Called with the processed bytes of `total`; files are read twice, or up to four times. */
  onProgress?(done: number, total: number): void;
}

/** Loads a source. Throws LoadError, before anything is written, when any line cannot be loaded. */
export async function loadSite(request: LoadRequest): Promise<LoadOutcome> {
  const { writer, dryRun = false } = request;
  const outcome: LoadOutcome = { summary: new ImportSummary(dryRun), warnings: new Map(), missingFiles: 0 };
  const problems = new LoadProblems();
  const { files: all, folder } = await openSource(request.source, problems);
  const shapes = shapesOf(writer.models, request.engineTables);
  const [saved, unordered] = await separateSaved(all);
  const files = termsFirst(unordered, shapes);
  warnOfSchemas(files, shapes, outcome);
  const parser = new LineParser(shapes, request.nearest, writer.site.settings.timezone);
  const passes = dryRun ? 1 : 2;
  const reading = new Reading(files, (...line) => parser.parse(...line), request.onProgress, passes);
  const tables = writer.models.tables;
  const rows = new Reading(saved, (text, place) => parseSaved(text, place, tables), request.onProgress, passes);
  const check = new LoadCheck(writer, problems);
  await reading.pass((item) => check.add(item), problems);
  const checked: LoadOutcome = { summary: new ImportSummary(dryRun), warnings: new Map(), missingFiles: 0 };
  const saving = new LoadSaved(writer, checked, problems);
  await rows.pass((row) => saving.add(row), problems);
  await saving.flush();
  for (const warning of await check.finish()) note(outcome, warning);
  problems.throwIfAny();
  const names = [COPIED_FILES, ...all.map(({ resource }) => resource)];
  if (dryRun) {
    const summary = plan(check, checked.summary);
    summary.sort(names);
    return { ...outcome, warnings: new Map([...outcome.warnings, ...checked.warnings]), summary };
  }
  const target = (await request.openTarget?.()) ?? writer;
  const write = new LoadWriter(target, check.there, folder, outcome, request.runCalls);
  const { order } = check;
  reading.passes += order.length - 1;
  try {
    for (const isNow of order) {
      await reading.pass((item) => (isNow(item) ? write.add(item) : Promise.resolve()));
      await write.flush();
    }
    const restore = new LoadSaved(target, outcome);
    await rows.pass((row) => restore.add(row));
    await restore.flush();
  } catch (error) {
    throw interrupted(error, outcome.summary);
  }
  if (saved.length > 0) await recomputeDerived(target.models, target.store);
  await target.store.analyze?.();
  await recomputeDependents(target);
  outcome.summary.sort(names);
  return outcome;
}

/** The error with the number of items that earlier transactions have written. */
function interrupted(error: unknown, { counts }: ImportSummary): unknown {
  const written = [...counts].reduce((sum, [name, { created }]) => sum + (name === COPIED_FILES ? 0 : created), 0);
  if (!(error instanceof Error)) return error;
  if (written === 0) return isDuplicate(error) ? new Error(`Nothing was loaded: ${rivalOf(error)}`) : error;
  const again = 'Run the load again to finish it: items with the ids of their lines are skipped then.';
  const reason = isDuplicate(error) ? rivalOf(error) : commandReason(error);
  const message = `The load was interrupted after ${counted(written, 'item')}, which stay${written === 1 ? 's' : ''}. ${again} The next ones failed: ${reason}`;
  return new Error(message, { cause: error });
}

/** The reason for a duplicate in the second pass: the lines were checked, so that the other row was written since. */
function rivalOf({ table, columns }: { table: string; columns: readonly string[] }): string {
  return `another process has written a row with the same ${columns.join(', ')} to the table ${table} since the lines were checked. Run the load again while nothing else writes: it names every line that does not fit.`;
}

function warnOfSchemas(files: readonly LoadFile[], shapes: ReadonlyMap<string, Shape>, outcome: LoadOutcome): void {
  for (const { resource, expected } of files) {
    const shape = shapes.get(resource);
    if (shape && expected && expected.schema !== fingerprint(shape))
      note(outcome, `${resource}: its schema was another one when it was dumped`);
  }
}

function plan({ fresh, known }: LoadCheck, summary: ImportSummary): ImportSummary {
  for (const [name, times] of fresh) for (let n = 0; n < times; n += 1) summary.count(name, 'created');
  for (const [name, times] of known) for (let n = 0; n < times; n += 1) summary.count(name, 'skipped', 'already there');
  return summary;
}

/** Separates files of rows saved by a migration from others. */
async function separateSaved(files: readonly LoadFile[]): Promise<[LoadFile[], LoadFile[]]> {
  const saved = new Set<LoadFile>();
  for (const file of files) {
    // Problems of the file are reported when it is read.
    const first = await firstLineOf(file.path).catch(() => undefined);
    if (first && isSaved(first.text)) saved.add(file);
  }
  return [files.filter((file) => saved.has(file)), files.filter((file) => !saved.has(file))];
}

/** Reads all files, once per pass. */
class Reading<T> {
  private before = 0;

  constructor(
    private readonly files: readonly LoadFile[],
    private readonly parse: (text: string, place: Place, resource: string) => T,
    private readonly onProgress: LoadRequest['onProgress'],
    /** How often the files are read in all. */
    public passes: number,
  ) {}

  /** Passes every item to `take`; with `problems`, invalid lines are collected there. */
  async pass(take: (item: T) => Promise<void>, problems?: LoadProblems): Promise<void> {
    const total = this.passes * this.files.reduce((sum, { bytes }) => sum + bytes, 0);
    for (const file of this.files) {
      const before = this.before;
      await this.read(file, take, problems, (read) => this.onProgress?.((this.before = before + read), total));
      if (problems?.enough) return;
    }
  }

  private async read(
    { path, resource, expected }: LoadFile,
    take: (item: T) => Promise<void>,
    problems: LoadProblems | undefined,
    onBytes: (read: number) => void,
  ): Promise<void> {
    let lines = 0;
    try {
      for await (const { number, text } of linesOf(path, onBytes)) {
        lines += 1;
        const item = this.parsed(text, { file: path, line: number }, resource, problems);
        if (item) await take(item);
        if (problems?.enough) return;
      }
    } catch (error) {
      if (!problems || !(error instanceof ImportProblem)) throw error;
      problems.add({ file: path, line: error.line }, error.reason);
    }
    if (problems && expected && expected.count !== lines)
      problems.add(
        { file: path, line: 0 },
        `it has ${counted(lines, 'line')}, and the manifest says ${expected.count}`,
      );
  }

  private parsed(text: string, place: { file: string; line: number }, resource: string, problems?: LoadProblems) {
    try {
      return this.parse(text, place, resource);
    } catch (error) {
      if (!(error instanceof BrokenLine)) throw error;
      // The first pass found no problem in this line.
      if (!problems) throw new Error(`${place.file}:${place.line}: changed while it was read`, { cause: error });
      problems.add(place, error.message);
      return undefined;
    }
  }
}

/** Lets the traits recompute counts, paths and histories that depend on other rows. */
async function recomputeDependents({ models, store }: ContentWriter): Promise<void> {
  for (const model of models.byName.values()) {
    for (const audit of model.table ? model.audits : []) await fixFindings(await audit(store.reader), store);
  }
}
