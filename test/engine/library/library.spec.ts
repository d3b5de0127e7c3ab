// The five operations, nested paths, references, trash and rights, on a domain that the engine has never heard of.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { scenario, type Kept } from '../../support/scenario.js';
import { openLibrary, type Library } from './stage.js';

let library: Library;
beforeAll(async () => {
  library = await openLibrary();
});
afterAll(() => library.site.close());
const stage = () => library;
const kept: Kept = {};
const rows = (...list: Parameters<typeof scenario>[1]) => scenario(stage, list, kept);

const bookInView = [
  'id', 'title', 'subtitle', 'isbn', 'genre', 'pages', 'weight', 'copies', 'published', 'shelf_mark', 'reference_only',
  'status', 'tags', 'authors', 'editor', 'dimensions', 'chapters', 'blurb', 'loan_count', 'link', 'meta', 'date', 'date_gmt',
  'modified', 'modified_gmt', 'slug',
];

describe('creating', () => {
  rows(
    { name: 'an author', as: 'librarian', method: 'POST', path: '/authors', body: { name: 'Jaan Kross', country: 'EE', born: '1920-02-19', living: false }, status: 201, keep: 'kross', has: { name: 'Jaan Kross', country: 'EE', born: '1920-02-19', living: false, slug: 'jaan-kross', biography: { raw: '', rendered: '' } }, sends: { Location: 'http://api.test/library/v1/authors/{kross}' }, members: ['id', 'name', 'born', 'country', 'website', 'biography', 'living', 'agent_notes', 'slug'] },
    { name: 'a second author with the same name gets another slug', as: 'librarian', method: 'POST', path: '/authors', body: { name: 'Jaan Kross' }, status: 201, keep: 'namesake', has: { slug: 'jaan-kross-2', country: null, born: null, living: true } },
    {
      name: 'a book with everything', as: 'librarian', method: 'POST', path: '/books',
      body: {
        title: 'Keisri hull', subtitle: 'Romaan', isbn: '978-9985010006', genre: 'novel', pages: 350, weight: 0.5, copies: 3, published: '1978-05-01',
        shelf_mark: 'K.12', reference_only: false, tags: ['history', 'Estonia', 'history'], authors: ['{kross}', '{namesake}'], editor: '{namesake}',
        dimensions: { height: 20.5, width: 13, measured_by: 'Mari', fits: true }, chapters: [{ title: 'I', page: 5 }, { title: 'II' }],
        blurb: 'A colonel writes a diary.\n\nIt is found.', staff_note: 'Bought twice.', meta: { binding: 'cloth', prices: [10, 12.5] },
      },
      status: 201, keep: 'hull',
      has: {
        title: { raw: 'Keisri hull', rendered: 'Keisri hull' }, subtitle: 'Romaan', isbn: '978-9985010006', pages: 350, weight: 0.5, copies: 3, published: '1978-05-01',
        tags: ['history', 'Estonia'], authors: ['{kross}', '{namesake}'], editor: '{namesake}',
        dimensions: { height: 20.5, width: 13, measured_by: 'Mari' }, chapters: [{ title: 'I', page: 5 }, { title: 'II' }],
        blurb: { raw: 'A colonel writes a diary.\n\nIt is found.', rendered: '<p>A colonel writes a diary.</p>\n<p>It is found.</p>\n' },
        staff_note: 'Bought twice.', loan_count: 0, slug: 'keisri-hull', link: 'http://site.test/shelf/keisri-hull/', status: 'shelved', meta: { binding: 'cloth', prices: [10, 12.5] },
      },
      hasNot: ['dimensions.fits', 'acquisition', 'kind', 'trashed_status'],
      members: [...bookInView, 'staff_note'],
    },
    { name: 'a book with its title alone: defaults', as: 'librarian', method: 'POST', path: '/books', body: { title: 'Blank' }, status: 201, keep: 'blank', has: { subtitle: null, isbn: null, genre: 'novel', pages: 1, weight: null, copies: 0, published: null, shelf_mark: '', reference_only: false, status: 'shelved', tags: [], authors: [], editor: null, dimensions: {}, chapters: [], loan_count: 0, meta: { binding: 'paper', prices: [] } } },
    { name: 'a reserved slug gets a suffix', as: 'librarian', method: 'POST', path: '/books', body: { title: 'New' }, status: 201, keep: 'reserved', has: { slug: 'new-2' } },
    { name: 'read-only and internal fields are ignored', as: 'librarian', method: 'POST', path: '/books', body: { title: 'Ignored', loan_count: 99, link: 'x', acquisition: 'gift', modified: '2000-01-01T00:00:00', kind: 'other', unheard_of: 1 }, status: 201, keep: 'ignored', has: { loan_count: 0, link: 'http://site.test/shelf/ignored/' }, hasNot: ['unheard_of', 'acquisition', 'kind'] },
    { name: 'an id cannot be chosen', as: 'librarian', method: 'POST', path: '/books', body: { title: 'Own id', id: 4711 }, status: 201, keep: 'numbered', check: (answer) => expect(answer.body.id).not.toBe(4711) },
    { name: 'a form body', as: 'librarian', method: 'POST', path: '/books', headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, body: 'title=From+a+form&pages=12&tags[]=a&tags[]=b&reference_only=1', status: 201, has: { pages: 12, tags: ['a', 'b'], reference_only: true } },
    { name: 'a required field', as: 'librarian', method: 'POST', path: '/books', body: { pages: 3 }, status: 400, has: { code: 'rest_missing_callback_param', data: { status: 400, params: ['title'] } } },
    { name: 'all required fields are named', as: 'librarian', method: 'POST', path: '/loans', body: { due: null }, status: 400, has: { code: 'rest_missing_callback_param', data: { params: ['ticket', 'borrower', 'book', 'due'] } } },
    { name: 'what is missing comes before who asks', method: 'POST', path: '/books', body: {}, status: 400, has: { code: 'rest_missing_callback_param' } },
    { name: 'nobody may', method: 'POST', path: '/books', body: { title: 'No' }, status: 401, has: { code: 'rest_cannot_create', data: { status: 401 } } },
    { name: 'a reader may not', as: 'reader', method: 'POST', path: '/books', body: { title: 'No' }, status: 403, has: { code: 'rest_cannot_create', data: { status: 403 } } },
    { name: 'wrong credentials fail the request', method: 'POST', path: '/books', headers: { Authorization: `Basic ${Buffer.from('librarian:wrong').toString('base64')}` }, body: { title: 'No' }, status: 401, has: { code: 'incorrect_password' } },
    { name: 'an array is no body', as: 'librarian', method: 'POST', path: '/books', body: [{ title: 'No' }], status: 400, has: { code: 'rest_invalid_json' } },
    { name: 'broken JSON', as: 'librarian', method: 'POST', path: '/books', headers: { 'Content-Type': 'application/json' }, body: '{"title":', status: 400, has: { code: 'rest_invalid_json', data: { json_error_code: 4 } } },
  );
});

