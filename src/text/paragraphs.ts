// Converts blank lines into paragraphs and single line breaks into `<br />`.
import { Chunk, type Edge } from './chunk.js';
import { StringBuilder } from './string-builder.js';
import { type Token, tokens } from './html-tokens.js';

const BLOCK_TAGS = new Set(
  (
    'table thead tfoot caption colgroup tbody tr td th div dl dd dt ul ol li form map blockquote address p h1 h2 h3 h4 h5 ' +
    'h6 fieldset legend section article aside hgroup header footer nav main figure figcaption details menu summary'
  ).split(' '),
);
const LONE_BLOCK_TAGS = new Set(['hr', 'area', 'col']);
const OPAQUE = /<(pre|style|script|svg|math|textarea|audio|video|object|select)\b/i;
const OPAQUE_TAGS = new Set('pre style script svg math textarea audio video object select'.split(' '));
const OPAQUE_BLOCKS = new Set(['pre', 'style']);
const LINE_BREAK = /^<br\s*\/?>$/i;
const BLANK_LINE = /\n\s*\n/;

/** Wraps the text between blank lines and block tags; ends with a newline, empty for empty text. */
export function paragraphs(html: string): string {
  const text = html.includes('\r') ? html.replace(/\r\n?/g, '\n') : html;
  if (text.trim() === '') return '';
  const writer = new ParagraphWriter();
  for (const token of sealed(text)) writer.take(token);
  return writer.end();
}

class ParagraphWriter {
  private readonly out = new StringBuilder();
  private chunk = new Chunk();

  take(token: Token): void {
    if (token.kind === 'text') this.takeText(token.text);
    else if (token.kind === 'open' && LONE_BLOCK_TAGS.has(token.name)) this.takeBlock(token.text);
    else if (token.kind === 'raw' && OPAQUE_BLOCKS.has(token.name)) this.takeBlock(token.text);
    else if (token.kind === 'open' && BLOCK_TAGS.has(token.name)) {
      this.flush();
      this.chunk.lead = token;
    } else if (token.kind === 'close' && BLOCK_TAGS.has(token.name)) this.flush(token);
    else if (LINE_BREAK.test(token.text)) this.takeLineBreak();
    else this.chunk.addMarkup(token.text);
  }

  end(): string {
    this.flush();
    return this.out.joined();
  }

  private takeText(text: string): void {
    const [first, ...others] = text.split(BLANK_LINE);
    this.chunk.addText(first!);
    for (const other of others) {
      this.flush();
      this.chunk.addText(other);
    }
  }

  private takeBlock(block: string): void {
    this.flush();
    this.out.add(`${block}\n`);
  }

  private takeLineBreak(): void {
    if (this.chunk.dropLineBreak()) this.flush();
    else this.chunk.addLineBreak();
  }

  private flush(close?: Edge): void {
    this.out.add(this.chunk.written(close));
    this.chunk = new Chunk();
  }
}

/** Tokens in which an element whose content must not be wrapped is one token of kind `raw`, with its name. */
function* sealed(html: string): Generator<Token> {
  if (!OPAQUE.test(html)) return yield* tokens(html);
  const lastClose = lastCloses(html);
  let index = 0;
  let inside = '';
  let text = '';
  for (const token of tokens(html)) {
    index++;
    if (inside) {
      text += token.text;
      if (token.kind !== 'close' || token.name !== inside) continue;
      yield { kind: 'raw', text, name: inside };
      inside = '';
    } else if (token.kind === 'open' && (lastClose.get(token.name) ?? 0) > index) {
      inside = token.name;
      text = token.text;
    } else yield token;
  }
}

/** Position of the last end tag of each opaque element: one without an end must not extend to the end of the text. */
function lastCloses(html: string): Map<string, number> {
  const positions = new Map<string, number>();
  let index = 0;
  for (const token of tokens(html)) {
    index++;
    if (token.kind === 'close' && OPAQUE_TAGS.has(token.name)) positions.set(token.name, index);
  }
  return positions;
}
