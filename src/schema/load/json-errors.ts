// Translates JSON syntax errors into plain messages: commas, comments, quotes, duplicate keys.
import { printParseErrorCode, type Node, type ParseError } from 'jsonc-parser';
import type { Problem } from '../../errors/problem.js';
import type { Path, Position } from './load.js';

const WORDS: Record<string, string> = {
  InvalidSymbol: 'not JSON: names and texts stand in double quotes',
  InvalidNumberFormat: 'not a JSON number',
  PropertyNameExpected: 'a key in double quotes is expected here',
  ValueExpected: 'a value is expected here',
  ColonExpected: 'a colon is expected here',
  CommaExpected: 'a comma is expected here',
  CloseBraceExpected: 'a closing } is missing',
  CloseBracketExpected: 'a closing ] is missing',
  EndOfFileExpected: 'the file should end here',
  UnexpectedEndOfComment: 'the comment is not closed',
  UnexpectedEndOfString: 'the text is not closed with a double quote',
  UnexpectedEndOfNumber: 'the number is not finished',
  InvalidUnicode: 'not a \\u escape: four hexadecimal digits follow \\u',
  InvalidEscapeCharacter: 'not a JSON escape; a backslash is written \\\\',
  InvalidCharacter: 'control characters are written \\n, \\t or \\u….',
};

/**
 * All trailing commas, comments and duplicate keys, and the first of the other errors: those that follow it are
 * mostly consequences.
 */
export function syntaxProblems(
  file: string,
  text: string,
  tree: Node | undefined,
  errors: readonly ParseError[],
  position: (offset: number) => Position,
): { broken: boolean; problems: Problem[] } {
  const problems: Problem[] = [];
  const seen = new Set<number>();
  let broken = false;
  const add = (offset: number, message: string, path?: Path) => {
    if (seen.has(offset)) return;
    seen.add(offset);
    problems.push({ file, ...position(offset), ...(path && { path: path.join('.') }), message });
  };
  for (const { error, offset } of errors) {
    const code = printParseErrorCode(error);
    const comma = trailingComma(text, offset);
    if (code === 'InvalidCommentToken') add(offset, 'comments are not allowed in JSON');
    else if (comma !== undefined && code.endsWith('Expected')) add(comma, 'trailing comma: nothing follows it');
    else if (!broken) {
      broken = true;
      add(offset, text.trim() === '' ? 'the file is empty' : (WORDS[code] ?? 'not JSON'));
    }
  }
  if (tree) duplicateKeys(tree, [], add, position);
  return { broken, problems };
}

function trailingComma(text: string, offset: number): number | undefined {
  if (text[offset] !== '}' && text[offset] !== ']') return undefined;
  const before = text.slice(0, offset).trimEnd();
  return before.endsWith(',') ? before.length - 1 : undefined;
}

function duplicateKeys(
  node: Node,
  path: Path,
  add: (offset: number, message: string, path: Path) => void,
  position: (offset: number) => Position,
): void {
  const first = new Map<string, Node>();
  for (const [index, child] of (node.children ?? []).entries()) {
    if (child.type !== 'property') {
      duplicateKeys(child, [...path, index], add, position);
      continue;
    }
    const [key, value] = child.children ?? [];
    if (!key) continue;
    const name = String(key.value);
    const earlier = first.get(name);
    if (earlier)
      add(key.offset, `key "${name}" is written twice, first in line ${position(earlier.offset).line}`, [
        ...path,
        name,
      ]);
    else first.set(name, key);
    if (value) duplicateKeys(value, [...path, name], add, position);
  }
}
