// The vectors of behaviour M-01, and headers meant to hurt.
import { describe, expect, it } from '@jest/globals';
import { dispositionFilename } from '../../../src/files/content-disposition.js';
import { expectLinear } from '../../support/growth.js';

describe('dispositionFilename', () => {
  it.each([
    ['quoted', 'attachment; filename="boat.jpg"'],
    ['unquoted', 'attachment; filename=boat.jpg'],
    ['no blank', 'attachment;filename=boat.jpg'],
    ['no blank, quoted', 'attachment;filename="boat.jpg"'],
    ['inline', 'inline; filename="boat.jpg"'],
    ['form-data with a name', 'form-data; name="file"; filename="boat.jpg"'],
    ['parameters before', 'attachment; size=12; x="a;b=c"; filename="boat.jpg"'],
    ['parameters after', 'attachment; filename="boat.jpg"; size=12'],
    ['upper case, blanks around', ' ATTACHMENT ; FileName = "boat.jpg" ; '],
    ['extended', "attachment; filename*=UTF-8''boat.jpg"],
    ['extended before plain', 'attachment; filename="old.jpg"; filename*=utf-8\'en\'boat.jpg'],
    ['broken extended', "attachment; filename*=UTF-8''%zz; filename=boat.jpg"],
    ['unknown charset', "attachment; filename*=koi8-r''x; filename=boat.jpg"],
  ])('%s', (_title, header) => {
    expect(dispositionFilename(header)).toBe('boat.jpg');
  });

  it.each([
    ['attachment; filename=my boat.jpg', 'my boat.jpg'],
    ['attachment; filename="a;b.jpg"', 'a;b.jpg'],
    ['attachment; filename="a \\"b\\".jpg"', 'a "b".jpg'],
    ['attachment; filename="C:\\dir\\x.jpg"', 'C:\\dir\\x.jpg'],
    ["attachment; filename*=UTF-8''%e2%82%ac%20rates.pdf", '€ rates.pdf'],
    ["attachment; filename*=UTF-8''it's%20'me'.jpg", "it's 'me'.jpg"],
    ["attachment; filename*=ISO-8859-1''gr%fcn.png", 'grün.png'],
    [`attachment; filename="${Buffer.from('grün.png').toString('latin1')}"`, 'grün.png'],
    ['attachment; filename="gr\u00fcn.png"', 'grün.png'],
  ])('%s', (header, name) => {
    expect(dispositionFilename(header)).toBe(name);
  });

  it.each([
    [undefined],
    [''],
    ['attachment'],
    ['attachment;'],
    ['filename="boat.jpg"'],
    ['; filename="boat.jpg"'],
    ['attachment filename=boat.jpg'],
    ['attachment; name="boat.jpg"'],
    ['attachment; filename'],
    ['attachment; filename='],
    ['attachment; filename=""'],
    ['attachment; filename="   "'],
  ])('%j names no file', (header) => {
    expect(dispositionFilename(header)).toBeUndefined();
  });

  it.each(['"', '\\', ';', '=', '"\\', '; filename=', ' ', "'", "filename*='"])(
    'takes time in proportion to the number of %j',
    (piece) => {
      expectLinear((count) => `attachment; filename="${piece.repeat(count)}`, dispositionFilename);
    },
  );
});
