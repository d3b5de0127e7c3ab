// The text between two paragraph breaks: inline content, with at most one block tag before and one after it.
import { StringBuilder } from './string-builder.js';

export interface Edge {
  text: string;
  name: string;
}

/** `markup` is what is written as it stands: tags, and texts without a newline. */
type Part = { kind: 'text' | 'break'; text: string } | { kind: 'markup'; pieces: StringBuilder };

/** Blocks whose bare text becomes a paragraph when it is split; list items and headings keep it bare. */
const CONTAINERS = new Set(
  'div section article aside header footer nav main form fieldset blockquote details address'.split(' '),
);
const LINE_BREAK = '<br />';

/** Collects the content of one chunk, and writes it as a paragraph where it needs one. */
export class Chunk {
  lead: Edge | undefined;
  private readonly parts: Part[] = [];

  addText(text: string): void {
    if (text === '') return;
    // Millions of short texts between tags would each be a part.
    const isPlain = !text.includes('\n') && (text.trim() !== '' || this.parts.at(-1)?.kind === 'markup');
    if (isPlain) this.addMarkup(text);
    else this.parts.push({ text, kind: 'text' });
  }

  addMarkup(text: string): void {
    let last = this.parts.at(-1);
    if (last?.kind !== 'markup') this.parts.push((last = { kind: 'markup', pieces: new StringBuilder() }));
    last.pieces.add(text);
  }

  addLineBreak(): void {
    this.parts.push({ text: LINE_BREAK, kind: 'break' });
  }

  /** Removes a line break that nothing follows: two in a row end a paragraph. */
  dropLineBreak(): boolean {
    const last = this.parts.findLastIndex((part) => !isBlank(part));
    if (this.parts[last]?.kind !== 'break') return false;
    this.parts.length = last;
    return true;
  }

  written(close?: Edge): string {
    const lead = this.lead;
    if (this.parts.every(isBlank)) {
      const edges = (lead?.text ?? '') + (close?.text ?? '');
      return edges === '' || edges === '<p></p>' ? '' : `${edges}\n`;
    }
    const inner = this.inner();
    const start = lead?.text ?? '';
    const end = close?.text ?? '';
    if (!needsParagraph(lead?.name, close?.name)) return `${start}${close ? inner : withoutEndNewlines(inner)}${end}\n`;
    const opening = lead?.name === 'p' ? '' : '<p>';
    const closing = close?.name === 'p' ? '' : '</p>';
    return `${start}${opening}${withoutEdgeNewlines(inner)}${closing}${end}\n`;
  }

  private inner(): string {
    const first = this.parts.findIndex((part) => !isBlank(part));
    const last = this.parts.findLastIndex((part) => !isBlank(part));
    return this.parts
      .map((part, index) => {
        if (part.kind === 'markup') return part.pieces.joined();
        if (part.kind === 'break' || index < first || index > last) return part.text;
        return withLineBreaks(part.text, index === first, index === last, this.parts[index - 1]?.kind === 'break');
      })
      .join('');
  }
}

function needsParagraph(lead: string | undefined, close: string | undefined): boolean {
  if (lead === 'p' || close === 'p') return true;
  if (lead && close) return lead === 'blockquote' && close === 'blockquote';
  const only = lead ?? close;
  return only === undefined || CONTAINERS.has(only);
}

/** Newlines as `<br />`, except at the edges of the chunk and after a written line break. */
function withLineBreaks(text: string, isFirst: boolean, isLast: boolean, afterBreak: boolean): string {
  if (!text.includes('\n')) return text;
  const lines = text.split('\n');
  const firstFull = lines.findIndex((line) => line.trim() !== '');
  const lastFull = lines.findLastIndex((line) => line.trim() !== '');
  let out = '';
  lines.forEach((line, index) => {
    if (index === lines.length - 1) out += line;
    else if (
      (isFirst && index < firstFull) ||
      (isLast && index >= lastFull) ||
      (afterBreak && index === 0 && firstFull !== 0)
    )
      out += `${line}\n`;
    else out += `${line.trimEnd()}${LINE_BREAK}\n`;
  });
  return out;
}

function isBlank(part: Part): boolean {
  return part.kind === 'text' && part.text.trim() === '';
}

function withoutEndNewlines(text: string): string {
  let end = text.length;
  while (text[end - 1] === '\n') end--;
  return text.slice(0, end);
}

function withoutEdgeNewlines(text: string): string {
  let start = 0;
  while (text[start] === '\n') start++;
  return withoutEndNewlines(text.slice(start));
}
