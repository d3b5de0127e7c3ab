const FIRST = 500;
const SELDOMEST = 200_000;
/** Samples the tables at boot and after ever more written rows; about ten milliseconds each time. */
export class SqliteStatistics {
    next = 0;
    step = FIRST;
    /** Samples when enough was written since the last time. Outside transactions only. */
    refresh(writer, reader) {
        if (writer.written < this.next)
            return;
        this.next = writer.written + this.step;
        this.step = Math.min(this.step * 2, SELDOMEST);
        try {
            writer.exec('PRAGMA analysis_limit = 400');
            writer.exec('ANALYZE');
            // Other connections read statistics only with the schema.
            reader.exec('PRAGMA writable_schema = RESET');
        }
        catch {
            // Another process is writing: the old statistics serve until the next time.
        }
    }
}
