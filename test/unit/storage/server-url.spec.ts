import { describe, expect, it } from '@jest/globals';
import { StartupError } from '../../../src/errors/problem.js';
import { asStartupError } from '../../../src/storage/pool/database.js';
import { parseServerUrl } from '../../../src/storage/pool/database-url.js';

describe('a URL of database servers', () => {
  it.each([
    ['mysql://root@127.0.0.1/shop', { hosts: [{ host: '127.0.0.1', port: 3306 }], user: 'root', database: 'shop' }],
    [
      'mysql://me:p%40ss%3Aword@one,two:3307,[::1]:3308,[fe80::2]/shop',
      {
        hosts: [
          { host: 'one', port: 3306 },
          { host: 'two', port: 3307 },
          { host: '::1', port: 3308 },
          { host: 'fe80::2', port: 3306 },
        ],
        user: 'me',
        password: 'p@ss:word',
        shown: 'mysql://one,two:3307,[::1]:3308,[fe80::2]/shop',
      },
    ],
    ['postgres://db/shop', { user: undefined, password: undefined, tls: undefined }],
    ['postgres://db/shop?sslmode=require', { tls: { rejectUnauthorized: false }, database: 'shop' }],
    ['postgres://db/shop?sslmode=verify-full', { tls: { rejectUnauthorized: true } }],
  ])('%s', (url, parts) => {
    expect(parseServerUrl(url, 3306)).toMatchObject(parts);
  });

  it('with an unknown TLS mode is refused', () => {
    expect(() => parseServerUrl('mysql://db/shop?sslmode=prefer', 3306)).toThrow();
  });

  it('with an unreadable certificate is refused with its path', () => {
    const url = 'mysql://db/shop?sslmode=require&sslrootcert=/nowhere/ca.pem';
    expect(() => parseServerUrl(url, 3306)).toThrow(
      /^environment DATABASE_URL: the file of sslrootcert cannot be read: .*\/nowhere\/ca\.pem/,
    );
  });
});

describe('an error that waiting cannot fix', () => {
  it.each([
    ['ER_ACCESS_DENIED_ERROR', 'Access denied', 'check user and password'],
    ['ER_ACCESS_DENIED_NO_PASSWORD_ERROR', 'Access denied', 'check user and password'],
    ['28P01', 'password authentication failed', 'check user and password'],
    ['HANDSHAKE_NO_SSL_SUPPORT', 'Server does not support secure connection', /^turn TLS on .* sslmode/],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate', /sslrootcert.*sslmode=require/],
    ['ERR_TLS_CERT_ALTNAME_INVALID', "Host: a. is not in the cert's altnames", /name the host/],
    [undefined, 'The server does not support SSL connections', /^turn TLS on .* sslmode/],
  ])('is reported with advice: %s', (code, message, hint) => {
    const error = asStartupError(Object.assign(new Error(message), { code }), 'DATABASE_URL');
    expect((error as StartupError).problems).toEqual([
      { file: 'environment', path: 'DATABASE_URL', message, hint: expect.stringMatching(hint) },
    ]);
  });

  it('is returned unchanged if it is unknown', () => {
    const error = new Error('Something else');
    expect(asStartupError(error, 'DATABASE_URL')).toBe(error);
  });
});
