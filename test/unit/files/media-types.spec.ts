// The table of what may be uploaded.
import { describe, expect, it } from '@jest/globals';
import { allowedType, usualExtension } from '../../../src/files/media-types.js';

describe('allowedType', () => {
  it.each([
    ['photo.jpg', 'jpg', 'image/jpeg'],
    ['PHOTO.JPEG', 'jpeg', 'image/jpeg'],
    ['a.jpe', 'jpe', 'image/jpeg'],
    ['a.b.c', 'c', 'text/plain'],
    ['movie.m4v', 'm4v', 'video/mp4'],
    ['song.m4a', 'm4a', 'audio/mpeg'],
    ['sheet.xlsx', 'xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ])('%s', (name, extension, mime) => {
    expect(allowedType(name, false)).toEqual({ extension, mime });
  });

  it.each(['x.html', 'x.htm', 'x.js'])('allows %s only with unfiltered_html', (name) => {
    expect(allowedType(name, false)).toBeUndefined();
    expect(allowedType(name, true)).toBeDefined();
  });

  it.each([
    'x.svg',
    'x.svgz',
    'x.exe',
    'x.swf',
    'x.php',
    'x.phtml',
    'x.php7',
    'x.phar',
    'x.xhtml',
    'x.xml',
    'x.sh',
    'x.mjs',
    'x',
    'jpg',
    '',
    '.',
    'x.',
    'x.jpg ',
    'x.jpg/',
    'x.jpg\0',
    'x.constructor',
    'x.__proto__',
    'x.toString',
  ])('never allows %j', (name) => {
    expect(allowedType(name, true)).toBeUndefined();
  });
});

describe('usualExtension', () => {
  it('is the first one in the table', () => {
    expect(usualExtension('image/jpeg')).toBe('jpg');
    expect(usualExtension('image/svg+xml')).toBeUndefined();
  });
});