describe('reading', () => {
  rows(
    { name: 'view context for everyone', path: '/books/{hull}', status: 200, members: bookInView, has: { title: { rendered: 'Keisri hull' }, dimensions: { height: 20.5, width: 13 } }, hasNot: ['title.raw', 'blurb.raw', 'staff_note', 'dimensions.measured_by'], sends: { Allow: 'GET' } },
    { name: 'embed context', path: '/books/{hull}?context=embed', status: 200, members: ['id', 'title', 'genre', 'authors', 'link', 'slug', 'date'], hasNot: ['title.raw'] },
    { name: 'edit context', as: 'librarian', path: '/books/{hull}?context=edit', status: 200, members: [...bookInView, 'staff_note'], has: { title: { raw: 'Keisri hull' }, dimensions: { measured_by: 'Mari' } }, sends: { Allow: 'GET, POST, PUT, PATCH, DELETE' } },
    { name: 'edit context needs the right', path: '/books/{hull}?context=edit', status: 401, has: { code: 'rest_forbidden_context' } },
    { name: 'edit context needs the right of a known caller', as: 'reader', path: '/books/{hull}?context=edit', status: 403, has: { code: 'rest_forbidden_context' } },
    { name: 'another context', path: '/books/{hull}?context=print', status: 400, has: { code: 'rest_invalid_param', data: { params: { context: expect.any(String) }, details: { context: { code: 'rest_not_in_enum' } } } } },
    { name: 'an unknown id', path: '/books/999999', status: 404, has: { code: 'book_unknown', data: { status: 404 } } },
    { name: 'id 0', path: '/books/0', status: 404, has: { code: 'book_unknown' } },
    { name: 'an id beyond all numbers', path: '/books/99999999999999999999', status: 404, has: { code: 'book_unknown' } },
    { name: 'no id', path: '/books/dune', status: 404, has: { code: 'rest_no_route' } },
    { name: 'a path that is none', path: '/booksellers', status: 404, has: { code: 'rest_no_route' } },
    { name: 'some fields', path: '/books/{hull}?_fields=id,title.rendered,dimensions.height,unheard_of', status: 200, members: ['id', 'title', 'dimensions'], has: { dimensions: { height: 20.5 } }, hasNot: ['_links', 'dimensions.width'] },
    { name: 'fields outside the context stay away', path: '/books/{hull}?_fields=staff_note,id', status: 200, members: ['id'] },
    { name: 'an empty list of fields asks for all', path: '/books/{hull}?_fields=', status: 200, members: bookInView },
    { name: 'HEAD', method: 'HEAD', path: '/books/{hull}', status: 200, check: (answer) => expect(answer.text ?? '').toBe('') },
    { name: 'a slash at the end', path: '/books/{hull}/', status: 200, has: { id: '{hull}' } },
    { name: 'links', path: '/books/{hull}', status: 200, has: { _links: { self: [{ href: 'http://api.test/library/v1/books/{hull}', targetHints: { allow: ['GET'] } }], collection: [{ href: 'http://api.test/library/v1/books' }], author: [{ href: 'http://api.test/library/v1/authors/{namesake}', embeddable: true }], reviews: [{ href: 'http://api.test/library/v1/books/{hull}/reviews' }], loans: [{ href: 'http://api.test/library/v1/loans?book={hull}' }] } }, hasNot: ['_links.curies'] },
    { name: 'links of a book without an editor', path: '/books/{blank}', status: 200, hasNot: ['_links.author'] },
    { name: 'what may be done stands in edit context', as: 'librarian', path: '/books/{hull}?context=edit', status: 200, has: { _links: { 'wp:action-shelve': [{ href: 'http://api.test/library/v1/books/{hull}' }], curies: [{ name: 'wp', templated: true }] } } },
  );
});

