// The options of connections to MySQL and MariaDB.
import type { Socket } from 'node:net';
import { expect, it } from '@jest/globals';
import { mysqlDataSource, type Target } from '../../../src/storage/mysql/data-source.js';
import { parseServerUrl } from '../../../src/storage/pool/database-url.js';
import { Hosts } from '../../../src/storage/pool/hosts.js';

it('verify the name in the certificate of every host that has one, beside hosts that are IP addresses', () => {
  const address = parseServerUrl('mysql://localhost:1,127.0.0.1:1/site?sslmode=verify-full', 3306);
  const target: Target = {
    hosts: new Hosts(address.hosts, address.hosts[0]!),
    hostOfConnection: new Map(),
    idle: new Set(),
  };
  const { options } = mysqlDataSource('mariadb', address, target, { size: 2 }, []);
  const { stream } = options.extra as { stream(connection: { config: object }): Socket };
  const connected = () => {
    const config = {};
    stream({ config })
      .on('error', () => undefined)
      .destroy();
    return config;
  };
  expect(options).toMatchObject({ ssl: { rejectUnauthorized: true, verifyIdentity: true } });
  expect(connected()).toMatchObject({ host: 'localhost', ssl: { verifyIdentity: true } });
  target.hosts.failOver(address.hosts[0]!);
  expect(connected()).toMatchObject({ host: '127.0.0.1', ssl: { rejectUnauthorized: true, verifyIdentity: false } });
});
