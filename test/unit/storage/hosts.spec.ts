import { describe, expect, it } from '@jest/globals';
import { firstReachable, Hosts } from '../../../src/storage/pool/hosts.js';

const [A, B, C] = ['a', 'b', 'c'].map((host) => ({ host, port: 1 })) as [Host, Host, Host];
type Host = { host: string; port: number };
const LOST = new Error('lost');
const isLost = (error: unknown) => error === LOST;

describe('hosts of a cluster (D6)', () => {
  const connecting = (hosts: Hosts, gone: readonly Host[], asked: Host[] = []) =>
    hosts.connect(async () => {
      asked.push(hosts.current);
      if (gone.includes(hosts.current)) throw LOST;
      return hosts.current;
    }, isLost);

  it.each([
    ['the first, which is there', A, [], [A]],
    ['the next one, when the first is gone', A, [A], [A, B]],
    ['from the last one on to the first', C, [C], [C, A]],
    ['each of them once', B, [A, B], [B, C]],
  ])('are connected: %s', async (_, first, gone, expected) => {
    const hosts = new Hosts([A, B, C], first);
    const asked: Host[] = [];
    expect(await connecting(hosts, gone, asked)).toBe(expected.at(-1));
    expect(asked).toEqual(expected);
    expect(hosts.current).toBe(expected.at(-1));
  });

  it('end with the last error when all are lost, after one attempt each', async () => {
    const asked: Host[] = [];
    await expect(connecting(new Hosts([A, B, C], A), [A, B, C], asked)).rejects.toBe(LOST);
    expect(asked).toEqual([A, B, C]);
  });

  it('are not changed by an error other than a lost connection', async () => {
    const hosts = new Hosts([A, B], A);
    await expect(hosts.connect(() => Promise.reject(new Error('password')), isLost)).rejects.toThrow('password');
    expect(hosts.current).toBe(A);
  });

  it('fail over once for several callers', () => {
    const hosts = new Hosts([A, B, C], A);
    for (let callers = 0; callers < 3; callers += 1) hosts.failOver(A);
    expect(hosts.current).toBe(B);
  });

  it.each([
    ['the first takes them', [undefined], undefined, A],
    ['another takes them', ['standby', undefined], undefined, B],
    ['none takes them', ['standby', 'closed', 'standby of c'], 'standby of c', C],
  ])('report why none of them accepts writes: %s', async (_, reasons, why, current) => {
    const hosts = new Hosts([A, B, C], A);
    const left = [...reasons];
    expect(await hosts.readOnlyReason(async () => left.shift())).toBe(why);
    expect([left, hosts.current]).toEqual([[], current]);
  });

  it.each([
    ['the first takes it', [], A, [A]],
    ['another takes it', [A, B], C, [A, B, C]],
    ['none takes it', [A, B, C], C, [A, B, C]],
  ])('get a change in order while they accept no writes: %s', async (_, closed, current, expected) => {
    const hosts = new Hosts([A, B, C], A);
    const asked: Host[] = [];
    const change = async () => {
      asked.push(hosts.current);
      if (closed.includes(hosts.current)) throw LOST;
      return 'changed';
    };
    const changed = await hosts.writing(change, isLost).catch((error: unknown) => error);
    expect([changed, hosts.current, asked]).toEqual([closed.length < 3 ? 'changed' : LOST, current, expected]);
  });

  it('are tried in order until one is reachable', async () => {
    const open = async (host: Host) => (host === A ? Promise.reject(LOST) : host);
    expect(await firstReachable([A, B, C], open, isLost)).toBe(B);
    await expect(firstReachable([A], open, isLost)).rejects.toBe(LOST);
  });
});
