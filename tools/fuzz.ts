import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { parseArgs } from 'node:util'
import type { PostgresServer } from '#testing/servers/postgres-server.ts'
import { SeededRandom } from '../bench/seeded-random.ts'

/**
 * `npm run fuzz -- [--requests 100000] [--engine sqlite|postgres] [--seed N]`: sends generated requests to all calls of
 * the contracts and of the client API of a real server. Failures are a 5xx reply, a reply that does not match its
 * content type, and a connection that closes without a reply; each is reported with its request. The same seed sends
 * the same requests.
 */
const { values: options } = parseArgs({
  options: {
    requests: { type: 'string', default: '100000' },
    engine: { type: 'string', default: 'sqlite' },
    seed: { type: 'string', default: String(Date.now() % 1e9) },
  },
})
const requests = Number(options.requests)
const seed = Number(options.seed)
/** Then a new caller is used, because a caller's own calls may sign it out or ban it. */
const requestsPerCaller = 100
const parallel = 4
const maxShown = 20
const failuresFile = 'test-results/fuzz-failures.json'

process.env['TEST_ENGINE'] = options.engine
let postgres: PostgresServer | undefined
if (options.engine === 'postgres') {
  const { startPostgres } = await import('#testing/servers/postgres-server.ts')
  postgres = await startPostgres()
  process.env['TEST_POSTGRES_URL'] = postgres.url
}
// These modules read the engine when they are imported.
const { startTestApp } = await import('#testing/start-test-app.ts')
const { fuzzTargets } = await import('./fuzz/targets.ts')

const app = await startTestApp({ clockRuns: true })
const random = new SeededRandom(seed)
const targets = fuzzTargets(app)
const statuses = new Map<number, number>()
const failures: { target: string; input: unknown; problem: string }[] = []
let sent = 0
console.log(`${requests} requests to ${targets.length} calls on ${options.engine}, --seed ${seed}`)

try {
  const rounds = Math.ceil(requests / requestsPerCaller)
  for (let round = 0; round < rounds; round++) {
    const target = targets[round % targets.length]
    if (!target) throw new Error('There is no call to send requests to')
    const { next } = await target.open()
    const count = Math.min(requestsPerCaller, requests - round * requestsPerCaller)
    for (let done = 0; done < count; done += parallel) {
      const batch = Array.from({ length: Math.min(parallel, count - done) }, () => next(random))
      await Promise.all(
        batch.map(async ({ input, send }) => {
          const outcome = await send().then(
            ({ status, body }) => ({ status, problem: status >= 500 ? `${status} ${JSON.stringify(body)}` : '' }),
            (error: unknown) => ({ status: 0, problem: `no reply: ${describe(error)}` }),
          )
          sent += 1
          statuses.set(outcome.status, (statuses.get(outcome.status) ?? 0) + 1)
          if (outcome.status === 429) app.advance(61)
          if (outcome.problem === '') return
          failures.push({ target: target.name, input, problem: outcome.problem })
          if (failures.length <= maxShown) console.log(`FAIL ${target.name}: ${outcome.problem.slice(0, 300)}`)
        }),
      )
    }
    if (round % 100 === 99) console.log(`${sent} sent, ${failures.length} failures`)
  }
} finally {
  await app.close().catch((error: unknown) => {
    failures.push({ target: 'the server at its end', input: null, problem: describe(error) })
    console.log(`FAIL at the end: ${describe(error)}`)
  })
  await postgres?.stop()
}

mkdirSync(dirname(failuresFile), { recursive: true })
writeFileSync(failuresFile, JSON.stringify({ seed, failures }, null, 1))
const byStatus = [...statuses].toSorted(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`)
console.log(`replies by status: ${byStatus.join(', ')}`)
if (failures.length > 0) console.log(`Written down in ${failuresFile}`)
console.log(`${sent} requests, ${failures.length} failures, --seed ${seed}`)
process.exitCode = failures.length === 0 && sent >= requests ? 0 : 1

function describe(error: unknown): string {
  const { message, cause } = error as Error
  return cause instanceof Error ? `${message}: ${cause.message}` : message
}