describe('changing', () => {
  rows(
    { name: 'one field; the others stay', as: 'librarian', method: 'POST', path: '/books/{blank}', body: { pages: 12 }, status: 200, has: { id: '{blank}', pages: 12, title: { raw: 'Blank' }, slug: 'blank' } },
    { name: 'PUT is the same', as: 'librarian', method: 'PUT', path: '/books/{blank}', body: { genre: 'poetry' }, status: 200, has: { genre: 'poetry', pages: 12 } },
    { name: 'PATCH is the same', as: 'librarian', method: 'PATCH', path: '/books/{blank}', body: { tags: ['one', 'two'] }, status: 200, has: { tags: ['one', 'two'], genre: 'poetry' } },
    { name: 'a list replaces the whole set', as: 'librarian', method: 'POST', path: '/books/{blank}', body: { tags: ['two', 'three'], authors: ['{kross}'] }, status: 200, has: { tags: ['two', 'three'], authors: ['{kross}'] } },
    { name: 'an empty list empties it', as: 'librarian', method: 'POST', path: '/books/{blank}', body: { tags: [], authors: [] }, status: 200, has: { tags: [], authors: [] } },
    { name: 'nothing', as: 'librarian', method: 'POST', path: '/books/{blank}', body: {}, status: 200, has: { pages: 12 } },
    { name: 'a new title keeps the slug', as: 'librarian', method: 'POST', path: '/books/{blank}', body: { title: 'Not so blank' }, status: 200, has: { slug: 'blank', title: { raw: 'Not so blank' } } },
    { name: 'null over a nullable field', as: 'librarian', method: 'POST', path: '/books/{hull}', body: { subtitle: null, weight: null, published: null }, status: 200, has: { subtitle: null, weight: null, published: null } },
    { name: 'null over another field changes nothing', as: 'librarian', method: 'POST', path: '/books/{hull}', body: { pages: null, title: null, tags: null }, status: 200, has: { pages: 350, title: { raw: 'Keisri hull' }, tags: ['history', 'Estonia'] } },
    { name: 'the id in the body does not count', as: 'librarian', method: 'POST', path: '/books/{blank}', body: { id: '{hull}', pages: 13 }, status: 200, has: { id: '{blank}', pages: 13 } },
    { name: 'text in its raw form', as: 'librarian', method: 'POST', path: '/books/{blank}', body: { blurb: { raw: 'Raw', rendered: 'ignored' } }, status: 200, has: { blurb: { raw: 'Raw', rendered: '<p>Raw</p>\n' } } },
    { name: 'a slug that is taken gets a suffix', as: 'librarian', method: 'POST', path: '/books/{blank}', body: { slug: 'Keisri Hull' }, status: 200, has: { slug: 'keisri-hull-2' } },
    { name: 'a slug that is taken is refused where the schema says so', as: 'librarian', method: 'POST', path: '/authors/{namesake}', body: { slug: 'jaan-kross' }, status: 400, has: { code: 'author_slug_taken' } },
    { name: '_method in the query of a POST', as: 'librarian', method: 'POST', path: '/books/{blank}?_method=PATCH', body: { pages: 14 }, status: 200, has: { pages: 14 } },
    { name: 'an override header on a POST', as: 'librarian', method: 'POST', path: '/books/{blank}', headers: { 'X-HTTP-Method-Override': 'PUT' }, body: { pages: 15 }, status: 200, has: { pages: 15 } },
    { name: 'no override on a GET', as: 'librarian', path: '/books/{blank}?_method=DELETE', status: 200, has: { id: '{blank}' } },
    { name: 'the code of the schema for who may not', as: 'reader', method: 'POST', path: '/books/{blank}', body: { pages: 1 }, status: 403, has: { code: 'book_closed' } },
    { name: 'the code of the schema for nobody', method: 'POST', path: '/books/{blank}', body: { pages: 1 }, status: 401, has: { code: 'book_closed' } },
    { name: 'a conditional check', as: 'librarian', method: 'POST', path: '/books/{blank}', body: { status: 'lost' }, status: 403, has: { code: 'book_cannot_be_lost' } },
    { name: 'a conditional check that holds', as: 'director', method: 'POST', path: '/books/{blank}', body: { status: 'lost' }, status: 200, has: { status: 'lost' } },
    { name: 'what is stored may be sent back', as: 'librarian', method: 'POST', path: '/books/{blank}', body: { status: 'lost', pages: 16 }, status: 200, has: { status: 'lost', pages: 16 } },
    { name: 'what is not there comes before who asks', method: 'POST', path: '/books/999999', body: { pages: 1 }, status: 404, has: { code: 'book_unknown' } },
    { name: 'PUT on a collection is no route', as: 'librarian', method: 'PUT', path: '/books', body: {}, status: 404, has: { code: 'rest_no_route' } },
  );

  test('a fetched item may be sent back whole', async () => {
    const { site, actors } = library;
    const path = `${site.base}/books/${kept['hull']}`;
    const before = (await site.http().get(`${path}?context=edit`).set(actors.librarian.headers)).body;
    const after = await site.http().put(path).set(actors.librarian.headers).send(before);
    expect(after.status).toBe(200);
    const { modified: _m, modified_gmt: _g, _links: _l, ...rest } = before;
    expect(after.body).toMatchObject(rest);
  });
});

