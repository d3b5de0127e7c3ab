import { describe, expect, it } from '@jest/globals';
import { clientAddress, networkOf } from '../../../src/auth/rate-limit/client-address.js';

describe('the address of a client', () => {
  it.each([
    ['192.0.2.1', undefined, false, '192.0.2.1'],
    ['::ffff:192.0.2.1', undefined, false, '192.0.2.1'],
    ['192.0.2.1', '203.0.113.9', false, '192.0.2.1'],
    ['192.0.2.1', '203.0.113.9', true, '203.0.113.9'],
    ['192.0.2.1', 'unknown', true, '192.0.2.1'],
    ['192.0.2.1', '<script>', true, '192.0.2.1'],
    ['2001:db8::1', undefined, false, '2001:db8::1'],
    [undefined, undefined, true, '127.0.0.1'],
    ['192.0.2.1', '::FFFF:203.0.113.9', true, '203.0.113.9'],
    ['192.0.2.1', '::ffff:cb00:7109', true, '203.0.113.9'],
    ['192.0.2.1', '0:0:0:0:0:ffff:cb00:7109', true, '203.0.113.9'],
    ['192.0.2.1', '1::ffff:cb00:7109', true, '1::ffff:cb00:7109'],
    ['fe80::1%eth0', undefined, false, 'fe80::1'],
    ['192.0.2.1', `fe80::1%${'z'.repeat(10_000)}`, true, 'fe80::1'],
  ])('of socket %s, told %s, trusting %s is %s', (remoteAddress, ip, trust, expected) => {
    expect(clientAddress({ socket: { remoteAddress }, ip }, trust)).toBe(expected);
  });

  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['2001:db8:0:1:aaaa::1', '2001:db8:0:1'],
    ['2001:0DB8:0:1::2', '2001:db8:0:1'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['1:2:3:4:5:6:7:8', '1:2:3:4'],
    ['1:2:3:4:5:6::', '1:2:3:4'],
    ['64:ff9b::192.0.2.33', '64:ff9b:0:0'],
    ['1:2:3:4:5:6:192.0.2.33', '1:2:3:4'],
  ])('%s belongs to the network %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});
