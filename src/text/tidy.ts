// Rewrites untrusted HTML as well-formed HTML of bounded depth, without the tags that are not allowed.
import type { AllowList } from './allowed-tags.js';
import { tokens, VOID_TAGS } from './html-tokens.js';
import { StringBuilder } from './string-builder.js';
import { safeAttribute } from './safe-attribute.js';

const MAX_DEPTH = 256;
const ATTRIBUTE = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g;

/** Elements that a start tag closes implicitly, when their end tag is missing. */
const IMPLIED_END: Record<string, string[]> = {
  p: ['p'],
  li: ['li'],
  dt: ['dt', 'dd'],
  dd: ['dt', 'dd'],
  td: ['td', 'th'],
  th: ['td', 'th'],
  tr: ['td', 'th', 'tr'],
};

/** The rewritten HTML; `keepComment` returns the replacement of a comment. */
export function tidy(html: string, allow: AllowList, keepComment: (comment: string) => string): string {
  const opened = new OpenTags();
  const out = new StringBuilder();
  for (const token of tokens(html)) {
    if (token.kind === 'text' || token.kind === 'raw') out.add(token.text.replaceAll('<', '&lt;'));
    else if (token.kind === 'comment') out.add(keepComment(token.text));
    else if (!allow.tags.has(token.name)) continue;
    else if (token.kind === 'open' && opened.open(token.name)) out.add(rewritten(token.name, token.text));
    else if (token.kind === 'close' && opened.close(token.name)) out.add(`</${token.name}>`);
  }
  return out.joined();
}

function rewritten(name: string, tag: string): string {
  let out = `<${name}`;
  for (const [, written, double, single, bare] of tag.slice(name.length + 1).matchAll(ATTRIBUTE)) {
    const attribute = written!.toLowerCase();
    const value = safeAttribute(attribute, double ?? single ?? bare ?? '');
    if (value !== undefined) out += ` ${attribute}="${quoted(value)}"`;
  }
  return `${out}>`;
}

function quoted(value: string): string {
  return value.replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

class OpenTags {
  private readonly stack: string[] = [];
  private readonly counts = new Map<string, number>();

  open(name: string): boolean {
    if (VOID_TAGS.has(name)) return true;
    while (IMPLIED_END[name]?.includes(this.stack.at(-1) ?? '')) this.pop();
    if (this.stack.length >= MAX_DEPTH) return false;
    this.stack.push(name);
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
    return true;
  }

  /** False for an end tag without a start tag: it is dropped, so that parsers need not search for one. */
  close(name: string): boolean {
    if (!this.counts.get(name)) return false;
    while (this.pop() !== name);
    return true;
  }

  private pop(): string | undefined {
    const name = this.stack.pop();
    if (name !== undefined) this.counts.set(name, this.counts.get(name)! - 1);
    return name;
  }
}
