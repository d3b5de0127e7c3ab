// Parses a WordPress export (WXR 1.0 to 1.2) as a stream of events with line numbers; one item is in memory at a time.
import { realpath } from 'node:fs/promises';
import { SaxesParser, type SaxesTagNS } from 'saxes';
import { ImportProblem } from '../import-problem.js';
import { textOf, type OnBytes } from '../text-source.js';
import type { WxrEvent } from './wxr-events.js';
import { blank, PARTS, SITE, type Shape } from './wxr-shapes.js';

/** How a file is parsed. */
export interface WxrReading {
  onBytes?: OnBytes;
  /** Longest part (an item with its comments) in characters; default 128 Mi. */
  maxPart?: number;
}

const WP = /^https?:\/\/(?:www\.)?wordpress\.org\/export\/([^/]*)\/(excerpt\/)?$/;
const OTHERS = new Map([
  ['', ''],
  ['http://purl.org/rss/1.0/modules/content/', 'content:'],
  ['http://purl.org/dc/elements/1.1/', 'dc:'],
]);
/** Exports have six levels; deeper nesting is an attempt to exhaust memory. */
const MAX_DEPTH = 100;
const VERSION = /^1\.[0-2](\.\d+)?$/;

/** Events of an export in the order of the file. Throws ImportProblem where the file is invalid. */
export async function* readWxr(
  file: string,
  { onBytes, maxPart = 128 * 1024 * 1024 }: WxrReading = {},
): AsyncGenerator<WxrEvent> {
  const parser = new SaxesParser({ xmlns: true });
  const parts = new PartBuilder(parser);
  const step = (run: () => void) => {
    try {
      run();
    } catch (error) {
      throw error instanceof RangeError ? new ImportProblem(parser.line, 'a text is too long to be read') : error;
    }
  };
  try {
    // The operator names the file, so a symbolic link is followed.
    const path = await realpath(file).catch(() => file);
    // Plugins of WordPress write blank lines before the XML declaration, which XML does not allow.
    let begun = false;
    for await (const read of textOf(path, () => parser.line, onBytes)) {
      const text: string = begun ? read : read.trimStart();
      if (!begun) parser.line += linesIn(read.slice(0, read.length - text.length));
      begun ||= text !== '';
      step(() => parser.write(text));
      parts.unfinished += text.length;
      if (parts.ready.length > 0) yield* parts.take();
      else if (parts.unfinished > maxPart)
        throw new ImportProblem(parts.since, `one part is longer than ${maxPart} characters`);
    }
    step(() => parser.close());
    parts.finish();
    yield* parts.take();
  } catch (error) {
    throw error instanceof ImportProblem ? new ImportProblem(error.line, error.reason, file) : error;
  }
}

/** The number of line ends in a text. */
function linesIn(blanks: string): number {
  return blanks.split('\n').length - 1;
}

/** An open element: the object that it fills, or the text that it collects. */
interface Frame {
  shape?: Shape;
  target?: Record<string, any>;
  /** Property that receives the text. */
  text?: string;
}

/** Builds events from the callbacks of the parser. */
class PartBuilder {
  readonly ready: WxrEvent[] = [];
  /** Characters read since the last event, and the line where they began. */
  unfinished = 0;
  since = 1;
  private readonly frames: Frame[] = [];
  private site = blank(SITE, 1);
  private siteSent = false;
  private sawChannel = false;
  private lastTag = 1;

  constructor(private readonly parser: SaxesParser<{ xmlns: true }>) {
    parser.on('error', (error) => this.fail(this.reasonOf(error)));
    parser.on('doctype', () =>
      this.fail('a DOCTYPE is not allowed: exports have none, and entities of its own could do harm'),
    );
    parser.on('opentag', (tag) => this.open(tag));
    parser.on('text', (text) => this.text(text));
    parser.on('cdata', (text) => this.text(text));
    parser.on('closetag', () => this.close());
  }

  *take(): Generator<WxrEvent> {
    yield* this.ready.splice(0);
  }