describe('references', () => {
  rows(
    { name: 'an unknown id in a list', as: 'librarian', method: 'POST', path: '/books/{blank}', body: { authors: ['{kross}', 999] }, status: 400, has: { code: 'rest_invalid_param', data: { details: { authors: { message: expect.stringContaining('999') } } } } },
    { name: 'an unknown id, with the code of the schema', as: 'librarian', method: 'POST', path: '/books/{blank}', body: { editor: 999 }, status: 400, has: { code: 'book_editor_unknown' } },
    { name: 'a negative id', as: 'librarian', method: 'POST', path: '/books/{blank}', body: { editor: -1 }, status: 400, has: { code: 'book_editor_unknown' } },
    { name: 'no id', as: 'librarian', method: 'POST', path: '/books/{blank}', body: { editor: 'kross' }, status: 400, has: { code: 'rest_invalid_param', data: { details: { editor: { code: 'rest_invalid_type' } } } } },
    { name: 'an item that is no id', as: 'librarian', method: 'POST', path: '/books/{blank}', body: { authors: ['{kross}', 'x'] }, status: 400, has: { data: { details: { authors: { code: 'rest_invalid_type', message: expect.stringContaining('authors[1]') } } } } },
    { name: 'ids between commas', as: 'librarian', method: 'POST', path: '/books/{blank}', body: { authors: '{kross},{namesake}' }, status: 200, has: { authors: ['{kross}', '{namesake}'] } },
    { name: 'the same id twice', as: 'librarian', method: 'POST', path: '/books/{blank}', body: { authors: ['{kross}', '{kross}'] }, status: 200, has: { authors: ['{kross}'] } },
    { name: 'nothing is left behind by what was refused', path: '/books/{blank}', status: 200, has: { authors: ['{kross}'], editor: null } },
    { name: '0 empties a reference', as: 'librarian', method: 'POST', path: '/books/{hull}', body: { editor: 0 }, status: 200, has: { editor: null } },
    { name: 'null empties a reference that shows null', as: 'librarian', method: 'POST', path: '/books/{blank}', body: { editor: '{kross}' }, status: 200, has: { editor: '{kross}' } },
    { name: '… as it says', as: 'librarian', method: 'POST', path: '/books/{blank}', body: { editor: null }, status: 200, has: { editor: null } },
    { name: 'a required reference cannot be 0', as: 'librarian', method: 'POST', path: '/loans', body: { ticket: 'A-0', borrower: 'ann@example.org', book: 0, due: '2030-01-01T00:00:00' }, status: 400 },
    { name: 'a required reference must exist', as: 'librarian', method: 'POST', path: '/loans', body: { ticket: 'A-0', borrower: 'ann@example.org', book: 999, due: '2030-01-01T00:00:00' }, status: 400, has: { code: 'rest_invalid_param', data: { params: { book: expect.stringContaining('999') } } } },
    { name: 'a loan', as: 'librarian', method: 'POST', path: '/loans', body: { ticket: 'A-1', borrower: 'ann@example.org', book: '{hull}', due: '2030-01-01T02:00:00+02:00', taken: '2029-12-01T10:00:00Z' }, status: 201, keep: 'loan', has: { due: '2030-01-01T00:00:00+00:00', taken: '2029-12-01T12:00:00', returned: false, desk: null } },
    { name: 'deleting what is referred to clears the lists', as: 'librarian', method: 'DELETE', path: '/authors/{namesake}?force=true', status: 200, has: { deleted: true, previous: { name: 'Jaan Kross' } } },
    { name: '… as this book shows', path: '/books/{hull}', status: 200, has: { authors: ['{kross}'] } },
  );
});

