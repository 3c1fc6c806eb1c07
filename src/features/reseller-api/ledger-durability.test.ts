import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { type Database } from '#database/database.ts'
import { openDatabase } from '#database/open-database.ts'
import { verifyLedger } from '#features/resellers/verify-ledger.ts'
import { goodPassword } from '#testing/people/people.ts'
import { freshPostgresUrl } from '#testing/servers/postgres.ts'
import { resellerPassword } from '#testing/people/resellers.ts'
import { type ServerProcess, startServerProcess } from '#testing/servers/server-process.ts'
import { testEngine } from '#testing/start-test-app.ts'
import { type Answer, Visitor } from '#testing/people/visitor.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'signet-ledger-'))
let server: ServerProcess | undefined

afterAll(async () => {
  await server?.killHard()
  rmSync(dataDir, { recursive: true, force: true })
})

const appName = 'Sold'
const price = 5
const perSale = 3
const credits = 1_000_000
const workers = 4
const username = 'seller'

/** A request that can be repeated unchanged. */
interface LedgerCall {
  method: 'POST' | 'DELETE'
  path: string
  body?: object
  key: string
}

/** The responses a worker received, and the request that got none. */
interface Journal {
  sold: string[]
  refunded: string[]
  unanswered: LedgerCall | undefined
}

const send = (visitor: Visitor, { method, path, body, key }: LedgerCall): Promise<Answer> =>
  visitor.send(method, `/api/1.0/website/reseller/licenses${path}`, { body, headers: { 'idempotency-key': key } })

const saleOf = (): LedgerCall => ({
  method: 'POST',
  path: '/create',
  body: { appName, plan: '30', amount: perSale },
  key: randomUUID(),
})
const refundOf = (license: string): LedgerCall => ({
  method: 'DELETE',
  path: `/${encodeURIComponent(license)}?appName=${appName}`,
  key: randomUUID(),
})

function record(journal: Journal, sent: LedgerCall, { body }: Answer): void {
  if (sent.method === 'POST') journal.sold.push(...(body['licenses'] as string[]))
  else journal.refunded.push(decodeURIComponent(sent.path.slice(1).split('?')[0] as string))
}

/** Sells, and refunds one license of each sale, until the server is down. */
async function work(visitor: Visitor): Promise<Journal> {
  const journal: Journal = { sold: [], refunded: [], unanswered: undefined }
  for (let turn = 0; ; turn += 1) {
    const next = turn % 2 === 0 ? saleOf() : refundOf(journal.sold.at(-1) as string)
    let answer: Answer
    try {
      answer = await send(visitor, next)
    } catch {
      return { ...journal, unanswered: next }
    }
    expect([answer.status, answer.body.code ?? '']).toEqual([200, expect.stringMatching(/_OK$/)])
    record(journal, next, answer)
  }
}

async function signIn({ url }: ServerProcess, name: string, password: string): Promise<Visitor> {
  const visitor = new Visitor(url)
  expect((await visitor.call('POST /login', { body: { username: name, password } })).status).toBe(200)
  return visitor
}

async function setUpSeller(running: ServerProcess): Promise<void> {
  const owner = await signIn(running, 'durable', goodPassword)
  await owner.call('POST /create_app', { body: { appName } })
  await owner.call('POST /create_subscription', { body: { level: 1, name: 'Basic', active: true } })
  const made = await owner.call('POST /resellers/create', { body: { username } })
  const { registrationToken, reseller } = made.body
  const config = { appName, credits, allowedPlans: ['30'], planCosts: { '30': price } }
  await owner.call('POST /resellers/{id}/apps', { params: { id: reseller.id }, body: config })
  const form = { email: 'seller@example.com', password: resellerPassword }
  const setUp = await new Visitor(running.url).call('POST /reseller/setup/{registrationToken}', {
    params: { registrationToken },
    body: form,
  })
  expect(setUp.status).toBe(200)
}

const licensesIn = async (db: Database): Promise<Set<string>> =>
  new Set((await db.reports.selectFrom('licenses').select('license').execute()).map(({ license }) => license))

test(
  'kill -9 during sales and refunds loses none that was confirmed, and one sent again counts once (R-LED-01, R-LED-07)',
  { timeout: 240_000 },
  async () => {
    const environment: Record<string, string> = {
      DATA_DIR: dataDir,
      ADMIN_USERNAME: 'durable',
      ADMIN_PASSWORD: goodPassword,
      ADMIN_EMAIL: 'durable@example.com',
    }
    if (testEngine === 'postgres') environment['DATABASE_URL'] = await freshPostgresUrl()
    const openBeside = () =>
      openDatabase({ databaseUrl: environment['DATABASE_URL'], dataDir, sources: [], shared: true })
    server = await startServerProcess(environment)
    await setUpSeller(server)

    let expected = 0
    for (const killAfter of [40, 70, 100]) {
      const visitor = await signIn(server, username, resellerPassword)
      const working = Array.from({ length: workers }, () => work(visitor))
      const enough = visitor.answered + killAfter
      while (visitor.answered < enough) await new Promise((resolve) => setTimeout(resolve, 5))
      await server.killHard()
      const journals = await Promise.all(working)

      server = await startServerProcess(environment)
      const db = await openBeside()
      const sold = journals.flatMap((journal) => journal.sold)
      const refunded = new Set(journals.flatMap((journal) => journal.refunded))
      const inDoubt = journals.map(({ unanswered }) => unanswered?.path ?? '').join()
      const there = await licensesIn(db)
      expect(await verifyLedger(db)).toEqual([])
      expect(sold.filter((key) => !there.has(key) && !refunded.has(key) && !inDoubt.includes(key))).toEqual([])
      expect([...refunded].filter((key) => there.has(key))).toEqual([])
      // Three keys were created together or not at all, and refunds are complete.
      expect(refunded.size).toBeGreaterThan(0)

      // Workers that got no response repeat the request.
      const again = await signIn(server, username, resellerPassword)
      for (const journal of journals) {
        if (!journal.unanswered) continue
        const answer = await send(again, journal.unanswered)
        expect([answer.status, journal.unanswered.method]).toEqual([200, journal.unanswered.method])
        record(journal, journal.unanswered, answer)
      }
      expected += journals.reduce((sum, each) => sum + each.sold.length - each.refunded.length, 0)
      expect((await licensesIn(db)).size).toBe(expected)
      const { body } = await again.call('GET /reseller/credits', { query: { appName } })
      expect(body.credits).toBe(credits - expected * price)
      expect(await verifyLedger(db)).toEqual([])
      await db.close()
    }
  },
)
