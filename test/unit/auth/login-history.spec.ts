import { describe, expect, it } from '@jest/globals';
import { LoginHistory } from '../../../src/auth/login-history.js';

describe('the history of logins', () => {
  it('prefers addresses from which the account has signed in, then networks with few failures', () => {
    const history = new LoginHistory();
    const lane = (address: string, account?: number) => history.turnOf(address, account).lane;
    history.recordSuccess('2001:db8::1', 7);
    expect([lane('2001:db8::2', 7), lane('2001:db8::2', 8), lane('192.0.2.1', 7), lane('192.0.2.1')]).toEqual([
      0, 1, 1, 1,
    ]);
    const lanes = [];
    for (let at = 0; at < 6; at++) {
      history.recordFailure('192.0.2.1');
      lanes.push(lane('192.0.2.1', 7));
    }
    expect(lanes).toEqual([2, 2, 2, 2, 2, 3]);
    // Failures of others in the same network do not remove it.
    for (let at = 0; at < 6; at++) history.recordFailure('2001:db8::1');
    expect(lane('2001:db8::1', 7)).toBe(0);
    expect(history.turnOf('2001:db8::9', 8)).toEqual({ lane: 3, client: '2001:db8:0:0' });
  });
});
