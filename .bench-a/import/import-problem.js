// Why a file cannot be imported at all. Thrown by the readers of this room, printed by the command line.
/** A file that is broken or of another kind. `line` counts from 1; 0 when the file could not be read at all. */
export class ImportProblem extends Error {
    line;
    reason;
    file;
    constructor(line, reason, file = '') {
        super(`${[file, line || ''].filter(Boolean).join(':')}${file || line ? ': ' : ''}${reason}`);
        this.line = line;
        this.reason = reason;
        this.file = file;
        this.name = 'ImportProblem';
    }
}
//# sourceMappingURL=import-problem.js.map