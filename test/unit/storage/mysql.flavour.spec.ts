// Which database a server that speaks the MySQL protocol is recognized as.
import { expect, it } from '@jest/globals';
import { flavourOf } from '../../../src/storage/mysql/flavour.js';

const MARIADB = '10.11.19-MariaDB-0+deb12u1';

it.each([
  ['MariaDB', MARIADB, [], true],
  ['MariaDB with Galera switched off', MARIADB, [['wsrep_on', 'OFF']], true],
  ['a node of Galera', MARIADB, [['wsrep_on', 'ON']], false],
  ['Group Replication with a primary', '8.4.0', [['group_replication_single_primary_mode', 'ON']], true],
  ['Group Replication without one', '8.4.0', [['group_replication_single_primary_mode', 'OFF']], false],
  ['TiDB', '8.0.11-TiDB-v8.1.0', [['tidb_txn_mode', 'pessimistic']], false],
])('%s', (_name, version, variables, alone) => {
  // Where several nodes write, neither locks nor several statements in one text are what they are elsewhere.
  expect(flavourOf(version, 1024, variables, true)).toEqual({
    mariadb: /MariaDB/.test(version),
    collation: /MariaDB/.test(version) ? 'utf8mb4_nopad_bin' : 'utf8mb4_0900_bin',
    sideBySide: alone,
    maxPacket: 1024,
    several: alone,
    prepares: alone,
  });
  expect(flavourOf(version, 1024, variables, false).several).toBe(false);
});