describe('values that nobody else may have', () => {
  rows(
    { name: 'a second ticket of the same number', as: 'librarian', method: 'POST', path: '/loans', body: { ticket: 'A-1', borrower: 'bob@example.org', book: '{blank}', due: '2030-01-01T00:00:00' }, status: 400, has: { code: 'rest_invalid_param', data: { status: 400, params: { ticket: expect.any(String) }, details: { ticket: { code: 'rest_invalid_param' } } } } },
    { name: 'another number', as: 'librarian', method: 'POST', path: '/loans', body: { ticket: 'A-2', borrower: 'bob@example.org', book: '{blank}', due: '2030-02-01T00:00:00' }, status: 201, keep: 'second' },
    { name: 'a number taken by an update', as: 'librarian', method: 'POST', path: '/loans/{second}', body: { ticket: 'A-1' }, status: 400, has: { code: 'rest_invalid_param', data: { details: { ticket: { code: 'rest_invalid_param' } } } } },
    { name: 'its own number', as: 'librarian', method: 'POST', path: '/loans/{second}', body: { ticket: 'A-2', returned: true }, status: 200, has: { returned: true } },
    { name: 'a second ISBN', as: 'librarian', method: 'POST', path: '/books', body: { title: 'Copy', isbn: '978-9985010006' }, status: 400, has: { code: 'rest_invalid_param', data: { details: { isbn: { code: 'rest_invalid_param' } } } } },
    { name: 'several books without an ISBN', as: 'librarian', method: 'POST', path: '/books', body: { title: 'No ISBN', isbn: null }, status: 201, has: { isbn: null } },
    { name: 'nothing is left behind', as: 'librarian', path: '/books?slug=copy', status: 200, items: [] },
    { name: 'a second login', as: 'director', method: 'POST', path: '/members', body: { username: 'READER', email: 'other@example.org', password: 'long enough for us' }, status: 400, has: { code: 'existing_user_login' } },
    { name: 'a second code', as: 'director', method: 'POST', path: '/branches', body: { code: 'central', city: 'Narva' }, status: 400, has: { code: 'rest_invalid_param', data: { details: { code: { code: 'rest_invalid_param' } } } } },
  );
});