  /** Completes the parse at the end of the file. */
  finish(): void {
    if (!this.sawChannel) this.fail('this is not a WordPress export: it has no channel');
    this.sendSite();
  }

  private open(tag: SaxesTagNS): void {
    this.lastTag = this.parser.line;
    const name = this.nameOf(tag);
    const depth = this.frames.length;
    const parent = this.frames.at(-1);
    if (depth > MAX_DEPTH) this.fail(`elements are nested deeper than ${MAX_DEPTH}`);
    if (depth === 0 && name !== 'rss')
      this.fail(`this is not a WordPress export: it begins with <${tag.name}>, not with <rss>`);
    if (depth === 1 && name === 'channel') {
      this.sawChannel = true;
      this.frames.push({ shape: SITE, target: this.site });
    } else if (depth === 2 && parent?.shape === SITE && Object.hasOwn(PARTS, name)) {
      this.sendSite();
      this.frames.push(this.begin(PARTS[name]!, tag));
    } else this.frames.push(this.inside(parent, name, tag));
  }

  private inside(parent: Frame | undefined, name: string, tag: SaxesTagNS): Frame {
    if (!parent?.shape) return {};
    if (Object.hasOwn(parent.shape.texts, name)) {
      const text = parent.shape.texts[name]!;
      parent.target![text] = '';
      return { target: parent.target!, text };
    }
    if (!Object.hasOwn(parent.shape.lists, name)) return {};
    const [property, shape] = parent.shape.lists[name]!;
    const frame = this.begin(shape, tag);
    parent.target![property].push(frame.target);
    return frame;
  }

  private begin(shape: Shape, tag: SaxesTagNS): Frame {
    const target = blank(shape, this.parser.line);
    for (const [attribute, property] of Object.entries(shape.attributes ?? {})) {
      target[property] = tag.attributes[attribute]?.value ?? '';
    }
    return { shape, target, ...(shape.self ? { text: shape.self } : {}) };
  }

  private text(text: string): void {
    const frame = this.frames.at(-1);
    if (frame?.text) frame.target![frame.text] += text;
  }

  private close(): void {
    this.lastTag = this.parser.line;
    const frame = this.frames.pop()!;
    if (this.frames.length !== 2 || !frame.shape) return;
    this.ready.push(frame.target as unknown as WxrEvent);
    this.unfinished = 0;
    this.since = this.parser.line;
  }

  private sendSite(): void {
    if (this.siteSent) return;
    const version = String(this.site['version']).trim();
    if (!version) this.fail('this is not a WordPress export: wp:wxr_version is missing before the first entry');
    if (!VERSION.test(version)) this.fail(`WXR version ${version.slice(0, 20)} is not known; 1.0, 1.1 and 1.2 are`);
    this.siteSent = true;
    this.ready.push(this.site as unknown as WxrEvent);
  }

  /** Name with a normalized namespace prefix; `?` for foreign ones. */
  private nameOf(tag: SaxesTagNS): string {
    const known = OTHERS.get(tag.uri);
    if (known !== undefined) return known + tag.local;
    const [, version, excerpt] = WP.exec(tag.uri) ?? [];
    if (version === undefined) return '?';
    if (!VERSION.test(version)) this.fail(`WXR version ${version.slice(0, 20)} is not known; 1.0, 1.1 and 1.2 are`);
    return `${excerpt ? 'excerpt' : 'wp'}:${tag.local}`;
  }

  /**
   * A bare `&` is noticed only at the next semicolon, a truncation only at the end of the file: report the last tag
   * instead.
   */
  private reasonOf(error: Error): string {
    const reason = error.message.replace(/^(?:undefined:)?\d+:\d+: /, '').replace(/\.$/, '');
    return this.lastTag < this.parser.line ? `${reason}; the last tag before stands in line ${this.lastTag}` : reason;
  }

  private fail(reason: string): never {
    throw new ImportProblem(this.parser.line, reason);
  }
}
