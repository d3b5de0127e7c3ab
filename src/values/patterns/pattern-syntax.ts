// Translates regular expressions of ECMAScript (with the flag u) to RE2 syntax, so that both match the same texts.
import { ANY_IN_LINE, character, classText, complement, property, type Range, shorthand } from './pattern-classes.js';

/** A pattern for RE2, with its properties. */
export interface Translation {
  re2: string;
  /**
   * An anchored sequence of single characters of which at most one has a variable number of repetitions: backtracking
   * has one choice per position, so the native engine is as safe, and faster.
   */
  plain: boolean;
}

/** A construct that cannot be matched in linear time. `hint` says what to write instead. */
export class UnsupportedSyntax extends Error {
  constructor(
    reason: string,
    readonly hint: string,
  ) {
    super(reason);
  }
}

/** Maximum number of characters that a plain pattern requires besides the repeated one. */
const MAX_PLAIN_CHARACTERS = 100;

const ESCAPED: Record<string, number> = { t: 0x09, n: 0x0a, v: 0x0b, f: 0x0c, r: 0x0d, '0': 0x00 };
const QUANTIFIER = /^(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/;
const UNICODE =
  /^(?:u\{([0-9a-fA-F]+)\}|u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2}))/;

/**
 * Translates a pattern that `new RegExp(pattern, 'u')` accepts. Throws UnsupportedSyntax for look-around and back
 * references.
 */
export function translatePattern(pattern: string): Translation {
  return new Translator(pattern).translate();
}

class Translator {
  private at = 0;
  private varying = 0;
  private fixed = 0;
  private branching = false;

  constructor(private readonly pattern: string) {}

  translate(): Translation {
    let re2 = '';
    while (this.at < this.pattern.length) re2 += this.part();
    const plain =
      !this.branching && this.pattern.startsWith('^') && this.varying <= 1 && this.fixed <= MAX_PLAIN_CHARACTERS;
    return { re2, plain };
  }

  private part(): string {
    const sign = this.pattern[this.at]!;
    if (sign === '(') return this.opening();
    if (sign === '^' && this.at > 0) this.branching = true;
    if (sign === '|') this.branching = true;
    if ('^$|'.includes(sign)) return this.take(sign);
    return (sign === ')' ? this.take(sign) : this.atom()) + this.quantifier();
  }

  private take(text: string): string {
    this.at += text.length;
    return text;
  }

  private opening(): string {
    this.branching = true;
    const [opening, kind] = /^\((\?(?:<[=!]|<[^>]*>|[:=!]|[a-z-]+:)?)?/.exec(this.rest())!;
    this.at += opening.length;
    if (kind && /^\?<?[=!]$/.test(kind))
      throw new UnsupportedSyntax(
        'look-ahead and look-behind take too long on some texts',
        'describe what the text is made of; lengths are bounded by "minLength" and "maxLength", choices by "enum"',
      );
    if (kind && /^\?[a-z-]+:$/.test(kind))
      throw new UnsupportedSyntax('flags inside a pattern are not known', 'write both cases, as in [Aa]');
    // Captures are not used.
    return '(?:';
  }

  private atom(): string {
    const sign = this.pattern[this.at]!;
    if (sign === '[') return this.class();
    if (sign === '.') {
      this.at++;
      return classText(ANY_IN_LINE);
    }
    if (sign !== '\\') return character(this.point());
    if (/^\\[bB]/.test(this.rest())) {
      this.branching = true;
      return this.take(this.pattern.slice(this.at, this.at + 2));
    }
    const found = this.escape();
    return typeof found === 'number' ? character(found) : classText(found);
  }

  private class(): string {
    const negated = this.pattern[this.at + 1] === '^';
    this.at += negated ? 2 : 1;
    const members: Range[] = [];
    while (this.pattern[this.at] !== ']') {
      const from = this.member();
      if (typeof from !== 'number') members.push(...from);
      else if (this.pattern[this.at] !== '-' || this.pattern[this.at + 1] === ']') members.push([from, from]);
      else {
        this.at++;
        members.push([from, this.member() as number]);
      }
    }
    this.at++;
    return classText(members, negated);
  }

  private member(): number | readonly Range[] {
    if (this.pattern[this.at] !== '\\') return this.point();
    if (!this.rest().startsWith('\\b')) return this.escape();
    this.at += 2;
    return 0x08;
  }

  /** An escape sequence: a character, or a class of them. */
  private escape(): number | readonly Range[] {
    const letter = this.pattern[++this.at]!;
    if (/[1-9k]/.test(letter))
      throw new UnsupportedSyntax('back references take too long on some texts', 'write out what is repeated');
    const ranges = shorthand(letter);
    if (ranges) return this.skip(1, ranges);
    if (/p/i.test(letter)) {
      const [whole, name] = /^[pP]\{([^}]*)\}/.exec(this.rest())!;
      return this.skip(whole.length, letter === 'p' ? property(name!) : complement(property(name!)));
    }
    return this.escapedPoint(letter);
  }

  private escapedPoint(letter: string): number {
    if (letter === 'c') return this.skip(2, this.pattern.charCodeAt(this.at + 1) % 32);
    const known = ESCAPED[letter];
    if (known !== undefined) return this.skip(1, known);
    const code = UNICODE.exec(this.rest());
    if (!code) return this.point();
    const [whole, point, high, low, unit, byte] = code;
    if (high) return this.skip(whole.length, String.fromCharCode(hex(high), hex(low!)).codePointAt(0)!);
    return this.skip(whole.length, hex((point ?? unit ?? byte)!));
  }

  private quantifier(): string {
    const [whole, least, comma, most] = QUANTIFIER.exec(this.rest()) ?? ['', '1', '', ''];
    const varies = whole !== '' && (least === undefined || (comma === ',' && least !== most));
    if (varies) this.varying++;
    else this.fixed += Number(least);
    return this.take(whole);
  }

  private point(): number {
    const point = this.pattern.codePointAt(this.at)!;
    return this.skip(point > 0xffff ? 2 : 1, point);
  }

  private skip<T>(length: number, result: T): T {
    this.at += length;
    return result;
  }

  private rest(): string {
    return this.pattern.slice(this.at);
  }
}

function hex(digits: string): number {
  return Number.parseInt(digits, 16);
}
