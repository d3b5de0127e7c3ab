// What responses repeat of a request has a bound: texts of errors, links to other pages, lists in parameters.
import { describe, expect, it } from '@jest/globals';
import { invalidParams, ResourceError } from '../../../src/errors/resource-error.js';
import { toErrorResponse } from '../../../src/http/response/error-response.js';
import { pageLinks } from '../../../src/http/response/pagination-links.js';
import { RequestContext } from '../../../src/http/request/request-context.js';
import { validateParams } from '../../../src/http/validation/validate-params.js';
import type { ParamModel } from '../../../src/model/list.js';

const silent = { debug() {}, info() {}, warn() {}, error() {} } as never;

describe('error messages', () => {
  it('truncate long values from the request', () => {
    const long = 'x'.repeat(100_000);
    const errors = [
      new ResourceError('rest_bad_request', { status: 400, message: long }),
      invalidParams([{ param: long, code: 'rest_invalid_type', message: long, data: { given: [long] } }]),
    ];
    for (const error of errors) {
      const { status, body } = toErrorResponse(error, new RequestContext('id', 'GET'), silent);
      expect(status).toBe(400);
      expect(String(body).length).toBeLessThan(15_000);
      expect(body).toContain('x…');
    }
  });
});

describe('links to other pages', () => {
  it('are omitted when clients would refuse their length', () => {
    const state = { page: 2, totalPages: 3 };
    expect(pageLinks('http://x/posts', { include: '1,'.repeat(500) }, state)).toContain('rel="next"');
    expect(pageLinks('http://x/posts', { search: 'é'.repeat(2000) }, state)).toBeUndefined();
  });
});

describe('lists in parameters', () => {
  const param = (maxItems?: number): ReadonlyMap<string, ParamModel> =>
    new Map([
      [
        'tags',
        {
          name: 'tags',
          schema: { type: 'array' },
          rule: (value: unknown) => ({ value }),
          arg: { type: 'array', ...(maxItems === undefined ? {} : { maxItems }) },
        } as unknown as ParamModel,
      ],
    ]);
  const list = (count: number) => Array.from({ length: count }, (_, at) => String(at));

  it.each([
    ['a list', list],
    ['a text', (count: number) => list(count).join(',')],
    ['a text with commas around', (count: number) => `,${list(count).join(' , ')},`],
  ])('as %s have at most 100 items, or what the schema says', (_name, make) => {
    expect(validateParams(param(), { tags: make(100) })).toHaveProperty('tags');
    expect(() => validateParams(param(), { tags: make(101) })).toThrow(/tags/);
    expect(validateParams(param(500), { tags: make(500) })).toHaveProperty('tags');
  });
});
