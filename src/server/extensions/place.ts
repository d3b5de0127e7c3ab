// Positions in extension files, for problems and logs.
import { readFileSync } from 'node:fs';
import { relative, sep } from 'node:path';
import type { Problem } from '../../errors/problem.js';

/** A file of the folder of extensions. */
export class ExtensionFile {
  /** Relative to the working directory, with forward slashes. */
  readonly name: string;
  private readonly lines: readonly string[];

  constructor(readonly path: string) {
    this.name = relative(process.cwd(), path).split(sep).join('/');
    this.lines = readFileSync(path, 'utf8').split('\n');
  }

  /** A problem at the line that names `word` (`name: 'word'`), else at the definition. */
  problem(message: string, hint?: string, word?: string): Problem {
    return { file: this.name, line: this.lineOf(word), column: 1, message, ...(hint === undefined ? {} : { hint }) };
  }

  /** A problem with the message of an error, at the line of this file where it was thrown. */
  problemOf(error: unknown, doing: string): Problem {
    const text = error instanceof Error ? error.message : String(error);
    // Columns are exact in messages of the parser; in a stack trace they are those of the transpiled code.
    const found = this.placeIn(text) ?? {
      ...this.placeIn(error instanceof Error ? (error.stack ?? '') : ''),
      column: 1,
    };
    // The message of the parser ends with the place; that of a missing module lists the modules that import it.
    const [first = ''] = text.split('\n');
    return {
      file: this.name,
      line: this.lineOf(),
      ...found,
      message: `${doing}: ${first.trim().replace(/^ParseError: /, '')}`,
    };
  }

  private placeIn(text: string): { line: number; column: number } | undefined {
    const at = text.indexOf(`${this.path}:`);
    const [, line, column] = (at < 0 ? null : /^:(\d+):(\d+)/.exec(text.slice(at + this.path.length))) ?? [];
    // The parser counts columns from 0.
    return line === undefined ? undefined : { line: Number(line), column: Number(column) + 1 };
  }

  private lineOf(word?: string): number {
    const quoted = word === undefined ? [] : ["'", '"', '`'].map((mark) => mark + word + mark);
    const at = this.lines.findIndex((line) => quoted.some((text) => line.includes(text)));
    const definition = this.lines.findIndex((line) => line.includes('defineExtension('));
    return (at >= 0 ? at : Math.max(definition, 0)) + 1;
  }
}
