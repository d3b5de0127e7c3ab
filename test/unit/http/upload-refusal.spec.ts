// A disk that is full or takes no writes is no fault of the program: 507 or 503, with the code of the upload.
import { expect, it } from '@jest/globals';
import { diskProblem, UploadProblem } from '../../../src/files/upload-problem.js';
import { uploadError } from '../../../src/http/resource/upload-error.js';

it.each([
  ['ENOSPC', 507],
  ['EDQUOT', 507],
  ['EROFS', 503],
  ['EMFILE', 503],
  ['ENOENT', 500],
])('%s is returned with %i', (code, status) => {
  const refusal = uploadError(diskProblem(Object.assign(new Error(code), { code })));
  expect([refusal.code, refusal.statusFor(true)]).toEqual(['rest_upload_file_error', status]);
});

it('too many concurrent images get 503 with Retry-After', () => {
  const refusal = uploadError(new UploadProblem('rest_unavailable', 'Too many.'));
  expect([refusal.code, refusal.statusFor(true), refusal.headers]).toEqual([
    'rest_unavailable',
    503,
    { 'Retry-After': '5' },
  ]);
});
