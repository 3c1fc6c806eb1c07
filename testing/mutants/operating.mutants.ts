import type { Mutant } from './mutant.ts'

const server = 'src/server'
const status = 'src/features/status'

/** What operators and proxies rely on: stopping, readiness, figures and logs. */
export const operatingMutants: readonly Mutant[] = [
  {
    guarantee: 'a stop begins after the drain',
    file: `${server}/process/stop-on-signals.ts`,
    search: 'await pause(drainSeconds * 1000, draining.signal)',
    replacement: '',
    tests: ['src/guarantees/stopping.test.ts'],
  },
  {
    guarantee: 'a server that drains is not ready',
    file: `${server}/http/health.ts`,
    search: "if (services.readiness.isDraining) return reply.code(503).send({ status: 'stopping' })",
    replacement: '',
    tests: ['src/guarantees/stopping.test.ts'],
  },
  {
    guarantee: 'replies of a server that drains end their connections',
    file: `${server}/http/raw-routes.ts`,
    search: 'if (services.readiness.isDraining) response.shouldKeepAlive = false',
    replacement: '',
    tests: ['src/guarantees/stopping.test.ts'],
  },
  {
    guarantee: 'SIGINT skips the drain',
    file: `${server}/process/stop-on-signals.ts`,
    search: "signal === 'SIGTERM' && drainSeconds > 0",
    replacement: 'drainSeconds > 0',
    tests: ['src/guarantees/stopping.test.ts'],
  },
  {
    guarantee: 'a silent mail server holds no stop',
    file: `${server}/mail/mail.ts`,
    search: 'AbortSignal.any([AbortSignal.timeout(services.mailTimeoutMs * maxAnswerTimes), services.stopSignal])',
    replacement: 'AbortSignal.timeout(services.mailTimeoutMs * maxAnswerTimes)',
    tests: ['src/guarantees/stopping.test.ts'],
  },
  {
    guarantee: 'a job that a stop cuts off is handed back without a lost attempt',
    file: `${server}/jobs/job-claims.ts`,
    search: 'for (const claim of this.#running) this.#handedBack.add(claim)',
    replacement: '',
    tests: ['src/guarantees/stopping.test.ts'],
  },
  {
    guarantee: 'a line of the log has the route and not the address',
    file: `${server}/http/build-server.ts`,
    search: 'path: routeOptions.url,',
    replacement: "path: routeOptions.url && '/api/1.0/website/resellers/by-username/Canary7-of-an-address',",
    tests: [`${server}/http/access-log.test.ts`],
  },
  {
    guarantee: 'requests of programs are logged too',
    file: `${server}/http/raw-routes.ts`,
    search: 'accessLog?.begin(request, response)',
    replacement: "if (request.method === 'GET') accessLog?.begin(request, response)",
    tests: [`${server}/http/access-log.test.ts`],
  },
  {
    guarantee: 'the log has the network of an address alone (R-PII-01)',
    file: `${server}/http/access-log.ts`,
    search: 'if (retentionDays === 0 || !ipaddr.isValid(ip)) return ip',
    replacement: 'if (retentionDays >= 0 || !ipaddr.isValid(ip)) return ip',
    tests: [`${server}/http/access-log.test.ts`],
  },
  {
    guarantee: 'a repeated failure is one line a second',
    file: `${server}/log/repeated-lines.ts`,
    search: 'line.repeats += 1\n',
    replacement: 'line.repeats += 1\n      write.apply(logger, args)\n',
    tests: [`${server}/http/access-log.test.ts`],
  },
  {
    guarantee: 'a full disk is not ready',
    file: `${server}/http/health.ts`,
    search: 'if (db.writes.problem) return reply.code(503).send({ status: db.writes.problem })',
    replacement: '',
    tests: [`${status}/storage.test.ts`],
  },
  {
    guarantee: 'a transaction that changes nothing does not prove that the disk has room',
    file: 'src/database/sqlite/open-sqlite.ts',
    search: 'if (writes.problem && writer.changedRows !== changesAtFailure) writes.succeeded()',
    replacement: 'if (writes.problem) writes.succeeded()',
    tests: [`${status}/storage.test.ts`],
  },
  {
    guarantee: 'damaged pages are found',
    file: 'src/database/integrity.ts',
    search: "filter((text) => text !== 'ok')",
    replacement: "filter((text) => text === '')",
    tests: [`${status}/storage.test.ts`],
  },
  {
    guarantee: 'a key file with another key is noticed',
    file: `${server}/status/storage.ts`,
    search: 'return MasterKey.read(config.masterKeyFile).derive(purpose).equals(masterKey.derive(purpose))',
    replacement: 'return MasterKey.read(config.masterKeyFile).derive(purpose).length > 0',
    tests: [`${status}/storage.test.ts`],
  },
  {
    guarantee: 'a part of the pre-release chain is not taken for all of it',
    file: 'src/database/migrations/pre-release.ts',
    search: 'if (number === chain.ends.number && name === chain.ends.name) return true',
    replacement: 'if (number <= chain.ends.number) return true',
    tests: ['src/database/migrate.test.ts'],
  },
  {
    guarantee: 'a backup with the numbers of the pre-release chain is restored as one of the first release',
    file: 'src/operating/read-backup.ts',
    search: '{ ...head, migration: numberOfPreReleaseBackup(head.migration) }',
    replacement: 'head',
    tests: ['src/operating/older-backup.test.ts'],
  },
  {
    guarantee: 'a backup leaves a database of another version as it is',
    file: 'src/operating/make-backup.ts',
    search: 'if (snapshot.isUpToDate) await writeDown',
    replacement: 'await writeDown',
    tests: ['src/operating/older-backup.test.ts'],
  },
]
