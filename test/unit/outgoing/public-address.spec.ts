// Which IP addresses are public in every spelling, which hosts are allowed by name, and what a lookup hands to a socket.
import { describe, expect, it } from '@jest/globals';
import type { LookupAddress } from 'node:dns';
import {
  isAllowedHost,
  isPublicAddress,
  parseAllowedHost,
  publicLookup,
} from '../../../src/outgoing/public-address.js';

const PRIVATE = [
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '10.255.255.255',
  '100.64.0.1',
  '100.100.100.200',
  '100.127.255.255',
  '127.0.0.1',
  '127.255.0.9',
  '168.63.129.16',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.192',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.9',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
];

describe('a public IP address', () => {
  it.each(['1.1.1.1', '8.8.8.8', '100.63.255.255', '100.128.0.0', '172.15.0.1', '172.32.0.1', '169.253.0.1'])(
    'is %s',
    (address) => expect(isPublicAddress(address)).toBe(true),
  );

  it.each(['2606:4700::1111', '2a00:1450:4001::1', '2001:4860:4860::8888', '::ffff:8.8.8.8', '64:ff9b::808:808'])(
    'is %s',
    (address) => expect(isPublicAddress(address)).toBe(true),
  );

  it.each(PRIVATE)('is not %s, nor what embeds it', (address) => {
    const [a, b, c, d] = address.split('.').map(Number) as [number, number, number, number];
    const hex = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
    const spellings = [
      address,
      `::ffff:${address}`,
      `::ffff:${hex}`,
      `0:0:0:0:0:ffff:${hex}`,
      `::FFFF:${hex}`.toUpperCase(),
      `::${address}`,
      `::ffff:0:${hex}`,
      `64:ff9b::${address}`,
      `64:ff9b:1::${hex}`,
      `2002:${hex}::1`,
      `2001::${hex}`,
    ];
    expect(spellings.filter(isPublicAddress)).toEqual([]);
  });

  it.each([
    '::',
    '::1',
    'fe80::1',
    'fe80::1%lo',
    'fec0::1',
    'fc00::1',
    'fd00:ec2::254',
    'ff02::1',
    '100::1',
    '2001:db8::1',
    '3fff::1',
    '4000::1',
    '5f00::1',
    '64:ff9b::1:2:3',
  ])('is not %s', (address) => expect(isPublicAddress(address)).toBe(false));

  it.each(['', 'localhost', '127.1', '0x7f.1', '2130706433', '8.8.8', '8.8.8.8.8', '[::1]', ' 8.8.8.8'])(
    'cannot be parsed from "%s"',
    (text) => expect(isPublicAddress(text)).toBe(false),
  );
});

describe('an allowed host', () => {
  it.each([
    ['files.example', { hostname: 'files.example' }],
    ['Files.Example:8080', { hostname: 'files.example', port: 8080 }],
    ['files.example:80', { hostname: 'files.example', port: 80 }],
    ['127.1:9', { hostname: '127.0.0.1', port: 9 }],
    ['[::1]', { hostname: '[::1]' }],
    ['[0:0::1]:443', { hostname: '[::1]', port: 443 }],
  ])('is %s', (text, host) => expect(parseAllowedHost(text)).toEqual(host));

  it.each(['', ':80', 'a:0', 'a:65536', 'a:b', 'http://a', 'a/b', 'a b', 'u@a', '::1', '[x]', '*', 'a?b'])(
    'cannot be parsed from "%s"',
    (text) => {
      const parsed = parseAllowedHost(text);
      // A star is a name like any other to URLs; it stands for nothing else than itself.
      if (text === '*') expect(parsed).toEqual({ hostname: '*' });
      else expect(parsed).toBeUndefined();
    },
  );

  it.each([
    ['http://files.example/', 'files.example', true],
    ['http://FILES.example:81/', 'files.example', true],
    ['http://files.example/', 'files.example:80', true],
    ['https://files.example/', 'files.example:443', true],
    ['https://files.example/', 'files.example:80', false],
    ['http://files.example:8080/', 'files.example:8080', true],
    ['http://evil.files.example/', 'files.example', false],
    ['http://files.example.evil/', 'files.example', false],
    ['http://0x7f.1/', '127.0.0.1', true],
  ])('%s with %s: %s', (url, host, allowed) => {
    expect(isAllowedHost(new URL(url), [parseAllowedHost(host)!])).toBe(allowed);
  });
});

describe('the lookup of a socket', () => {
  const look = (found: LookupAddress[], all: boolean) =>
    new Promise((resolve) => {
      const lookup = publicLookup((_name, done) => done(null, found));
      lookup('x.example', { all }, (error, address, family) => resolve(error ? error.message : { address, family }));
    });
  const open = { address: '8.8.8.8', family: 4 };

  it('returns the IP addresses that it has checked', async () => {
    expect(await look([open], true)).toEqual({ address: [open], family: undefined });
    expect(await look([open], false)).toEqual(open);
  });

  it('refuses a name with any non-public IP address, and a name without addresses', async () => {
    const refused = 'x.example has no public IP address, and is not among the allowed hosts';
    expect(await look([open, { address: '127.0.0.1', family: 4 }], true)).toBe(refused);
    expect(await look([open, { address: '::1', family: 6 }], false)).toBe(refused);
    expect(await look([], true)).toBe(refused);
  });
});
