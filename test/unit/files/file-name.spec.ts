// File names as clients send them, hostile ones included.
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { sanitizeFileName } from '../../../src/files/file-name.js';
import { runs } from '../../support/runs.js';
import { anyText } from '../../support/any-text.js';

describe('sanitizeFileName', () => {
  it.each([
    ['my photo.jpg', 'my-photo.jpg'],
    ['  a   b .jpg', 'a-b.jpg'],
    ['a%20b+c.jpg', 'a-b-c.jpg'],
    ['Straße Über.png', 'Strasse-Uber.png'],
    ['e\u0301te\u0301.png', 'ete.png'],
    ['写真.jpg', '写真.jpg'],
    ['what?<is>"this"|*.gif', 'whatisthis.gif'],
    ['holiday.2016.jpg', 'holiday.2016.jpg'],
    ['README', 'README'],
  ])('%j becomes %j', (given, expected) => {
    expect(sanitizeFileName(given)).toBe(expected);
  });

  it.each([
    ['../../etc/passwd', 'passwd'],
    ['..\\..\\boot.ini', 'boot.ini'],
    ['C:\\fakepath\\x.jpg', 'x.jpg'],
    ['/a/b/', 'b'],
    ['x.php.jpg', 'x.php_.jpg'],
    ['x.PHTML.jpg', 'x.PHTML_.jpg'],
    ['x.html.jpg', 'x.html_.jpg'],
    ['x.jpg.png', 'x.jpg.png'],
    ['x.php.', 'x.php'],
    ['x.php\0.jpg', 'x.php_.jpg'],
    ['.htaccess', 'file.htaccess'],
    ['.jpg', 'file.jpg'],
    ['....jpg', 'file.jpg'],
    ['-rf.jpg', 'rf.jpg'],
    ['gpj\u202e.exe', 'gpj.exe'],
    ['a\r\nSet-Cookie: x.jpg', 'a-Set-Cookie-x.jpg'],
    ['', 'file'],
    ['...', 'file'],
    ['///', 'file'],
    ['💥.png', 'file.png'],
    ['💥', 'file'],
  ])('%j is neutralized to %j', (given, expected) => {
    expect(sanitizeFileName(given)).toBe(expected);
  });

  it('cuts long names to 200 bytes and keeps the extension', () => {
    expect(sanitizeFileName(`${'a'.repeat(500)}.jpg`)).toBe(`${'a'.repeat(196)}.jpg`);
    expect(Buffer.byteLength(sanitizeFileName(`${'写'.repeat(500)}.jpg`))).toBeLessThanOrEqual(200);
  });

  it('does not expose an inner extension by truncation', () => {
    for (let length = 185; length < 200; length += 1) {
      expect(sanitizeFileName(`${'a'.repeat(length)}.phpxxxxxxxxxxx.jpg`)).not.toMatch(/\.php\./);
    }
  });

  it('is safe, short and idempotent for any name', () => {
    const pieces = fc.constantFrom(
      '.',
      '/',
      '\\',
      '-',
      '_',
      ' ',
      '\0',
      'php',
      'jpg',
      'é',
      'e\u0301',
      '\u200d',
      '写',
      '💥',
    );
    const names = fc.oneof(
      anyText({ maxLength: 300 }),
      fc.array(pieces).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(names, (name) => {
        const safe = sanitizeFileName(name);
        expect(safe).toMatch(/^[^./\\\p{C}\s-][^/\\\p{C}\s]*$/u);
        expect(Buffer.byteLength(safe)).toBeLessThanOrEqual(200);
        expect(sanitizeFileName(safe)).toBe(safe);
      }),
      { numRuns: runs(1000) },
    );
  });
});
