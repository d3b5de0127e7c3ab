// First stage of a schema file: reads the folder and parses each file with the positions of its values. Next comes the
// check.
import { commandLine } from '../../errors/command-line.js';
import { readdirSync, readFileSync, type Dirent } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { getNodeValue, parseTree, type Node, type ParseError } from 'jsonc-parser';
import type { Problem } from '../../errors/problem.js';
import { syntaxProblems } from './json-errors.js';

/** Levels of lists and objects that a schema file may have. */
const MAX_DEPTH = 64;
/** Skips the mark that some editors write before UTF-8, and throws for other bytes. */
const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** Path inside a schema file: member names and list indexes. */
export type Path = (string | number)[];

/** A position in a text, counted from 1. */
export interface Position {
  line: number;
  column: number;
}

/** A schema file as read. */
export interface SchemaFile {
  /** Relative to the working directory, with forward slashes. */
  file: string;
  text: string;
  /** The parsed value; the part that could be parsed when `broken`. */
  schema: unknown;
  /** The text is not valid JSON: only its name is reliable. */
  broken?: boolean;
  /** Position of the value (or of its key); that of the nearest enclosing value when the path does not exist. */
  locate(path: Path, at?: 'key' | 'value'): Position;
}

/** Reads every `*.json` of a folder, sorted by name. */
export function loadSchemas(directory: string): { files: SchemaFile[]; problems: Problem[] } {
  const files: SchemaFile[] = [];
  const problems: Problem[] = [];
  for (const path of list(directory, problems)) {
    try {
      const loaded = parseSchema(displayPath(path), UTF8.decode(readFileSync(path)));
      files.push(loaded.file);
      problems.push(...loaded.problems);
    } catch (error) {
      problems.push({ file: displayPath(path), message: `cannot be read: ${reason(error)}` });
    }
  }
  return { files, problems };
}

/** Parses the text of one schema file. */
export function parseSchema(file: string, source: string): { file: SchemaFile; problems: Problem[] } {
  const text = source.replace(/^\uFEFF/, '');
  const position = positions(text);
  const deep = tooDeep(text);
  if (deep !== undefined) {
    const problem = {
      file,
      ...position(deep),
      message: `nested more than ${MAX_DEPTH} deep`,
      hint: 'name a part of it',
    };
    const unread = { file, text, schema: {}, broken: true, locate: () => position(deep) };
    return { file: unread, problems: [problem] };
  }
  const errors: ParseError[] = [];
  const options = { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false };
  const tree = parseTree(text, errors, options);
  const { broken, problems } = syntaxProblems(file, text, tree, errors, position);
  const schema = tree && (errors.length === 0 ? JSON.parse(text) : getNodeValue(tree));
  return {
    file: { file, text, schema, ...(broken && { broken }), locate: (path, at) => position(offsetOf(tree, path, at)) },
    problems,
  };
}

/** The offset at which lists and objects are nested deeper than parsers and checks follow. */
function tooDeep(text: string): number | undefined {
  let depth = 0;
  let inText = false;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (inText && sign === '\\') at++;
    else if (sign === '"') inText = !inText;
    else if (inText) continue;
    else if (sign === '{' || sign === '[') {
      if (++depth > MAX_DEPTH) return at;
    } else if (sign === '}' || sign === ']') depth--;
  }
  return undefined;
}

/** A problem at a path of a schema file. */
export function problemAt(
  file: SchemaFile,
  path: Path,
  message: string,
  hint?: string,
  at: 'key' | 'value' = 'value',
): Problem {
  return { file: file.file, ...file.locate(path, at), path: path.join('.'), message, ...(hint && { hint }) };
}

function list(directory: string, problems: Problem[]): string[] {
  const hint = `SCHEMAS_DIR names the folder of the schema files; \`${commandLine('new <resource>')}\` writes a first file`;
  let entries: Dirent[];
  try {
    entries = readdirSync(directory, { withFileTypes: true });
  } catch (error) {
    problems.push({
      file: displayPath(directory),
      message: `the folder of schemas cannot be read: ${reason(error)}`,
      hint,
    });
    return [];
  }
  const names = entries.map((entry) => entry.name).filter((name) => name.endsWith('.json') && !name.startsWith('.'));
  if (names.length === 0)
    problems.push({ file: displayPath(directory), message: 'no *.json file in this folder', hint });
  return names.sort().map((name) => join(directory, name));
}

function offsetOf(tree: Node | undefined, path: Path, at: 'key' | 'value' = 'value'): number {
  let node = tree;
  for (const [index, segment] of path.entries()) {
    const next = member(node, segment);
    if (!next) break;
    const [key, value] = next.type === 'property' ? (next.children ?? []) : [next, next];
    if (key && (!value || (at === 'key' && index === path.length - 1))) return key.offset;
    node = value;
  }
  return node?.offset ?? 0;
}

// Of duplicate keys JSON.parse keeps the last.
function member(node: Node | undefined, segment: string | number): Node | undefined {
  if (node?.type === 'array') return node.children?.[Number(segment)];
  if (node?.type !== 'object') return undefined;
  return node.children?.findLast((property) => property.children?.[0]?.value === String(segment));
}

function positions(text: string): (offset: number) => Position {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    const line = starts.findLastIndex((start) => start <= offset);
    return { line: line + 1, column: offset - starts[line]! + 1 };
  };
}

function displayPath(path: string): string {
  return (relative(process.cwd(), path) || '.').split(sep).join('/');
}

function reason(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code;
  const words: Record<string, string> = {
    ENOENT: 'it does not exist',
    ENOTDIR: 'it is not a folder',
    EISDIR: 'it is a folder',
    EACCES: 'permission denied',
    EPERM: 'permission denied',
    ERR_ENCODING_INVALID_ENCODED_DATA: 'it is not in UTF-8',
  };
  return words[code ?? ''] ?? (error as Error).message;
}
