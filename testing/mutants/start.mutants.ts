import type { Mutant } from './mutant.ts'

const server = 'src/server'
const databaseKey = ['src/guarantees/master-key-of-database.test.ts']
const signs = ['src/database/postgres/server-heartbeats.test.ts']

/** Which key a database takes, who may replace the database, and what a failed start leaves. */
export const startMutants: readonly Mutant[] = [
  {
    guarantee: 'a server does not start with a key that is not the key of its database (R-SEC-01)',
    file: `${server}/secrets/open-master-key.ts`,
    search: 'if (masterKey.checkValue !== checkValue) throw masterKeyWrong(file)',
    replacement: 'if (masterKey.checkValue.length !== checkValue.length) throw masterKeyWrong(file)',
    tests: databaseKey,
  },
  {
    guarantee: 'no new key is created for a database that was sealed before check values',
    file: `${server}/secrets/open-master-key.ts`,
    search: 'const isNew = !sealed && MasterKey.create(file)',
    replacement: 'const isNew = MasterKey.create(file)',
    tests: databaseKey,
  },
  {
    guarantee: 'a key proves itself by what it has sealed before its check value is recorded',
    file: `${server}/secrets/open-master-key.ts`,
    search: 'if (sealed && !sealed.isSealedBy(masterKey)) throw masterKeyWrong(file)',
    replacement: '',
    tests: databaseKey,
  },
  {
    guarantee: 'of two first starts the one that was second leaves no key behind',
    file: `${server}/secrets/open-master-key.ts`,
    search: '  rmSync(file)\n',
    replacement: '',
    tests: databaseKey,
  },
  {
    guarantee: 'a recorded check value of a key is never replaced',
    file: `${server}/secrets/installation.ts`,
    search: "      .where('master_key_check', 'is', null)\n",
    replacement: '',
    tests: databaseKey,
  },
  {
    guarantee: 'a restore sees a server that has lost its lock',
    file: 'src/database/copy/postgres-copy.ts',
    search: '    await rejectRunningServers(client, wait)\n',
    replacement: '',
    tests: signs,
    engine: 'postgres',
  },
  {
    guarantee: 'a copy to PostgreSQL sees a server that has lost its lock',
    file: 'src/database/copy/postgres-filling.ts',
    search: '      await rejectRunningServers(client, wait)\n',
    replacement: '',
    tests: ['src/operating/move-to-postgres.test.ts'],
    engine: 'postgres',
  },
  {
    guarantee: 'a server renews its sign of life',
    file: 'src/database/postgres/server-heartbeats.ts',
    search: 'set renewals = server_processes.renewals + 1,',
    replacement: 'set renewals = server_processes.renewals,',
    tests: signs,
    engine: 'postgres',
  },
  {
    guarantee: 'a server that starts during a restore waits for its end',
    file: 'src/database/postgres/server-heartbeats.ts',
    search: '    await waitForExclusiveClaim(client)\n',
    replacement: '',
    tests: signs,
    engine: 'postgres',
  },
  {
    guarantee: 'the port is taken before the database is opened',
    file: 'src/main.ts',
    search: '  await waiting.start()\n',
    replacement: '',
    tests: ['src/guarantees/start.test.ts'],
  },
  {
    guarantee: 'what the server creates is for its own user alone',
    file: `${server}/process/umask.ts`,
    search: 'process.umask(0o077)',
    replacement: 'process.umask(0o022)',
    tests: ['src/guarantees/start.test.ts'],
  },
  {
    guarantee: 'a database that everyone can read is closed to others at the next start',
    file: 'src/database/sqlite/file-mode.ts',
    search: 'chmodSync(file + ending, 0o600)',
    replacement: 'chmodSync(file + ending, 0o644)',
    tests: ['src/database/sqlite/file-mode.test.ts'],
  },
  {
    guarantee: 'no server goes on with a SQLite database that was moved to PostgreSQL',
    file: 'src/database/migrate.ts',
    search: '    rejectMoved(connection)\n',
    replacement: '',
    tests: ['src/operating/move-to-postgres.test.ts'],
    engine: 'postgres',
  },
  {
    guarantee: 'a copy to PostgreSQL that fails leaves no mark',
    file: 'src/operating/move-to-postgres.ts',
    search: '        moved = await copy(snapshot, filling, onTable)\n',
    replacement: '        mark(file, databaseUrl)\n        moved = await copy(snapshot, filling, onTable)\n',
    tests: ['src/operating/move-to-postgres.test.ts'],
    engine: 'postgres',
  },
  {
    guarantee: 'a misspelled setting is reported',
    file: 'src/server/config/unknown-settings.ts',
    search: '    .filter((name) => !known.has(name) && !ofOthers.test(name))\n    .map',
    replacement: '    .filter((name) => !known.has(name) && ofOthers.test(name))\n    .map',
    tests: ['src/server/config/unknown-settings.test.ts'],
  },
  {
    guarantee: 'a default plan that does not exist is reported',
    file: 'src/features/plans/default-plan.ts',
    search: '  if (await findPlan(db.read, defaultPlan)) return\n',
    replacement: '  if (defaultPlan) return\n',
    tests: ['src/features/plans/default-plan.test.ts'],
  },
  {
    guarantee: 'a full disk of the log holds nothing up',
    file: 'src/server/log/log-output.ts',
    search: 'if (error) this.#lose(lines, error.message)',
    replacement: 'if (error) throw error',
    tests: ['src/server/log/log-output.test.ts'],
  },
]
