// What the invented library's fields accept, what they make of it, and how they refuse the rest.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sendRow, scenario, type SavedIds, type Row } from '../../support/scenario.js';
import { openLibrary, type Library } from './stage.js';

let library: Library;
const saved: SavedIds = {};
const stage = () => library;

beforeAll(async () => {
  library = await openLibrary();
  const row: Row = {
    name: 'a book',
    as: 'director',
    method: 'POST',
    path: '/books',
    body: { title: 'Subject' },
    status: 201,
    saveAs: 'book',
  };
  saved['book'] = (await sendRow(library, row)).body.id;
});
afterAll(() => library.site.close());

/** A body that becomes something; the response shows `has`. */
const becomes = (body: Record<string, unknown>, has: object = body): Row => ({
  name: `${short(body)} becomes ${short(has)}`,
  as: 'librarian',
  method: 'POST',
  path: '/books/{book}',
  body,
  status: 200,
  has,
});

/** A body of which `param` is refused with `code`; the message names `says`. */
const refused = (body: Record<string, unknown>, param: string, code: string, says = param): Row => ({
  name: `${short(body)}: ${code}`,
  as: 'librarian',
  method: 'POST',
  path: '/books/{book}',
  body,
  status: 400,
  has: {
    // A date that is not in the calendar has its own error code.
    code: code === 'invalid_date' ? code : 'rest_invalid_param',
    message: expect.stringContaining(param),
    data: { status: 400, params: { [param]: expect.stringContaining(says) }, details: { [param]: { code } } },
  },
});

function short(value: object): string {
  const text = JSON.stringify(value);
  return text.length > 90 ? `${text.slice(0, 90)}…` : text;
}

describe('accepted values', () => {
  scenario(
    stage,
    [
      becomes({ pages: '12' }, { pages: 12 }),
      becomes({ pages: 13.0 }, { pages: 13 }),
      becomes({ pages: 5000 }),
      becomes({ weight: '0.25' }, { weight: 0.25 }),
      becomes({ weight: 50 }),
      becomes({ reference_only: 'TRUE' }, { reference_only: true }),
      becomes({ reference_only: 0 }, { reference_only: false }),
      becomes({ subtitle: '' }),
      becomes({ subtitle: '𝒳'.repeat(120) }),
      becomes({ isbn: '9789985010006' }),
      becomes({ isbn: null }),
      becomes({ genre: 'science' }),
      becomes({ published: '2000-02-29' }),
      becomes({ published: null }),
      becomes({ tags: 'a, b c' }, { tags: ['a', 'b', 'c'] }),
      becomes({ tags: ['with blank', 'A'] }),
      becomes({ tags: [] }),
      becomes({ dimensions: { height: '3' } }, { dimensions: { height: 3 } }),
      becomes({ dimensions: { height: 3, fits: true } }, { dimensions: { height: 3 } }),
      becomes({ chapters: [] }),
      becomes({ chapters: [{ title: 'A' }, { title: 'A', page: 2 }] }),
      becomes({ title: { raw: 'From raw', rendered: 'x' } }, { title: { raw: 'From raw', rendered: 'From raw' } }),
      becomes(
        { title: 'Quotes "here" -- and <b>bold</b>' },
        { title: { raw: 'Quotes "here" -- and <b>bold</b>', rendered: expect.stringContaining('<b>bold</b>') } },
      ),
      becomes({ blurb: '<script>alert(1)</script>Text' }, { blurb: { raw: expect.not.stringContaining('script') } }),
      becomes({ shelf_mark: "'; DROP TABLE works; --" }),
      becomes({ slug: 'Ünïcode & more!' }, { slug: 'unicode-more' }),
      becomes({ date: '2024-02-29T12:00:00' }, { date: '2024-02-29T12:00:00', date_gmt: '2024-02-29T10:00:00' }),
      becomes({ date: '2024-07-01T12:00:00Z' }, { date: '2024-07-01T15:00:00', date_gmt: '2024-07-01T12:00:00' }),
      becomes({ date_gmt: '2024-07-01T12:00:00' }, { date: '2024-07-01T15:00:00', date_gmt: '2024-07-01T12:00:00' }),
      becomes({ date_gmt: '2024-07-01 12:00:00+01' }, { date: '2024-07-01T14:00:00', date_gmt: '2024-07-01T11:00:00' }),
      becomes({ meta: { binding: 'cloth' } }, { meta: { binding: 'cloth', prices: [] } }),
      becomes({ meta: { prices: [1, '2.5'] } }, { meta: { binding: 'cloth', prices: [1, 2.5] } }),
      becomes({ meta: { binding: null, prices: [] } }, { meta: { binding: 'paper', prices: [] } }),
      becomes({ meta: { unheard_of: 1 } }, { meta: { binding: 'paper' } }),
      becomes({ status: 'ordered' }),
    ],
    saved,
  );
});