describe('items below others', () => {
  rows(
    { name: 'a review by whoever is signed in', as: 'reader', method: 'POST', path: '/books/{hull}/reviews', body: { rating: 5, text: 'Fine <em>book</em><script>x</script>' }, status: 201, keep: 'praise', has: { rating: 5, book: '{hull}', text: { raw: 'Fine <em>book</em>x' } }, sends: { Location: 'http://api.test/library/v1/books/{hull}/reviews/{praise}' }, check: (answer) => expect(answer.body.author).toBe(library.actors.reader.id) },
    { name: 'a second one', as: 'librarian', method: 'POST', path: '/books/{hull}/reviews', body: { rating: '2' }, status: 201, keep: 'blame', has: { rating: 2 } },
    { name: 'one of another book', as: 'librarian', method: 'POST', path: '/books/{blank}/reviews', body: { rating: 3 }, status: 201, keep: 'elsewhere' },
    { name: 'nobody may not', method: 'POST', path: '/books/{hull}/reviews', body: { rating: 1 }, status: 401, has: { code: 'rest_cannot_create' } },
    { name: 'too many stars', as: 'reader', method: 'POST', path: '/books/{hull}/reviews', body: { rating: 6 }, status: 400, has: { data: { details: { rating: { code: 'rest_out_of_bounds' } } } } },
    { name: 'the parent of the path cannot be changed by the body', as: 'reader', method: 'POST', path: '/books/{hull}/reviews', body: { rating: 4, book: '{blank}', book_id: '{blank}' }, status: 201, keep: 'sly', has: { book: '{hull}' } },
    { name: 'no such parent', as: 'reader', method: 'POST', path: '/books/999999/reviews', body: { rating: 4 }, status: 404, has: { code: 'book_unknown' } },
    { name: 'a list of its own', path: '/books/{hull}/reviews', status: 200, items: ['praise', 'blame', 'sly'], sends: { 'X-WP-Total': '3', 'X-WP-TotalPages': '1' } },
    { name: 'a filtered list', path: '/books/{hull}/reviews?rating=5', status: 200, items: ['praise'] },
    { name: 'a list of no parent', path: '/books/999999/reviews', status: 404, has: { code: 'book_unknown' } },
    { name: 'one', path: '/books/{hull}/reviews/{praise}', status: 200, has: { id: '{praise}', rating: 5 }, members: ['id', 'rating', 'text', 'author', 'book'], hasNot: ['text.raw'] },
    { name: 'one below another book', path: '/books/{blank}/reviews/{praise}', status: 404, has: { code: 'review_of_other_book' } },
    { name: 'no such one', path: '/books/{hull}/reviews/999999', status: 404, has: { code: 'rest_review_invalid_id' } },
    { name: 'its writer may change it', as: 'reader', method: 'POST', path: '/books/{hull}/reviews/{praise}', body: { rating: 4 }, status: 200, has: { rating: 4 } },
    { name: 'nobody else may', as: 'reader', method: 'POST', path: '/books/{hull}/reviews/{blame}', body: { rating: 5 }, status: 403, has: { code: 'rest_cannot_edit' } },
    { name: 'not below another book', as: 'librarian', method: 'POST', path: '/books/{blank}/reviews/{praise}', body: { rating: 1 }, status: 404, has: { code: 'review_of_other_book' } },
    { name: 'deletion without force', as: 'reader', method: 'DELETE', path: '/books/{hull}/reviews/{praise}', status: 501, has: { code: 'rest_trash_not_supported' } },
    { name: 'deletion with force in the body', as: 'reader', method: 'DELETE', path: '/books/{hull}/reviews/{praise}', body: { force: true }, status: 200, has: { deleted: true, previous: { id: '{praise}', rating: 4 } }, hasNot: ['previous._links'] },
    { name: 'it is gone', path: '/books/{hull}/reviews/{praise}', status: 404 },
  );
});

