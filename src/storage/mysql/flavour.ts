// The differences between the servers with the protocol of MySQL, detected when a pool is opened.
import type { Bound } from '../sql/connection.js';

/** Type and limits of a server. */
export interface MysqlFlavour {
  mariadb: boolean;
  collation: string;
  /** Whether its row locks hold for every writer: not in a cluster in which several nodes write. */
  sideBySide: boolean;
  /** Bytes of the largest statement (max_allowed_packet). */
  maxPacket: number;
  /** Whether several statements may be sent in one query text. */
  several: boolean;
  /** Whether statements may be prepared in a transaction. */
  prepares: boolean;
}

/** Variables of servers in which several nodes write: Galera, Group Replication without a primary, TiDB. */
const SEVERAL_WRITERS: Readonly<Record<string, RegExp>> = {
  wsrep_on: /^(ON|1)$/i,
  group_replication_single_primary_mode: /^(OFF|0)$/i,
  tidb_txn_mode: /./,
};
const NAMES = Object.keys(SEVERAL_WRITERS).map((name) => `'${name}'`);

/** Statement that reads the variables `flavourOf` needs. */
export const CLUSTER_VARIABLES = `SHOW GLOBAL VARIABLES WHERE Variable_name IN (${NAMES.join(', ')})`;

/**
 * The flavour of a server, from its version, its `max_allowed_packet`, the rows of `CLUSTER_VARIABLES`, and whether it
 * accepts several statements in one text (a proxy may not).
 *
 * Where several nodes write, each statement is sent alone and as text. Galera ends a transaction when a write of another
 * node conflicts with it; when that happens between two statements of one text, or before a statement is prepared, MariaDB
 * continues with the next one outside the transaction, and reports success for the COMMIT of the lost writes.
 */
export function flavourOf(
  version: string,
  maxPacket: number,
  variables: readonly (readonly Bound[])[],
  takesSeveral: boolean,
): MysqlFlavour {
  const cluster = variables.some(([name, value]) => SEVERAL_WRITERS[String(name)]?.test(String(value)));
  const mariadb = /mariadb/i.test(version);
  const collation = mariadb ? 'utf8mb4_nopad_bin' : 'utf8mb4_0900_bin';
  return { mariadb, collation, sideBySide: !cluster, maxPacket, several: takesSeveral && !cluster, prepares: !cluster };
}
