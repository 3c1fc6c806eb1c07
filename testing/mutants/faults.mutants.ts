import type { Mutant } from './mutant.ts'

const clock = ['src/wrong-clock.test.ts']
const locks = ['src/database/sqlite/locks.test.ts']
const slow = ['src/server/slow-peers.test.ts']
const postgres = ['src/postgres-faults.test.ts']

/** The clock, the disk, locks and the line to the database. */
export const faultMutants: readonly Mutant[] = [
  {
    guarantee: 'signing keys are chosen by validity',
    file: 'src/features/apps/apps.reads.ts',
    search: "    .where('not_before', '<=', now)\n",
    replacement: '',
    tests: clock,
  },
  {
    guarantee: 'a start goes on from the time written down',
    file: 'src/server/written-time.ts',
    search: 'if (written !== undefined) time.resume(written)',
    replacement: '',
    tests: clock,
  },
  {
    guarantee: 'a session of before the clock was set back is over (F27)',
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
    guarantee: 'a jump of the clock is refused',
    file: 'src/server/server-clock.ts',
    search: 'const steadyMs = 600_000',
    replacement: 'const steadyMs = 0',
    tests: ['src/server/server-clock.test.ts'],
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
    guarantee: 'a download that nobody reads is cut (F21)',
    file: 'src/server/call-routes.ts',
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
    guarantee: 'with a useless connection all of its age are given up (F8, F10)',
    file: 'src/database/postgres/limited-pool.ts',
    search: '(openedAt.get(client) ?? Infinity) > uselessAt',
    replacement: 'openedAt.has(client)',
    tests: postgres,
    engine: 'postgres',
  },
  {
    guarantee: 'a connection to a server that only reads is given up (F8)',
    file: 'src/database/postgres/preparing-client.ts',
    search: '(error as { code?: string }).code === readOnlyServer || ',
    replacement: '',
    tests: postgres,
    engine: 'postgres',
  },
]