describe('deleting', () => {
  rows(
    { name: 'nobody may', method: 'DELETE', path: '/books/{hull}', status: 401, has: { code: 'rest_cannot_delete' } },
    { name: 'into the trash', as: 'librarian', method: 'DELETE', path: '/books/{hull}', status: 200, has: { id: '{hull}', status: 'trash', slug: 'keisri-hull__trashed', copies: 0 } },
    { name: 'again', as: 'librarian', method: 'DELETE', path: '/books/{hull}', status: 410, has: { code: 'rest_already_trashed' } },
    { name: 'lists leave it out', path: '/books?include={hull}', status: 200, items: [], sends: { 'X-WP-Total': '0' } },
    { name: 'its reviews stay', path: '/books/{hull}/reviews', status: 200, items: ['blame', 'sly'] },
    { name: 'trash cannot be asked for', as: 'librarian', method: 'POST', path: '/books/{blank}', body: { status: 'trash' }, status: 400, has: { code: 'rest_invalid_param', data: { details: { status: { code: 'rest_not_in_enum' } } } } },
    { name: 'a whole item in the trash may be sent back', as: 'librarian', method: 'POST', path: '/books/{hull}', body: { status: 'trash', pages: 351 }, status: 200, has: { status: 'trash', pages: 351 } },
    { name: 'another status brings it back', as: 'librarian', method: 'POST', path: '/books/{hull}', body: { status: 'ordered' }, status: 200, has: { status: 'ordered', slug: 'keisri-hull' } },
    { name: 'for good', as: 'librarian', method: 'DELETE', path: '/books/{hull}?force=true', status: 200, has: { deleted: true, previous: { id: '{hull}', title: { raw: 'Keisri hull' }, authors: ['{kross}'] } }, hasNot: ['previous._links'], members: ['deleted', 'previous'] },
    { name: 'it is gone', path: '/books/{hull}', status: 404 },
    { name: 'its reviews are gone with it', path: '/books/{hull}/reviews', status: 404, has: { code: 'book_unknown' } },
    { name: 'the loan that referred to it is cleared', as: 'librarian', path: '/loans/{loan}', status: 200, has: { book: 0 } },
    { name: 'force is a boolean', as: 'librarian', method: 'DELETE', path: '/books/{blank}?force=perhaps', status: 400, has: { code: 'rest_invalid_param', data: { details: { force: { code: 'rest_invalid_type' } } } } },
    { name: '_method in the query of a POST', as: 'librarian', method: 'POST', path: '/books/{blank}?_method=DELETE', body: { force: 'true' }, status: 200, has: { deleted: true } },
    { name: 'what never was', as: 'librarian', method: 'DELETE', path: '/books/999999?force=true', status: 404, has: { code: 'book_unknown' } },
  );
});