describe('refused values', () => {
  scenario(
    stage,
    [
      refused({ pages: 'many' }, 'pages', 'rest_invalid_type', 'whole number'),
      refused({ pages: 1.5 }, 'pages', 'rest_invalid_type'),
      refused({ pages: [] }, 'pages', 'rest_invalid_type'),
      refused({ pages: true }, 'pages', 'rest_invalid_type'),
      refused({ pages: 0 }, 'pages', 'rest_out_of_bounds', 'at least 1 and at most 5000'),
      refused({ pages: 5001 }, 'pages', 'rest_out_of_bounds'),
      refused({ pages: 1e300 }, 'pages', 'rest_out_of_bounds'),
      refused({ weight: 0 }, 'weight', 'rest_out_of_bounds', 'greater than 0'),
      refused({ weight: 50.5 }, 'weight', 'rest_out_of_bounds'),
      refused({ weight: 'NaN' }, 'weight', 'rest_invalid_type'),
      refused({ reference_only: 'perhaps' }, 'reference_only', 'rest_invalid_type'),
      refused({ subtitle: 5 }, 'subtitle', 'rest_invalid_type'),
      refused({ subtitle: 'x'.repeat(121) }, 'subtitle', 'rest_too_long', '120'),
      refused({ isbn: '123' }, 'isbn', 'rest_invalid_pattern'),
      refused({ isbn: '' }, 'isbn', 'rest_invalid_pattern'),
      refused({ genre: 'crime' }, 'genre', 'rest_not_in_enum', 'poetry'),
      refused({ genre: '' }, 'genre', 'rest_not_in_enum'),
      refused({ status: 'sold' }, 'status', 'rest_not_in_enum'),
      refused({ published: '2001-02-29' }, 'published', 'invalid_date'),
      refused({ published: '2001-02-28T00:00:00' }, 'published', 'rest_invalid_date'),
      refused({ published: 'soon' }, 'published', 'rest_invalid_date'),
      refused({ date: '2001-02-29T00:00:00' }, 'date', 'invalid_date'),
      refused({ date: '2001-02-28' }, 'date', 'rest_invalid_date'),
      refused({ tags: ['a', 'b', 'c', 'd', 'e', 'f'] }, 'tags', 'rest_too_many_items'),
      refused({ tags: ['', 'b'] }, 'tags', 'rest_too_short', 'tags[0]'),
      refused({ tags: ['x'.repeat(31)] }, 'tags', 'rest_too_long', 'tags[0]'),
      refused({ tags: { a: 'b' } }, 'tags', 'rest_invalid_type'),
      refused({ tags: [1] }, 'tags', 'rest_invalid_type'),
      refused({ dimensions: [] }, 'dimensions', 'rest_invalid_type'),
      refused({ dimensions: 'wide' }, 'dimensions', 'rest_invalid_type'),
      refused({ dimensions: { width: 3 } }, 'dimensions', 'rest_property_required', 'height'),
      refused({ dimensions: { height: 0 } }, 'dimensions', 'rest_out_of_bounds', 'height'),
      refused({ dimensions: { height: 3, depth: 1 } }, 'dimensions', 'rest_additional_properties_forbidden', 'depth'),
      refused({ chapters: {} }, 'chapters', 'rest_invalid_type'),
      refused({ chapters: [{ page: 1 }] }, 'chapters', 'rest_property_required', 'title'),
      refused({ chapters: [{ title: 'A', page: 0 }] }, 'chapters', 'rest_out_of_bounds', 'chapters[0][page]'),
      refused(
        { chapters: [{ title: 'A', colour: 'red' }] },
        'chapters',
        'rest_additional_properties_forbidden',
        'colour',
      ),
      refused({ chapters: [{ title: 'A' }, { title: 'A' }] }, 'chapters', 'rest_duplicate_items'),
      refused({ chapters: [1, 2, 3, 4].map((n) => ({ title: String(n) })) }, 'chapters', 'rest_too_many_items'),
      refused({ title: 5 }, 'title', 'rest_invalid_type'),
      refused({ title: ['a'] }, 'title', 'rest_invalid_type'),
      refused({ title: true }, 'title', 'rest_invalid_type'),
      refused({ title: { raw: 5 } }, 'title', 'rest_invalid_type'),
      refused({ meta: 'x' }, 'meta', 'rest_invalid_type'),
      refused({ meta: [] }, 'meta', 'rest_invalid_type'),
      refused({ shelf_mark: 'nul \u0000 byte' }, 'shelf_mark', 'rest_invalid_pattern'),
      refused({ shelf_mark: 'half \ud800 character' }, 'shelf_mark', 'rest_invalid_pattern'),
      {
        name: 'all of them at once',
        as: 'librarian',
        method: 'POST',
        path: '/books/{book}',
        body: { pages: 0, genre: 'crime', published: 'x', tags: [1] },
        status: 400,
        check: ({ body }) => {
          expect(Object.keys(body.data.params).sort()).toEqual(['genre', 'pages', 'published', 'tags']);
          expect(body.data.details.pages).toEqual({
            code: 'rest_out_of_bounds',
            message: body.data.params.pages,
            data: null,
          });
          expect(body.data.details.tags.data).toEqual({ param: expect.any(String) });
        },
      },
      {
        name: 'a meta value of another type',
        as: 'librarian',
        method: 'POST',
        path: '/books/{book}',
        body: { meta: { binding: 5 } },
        status: 400,
        has: { code: 'rest_invalid_type', message: expect.stringContaining('meta.binding') },
      },
      {
        name: 'a meta value that is not in its list',
        as: 'librarian',
        method: 'POST',
        path: '/books/{book}',
        body: { meta: { binding: 'gold' } },
        status: 400,
        has: { code: 'rest_not_in_enum' },
      },
      {
        name: 'one meta value where a list is',
        as: 'librarian',
        method: 'POST',
        path: '/books/{book}',
        body: { meta: { prices: 'dear' } },
        status: 400,
        has: { code: 'rest_invalid_type' },
      },
      {
        name: 'an e-mail address that is none',
        as: 'librarian',
        method: 'POST',
        path: '/loans',
        body: { ticket: 'T-1', borrower: 'ann@nowhere', book: '{book}', due: '2030-01-01T00:00:00' },
        status: 400,
        has: { data: { details: { borrower: { code: 'rest_invalid_email' } } } },
      },
      {
        name: 'a URL that is none',
        as: 'librarian',
        method: 'POST',
        path: '/loans',
        body: { ticket: 'T-1', borrower: 'ann@example.org', book: '{book}', due: '2030-01-01T00:00:00', desk: '1.2.3' },
        status: 400,
        has: { data: { details: { desk: { code: 'rest_invalid_ip' } } } },
      },
      {
        name: 'a name that is too short',
        as: 'librarian',
        method: 'POST',
        path: '/authors',
        body: { name: 'X' },
        status: 400,
        has: { data: { details: { name: { code: 'rest_too_short' } } } },
      },
      {
        name: 'tags are stripped off plain text',
        as: 'librarian',
        method: 'POST',
        path: '/authors',
        body: { name: '<b>Jaan</b>  Kaplinski', website: 'javascript:alert(1)' },
        status: 201,
        has: { name: expect.stringMatching(/^Jaan\s+Kaplinski$/), website: '' },
      },
      {
        name: 'a web URL',
        as: 'librarian',
        method: 'POST',
        path: '/authors',
        body: { name: 'Web', website: 'https://example.org/a?b=c' },
        status: 201,
        has: { website: 'https://example.org/a?b=c' },
      },
      {
        name: 'refused values leave nothing behind',
        as: 'librarian',
        path: '/books/{book}?context=edit',
        status: 200,
        has: {
          genre: 'science',
          title: { raw: 'Quotes "here" -- and <b>bold</b>' },
          meta: { binding: 'paper', prices: [] },
        },
      },
    ],
    saved,
  );
});

describe('dangerous names', () => {
  test('__proto__ and constructor are dropped', async () => {
    const body = '{"pages": 7, "__proto__": {"genre": "poetry"}, "constructor": {"prototype": {"polluted": true}}}';
    const row: Row = {
      name: '',
      as: 'librarian',
      method: 'POST',
      path: '/books/{book}',
      headers: { 'Content-Type': 'application/json' },
      body,
      status: 200,
    };
    const response = await sendRow(library, row, saved);
    expect(response.body).toMatchObject({ pages: 7, genre: 'science' });
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});
