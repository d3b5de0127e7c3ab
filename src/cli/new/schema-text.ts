// The text of a schema file, as the formatter would leave it.
import type { ResourceSchema } from '../../model/schema/schema.js';

/** Maximum width of a line, as for the formatter. */
const WIDTH = 120;

/** The file as the formatter would leave it, with the fields after the description. */
export function textOf({ $schema, $comment, name, path, description, fields, ...rest }: ResourceSchema): string {
  const members = { $schema, $comment, name, path, description, fields, ...rest };
  const lines = Object.entries(members).map(
    ([key, value]) => `  "${key}": ${key === 'fields' ? broken(fields, 2) : formatted(value, 2, key.length + 4)}`,
  );
  return `{\n${lines.join(',\n')}\n}\n`;
}

/** A value at a column of a line that begins with `indent` spaces. */
function formatted(value: unknown, indent: number, before: number): string {
  const line = inOneLine(value);
  const fits = indent + before + line.length < WIDTH;
  return fits || typeof value !== 'object' || value === null ? line : broken(value, indent);
}

function broken(value: object, indent: number): string {
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const space = ' '.repeat(indent + 2);
  const lines = Object.entries(value).map(([key, member]) => {
    const label = Array.isArray(value) ? '' : `${JSON.stringify(key)}: `;
    return `${space}${label}${formatted(member, indent + 2, label.length)}`;
  });
  return `${open}\n${lines.join(',\n')}\n${' '.repeat(indent)}${close}`;
}

function inOneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inOneLine).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}: ${inOneLine(member)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}
