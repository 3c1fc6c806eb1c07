import type { Mutant } from './mutant.ts'

const clock = ['src/guarantees/wrong-clock.test.ts']
const locks = ['src/database/sqlite/locks.test.ts']
const slow = ['src/server/http/slow-peers.test.ts']
const postgres = ['src/guarantees/postgres-faults.test.ts']
const failover = ['src/guarantees/postgres-failover.test.ts']
const poolers = ['src/database/postgres/server-client.test.ts']

/** The clock, the disk, locks and the line to the database. */
export const faultMutants: readonly Mutant[] = [
  {
    guarantee: 'nothing of a rejected unit of work reaches the next transaction',
    file: 'src/database/postgres/transaction-connection.ts',
    search: "    if (this.#isOver) throw new Error('The transaction is over')\n",
    replacement: '',
    tests: ['src/database/postgres/open-postgres.test.ts'],
    engine: 'postgres',
  },
  {
    guarantee: 'a transaction that PostgreSQL rolled back is not reported as committed',
    file: 'src/database/postgres/transaction-connection.ts',
    search: "if (command !== 'COMMIT') throw",
    replacement: "if (command === '') throw",
    tests: ['src/database/postgres/open-postgres.test.ts'],
    engine: 'postgres',
  },
  {
    guarantee: 'statements at once are waited for before a rollback',
    file: 'src/database/at-once.ts',
    search: 'await Promise.allSettled(parts)',
    replacement: "(await Promise.all(parts)).map((value) => ({ status: 'fulfilled' as const, value }))",
    tests: ['src/database/at-once.test.ts'],
  },
  {
    guarantee: 'ending the sessions of a user reads no others',
    file: 'src/features/session-store/session-store.writes.ts',
    search: "sql<boolean>`coalesce(ended_code, '') = ''`",
    replacement: 'sql<boolean>`ended_code is null`',
    tests: ['src/features/session-store/session-plans.test.ts'],
    engine: 'postgres',
  },
  {
    guarantee: 'signing keys are chosen by validity',
    file: 'src/features/apps/apps.reads.ts',
    search: "    .where('not_before', '<=', now)\n",
    replacement: '',
    tests: clock,
  },
  {
    guarantee: 'a start goes on from the time written down',
    file: 'src/server/clock/stored-time.ts',
    search: 'if (written !== undefined) time.resume(written)',
    replacement: '',
    tests: clock,
  },
  {
    guarantee: 'a session of before the clock was set back is over',
    file: 'src/features/client-api/client-routes.ts',
    search: 'if (session.row.last_heartbeat_at - now > windowMs / 1000)',
    replacement: 'if (now < 0)',
    tests: clock,
  },
  {
    guarantee: 'a pause costs no time when the clock is set back',
    file: 'src/features/entitlements/entitlements.rules.ts',
    search: 'Math.min(paused_at ?? now, now)',
    replacement: 'paused_at ?? now',
    tests: clock,
  },
  {
    guarantee: 'a jump of the clock is rejected',
    file: 'src/server/clock/server-clock.ts',
    search: 'const steadyMs = 600_000',
    replacement: 'const steadyMs = 0',
    tests: ['src/server/clock/server-clock.test.ts'],
  },
  {
    guarantee: 'the main thread never waits inside SQLite',
    file: 'src/database/sqlite/open-sqlite.ts',
    search: '  writer.neverBlock()\n',
    replacement: '',
    tests: locks,
  },
  {
    guarantee: 'one server for each SQLite file',
    file: 'src/database/sqlite/file-lock.ts',
    search: "lock.exec('begin exclusive')",
    replacement: "lock.exec('begin')",
    tests: locks,
  },
  {
    guarantee: 'a download that nobody reads is cut',
    file: 'src/server/http/reply-streams.ts',
    search: 'if (raw.writableLength > 0) raw.destroy()',
    replacement: '',
    tests: slow,
  },
  {
    guarantee: 'a silent listening connection is noticed',
    file: 'src/database/postgres/listen.ts',
    search: '    pinged = true\n',
    replacement: '',
    tests: postgres,
    engine: 'postgres',
  },
  {
    guarantee: 'with a useless connection all of its age are given up',
    file: 'src/database/postgres/limited-pool.ts',
    search: '(openedAt.get(client) ?? Infinity) > uselessAt',
    replacement: 'openedAt.has(client)',
    tests: postgres,
    engine: 'postgres',
  },
  {
    guarantee: 'a connection to a server that only reads is given up',
    file: 'src/database/postgres/preparing-client.ts',
    search: 'serverOnlyReads(error) || ',
    replacement: '',
    tests: postgres,
    engine: 'postgres',
  },
  {
    guarantee: 'what a standby rejects means that the database is away',
    file: 'src/database/unavailable.ts',
    search: ' || serverOnlyReads(error)\n',
    replacement: '\n',
    tests: failover,
    engine: 'postgres',
  },
  {
    guarantee: 'a standby is passed over',
    file: 'src/database/postgres/server-client.ts',
    search: "  if (inRecovery) return 'is a standby'\n",
    replacement: '',
    tests: failover,
    engine: 'postgres',
  },
  {
    guarantee: 'the next server is tried when one fails',
    file: 'src/database/postgres/server-client.ts',
    search: '      this.servers.failed(this.server)\n',
    replacement: '',
    tests: failover,
    engine: 'postgres',
  },
  {
    guarantee: 'a pooler that lends sessions is rejected',
    file: 'src/database/postgres/server-client.ts',
    search: ' || !ofHere.isDisjointFrom(ofThere)',
    replacement: '',
    tests: poolers,
    engine: 'postgres',
  },
  {
    guarantee: 'a server does not start where it cannot have its connections',
    file: 'src/database/postgres/connection-count.ts',
    search: 'if (limit < total) {',
    replacement: 'if (limit < 0) {',
    tests: ['src/database/postgres/connection-count.test.ts'],
    engine: 'postgres',
  },
]
