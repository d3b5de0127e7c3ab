// Streams the lines of JSON Lines files with their numbers, with one line in memory at a time.
import { ImportProblem } from '../import-problem.js';
import { textOf, type OnBytes } from '../text-source.js';

/** Maximum length of a line in characters. */
const MAX_LINE_CHARACTERS = 128 * 1024 * 1024;

/** One line of a file; `number` counts from 1. */
export interface Line {
  number: number;
  text: string;
}

/** All lines that are not blank. Throws ImportProblem where the file cannot be read. */
export async function* linesOf(file: string, onBytes?: OnBytes): AsyncGenerator<Line> {
  let number = 1;
  let parts: string[] = [];
  let length = 0;
  try {
    for await (const piece of textOf(file, () => number, onBytes)) {
      const lines = piece.split('\n');
      for (const [index, rest] of lines.entries()) {
        parts.push(rest);
        if ((length += rest.length) > MAX_LINE_CHARACTERS)
          throw new ImportProblem(number, `the line is longer than ${MAX_LINE_CHARACTERS} characters`);
        if (index === lines.length - 1) break;
        const text = parts.join('');
        if (text.trim() !== '') yield { number, text };
        [parts, length] = [[], 0];
        number += 1;
      }
    }
    const text = parts.join('');
    if (text.trim() !== '') yield { number, text };
  } catch (error) {
    throw error instanceof ImportProblem ? new ImportProblem(error.line, error.reason, file) : error;
  }
}

/** The first line that is not blank; closes the file. Throws like `linesOf`. */
export async function firstLineOf(file: string): Promise<Line | undefined> {
  for await (const line of linesOf(file)) return line;
  return undefined;
}