describe('items named by a text', () => {
  rows(
    { name: 'seeded at first boot', path: '/branches/central', status: 200, has: { code: 'central', city: 'Tartu' } },
    { name: 'a new one', as: 'director', method: 'POST', path: '/branches', body: { code: 'by-the-sea', city: 'Pärnu' }, status: 201, keep: 'sea', sends: { Location: 'http://api.test/library/v1/branches/by-the-sea' } },
    { name: 'read', path: '/branches/by-the-sea', status: 200, has: { city: 'Pärnu' } },
    { name: 'changed', as: 'director', method: 'POST', path: '/branches/by-the-sea', body: { city: 'Haapsalu' }, status: 200, has: { city: 'Haapsalu' } },
    { name: 'listed', path: '/branches', status: 200, check: (answer) => expect(answer.body.map((branch: { code: string }) => branch.code)).toEqual(['by-the-sea', 'central']) },
    { name: 'unknown', path: '/branches/nowhere', status: 404, has: { code: 'rest_branch_invalid_id' } },
    { name: 'deleted', as: 'director', method: 'DELETE', path: '/branches/by-the-sea?force=true', status: 200, has: { deleted: true, previous: { code: 'by-the-sea' } } },
    { name: 'a registry', path: '/genres', status: 200, has: { novel: { slug: 'novel', name: 'Novels' }, poetry: { slug: 'poetry' } } },
    { name: 'one of a registry', path: '/genres/poetry', status: 200, has: { name: 'Poetry' } },
    { name: 'none of a registry', path: '/genres/drama', status: 404, has: { code: 'genre_unknown' } },
    { name: 'nothing is written to a registry', as: 'director', method: 'POST', path: '/genres', body: { slug: 'drama' }, status: 404, has: { code: 'rest_no_route' } },
  );
});

describe('rights on rows', () => {
  rows(
    { name: 'a list of what nobody may read', path: '/loans', status: 401, has: { code: 'rest_forbidden' } },
    { name: 'a list of what a reader may not read', as: 'reader', path: '/loans', status: 403, has: { code: 'rest_forbidden' } },
    { name: 'one that a reader may not read', as: 'reader', path: '/loans/{loan}', status: 403, has: { code: 'rest_forbidden' } },
    { name: 'who may', as: 'librarian', path: '/loans', status: 200, items: ['loan', 'second'] },
    { name: 'an account is made by who may', as: 'reader', method: 'POST', path: '/members', body: { username: 'eve', email: 'eve@example.org', password: 'long enough for us' }, status: 403 },
    { name: 'an account', as: 'director', method: 'POST', path: '/members', body: { username: 'eve', email: 'eve@example.org', password: 'long enough for us' }, status: 201, keep: 'eve', has: { username: 'eve', name: 'eve', roles: ['reader'] }, hasNot: ['password', 'extra', 'login_key'] },
    { name: 'it can sign in', path: '/members/me?context=edit', headers: { Authorization: `Basic ${Buffer.from('eve:long enough for us').toString('base64')}` }, status: 200, has: { id: '{eve}', username: 'eve' } },
    { name: 'nobody is me', path: '/members/me', status: 401, has: { code: 'rest_not_logged_in' } },
    { name: 'logins are for who may see them', path: '/members/{eve}', status: 200, members: ['id', 'name'] },
  );
});
