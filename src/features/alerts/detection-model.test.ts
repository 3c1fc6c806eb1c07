import type { Insertable } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { LogsTable } from '#features/logs/logs.table.ts'
import { newOwnerWithApp } from '#testing/people/people.ts'
import { keepSignedIn } from '#testing/platform.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { type AlertType, standardThreshold } from './alerts.rules.ts'
import { detect } from './detection.ts'

/** Random activity, scanned as it comes, against the table in docs/alerts.md read word by word. */
let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

type Row = Insertable<LogsTable> & Record<'code' | 'username' | 'license' | 'ip' | 'hwid_hash' | 'country', string>

interface Rule {
  per: 'ip' | 'hwid_hash' | 'username' | 'license'
  /** What a row counts for. */
  counts: (row: Row, number: number) => string[]
  also?: (rows: readonly Row[]) => boolean
}

const isRight = ({ code }: Row) => ['', 'HWID_MISMATCH', 'USER_BANNED', 'SUBSCRIPTION_EXPIRED'].includes(code)
const ofSignIns = (name: 'ip' | 'hwid_hash' | 'country') => (row: Row) => (row.code === '' ? [row[name]] : [])
const rowsWith = (code: string) => (row: Row, number: number) => (row.code === code ? [String(number)] : [])

const rules = {
  IP_MULTI_KEY: { per: 'ip', counts: (row) => (isRight(row) ? [row.username] : []) },
  HWID_MULTI_KEY: { per: 'hwid_hash', counts: (row) => (isRight(row) ? [row.username] : []) },
  LOADER_HASH_MISMATCH: { per: 'ip', counts: rowsWith('HASH_MISMATCH') },
  HWID_CHANGED: {
    per: 'username',
    counts: (row) => (row.code === 'HWID_MISMATCH' ? [row.hwid_hash, 'bound'] : ofSignIns('hwid_hash')(row)),
  },
  IP_CHANGED_COUNTRY: { per: 'username', counts: ofSignIns('country') },
  RAPID_IP_CHANGE: { per: 'username', counts: ofSignIns('ip') },
  EXPIRED_STILL_TRYING: { per: 'username', counts: rowsWith('SUBSCRIPTION_EXPIRED') },
  LICENSE_TRANSFER: {
    per: 'license',
    counts: ofSignIns('hwid_hash'),
    also: (rows) => new Set(rows.map(({ ip }) => ip)).size > 1,
  },
} satisfies Partial<Record<AlertType, Rule>>
const types = Object.keys(rules) as (keyof typeof rules)[]

type Limits = Map<AlertType, Pick<ReturnType<typeof standardThreshold>, 'threshold' | 'windowSeconds'>>

function expectedFindings(rows: readonly Row[], limits: Limits): string[] {
  return types.flatMap((type) => {
    const { per, counts, also = () => true }: Rule = rules[type]
    const { threshold, windowSeconds } = limits.get(type) ?? standardThreshold(type)
    const counted = rows.map((row, number) => ({ row, values: counts(row, number).filter(Boolean) }))
    const byKey = Map.groupBy(
      counted.filter(({ row, values }) => row[per] !== '' && values.length > 0),
      ({ row }) => row[per],
    )
    const isBusy = (of: typeof counted, from: number) => {
      const within = of.filter(({ row }) => row.at >= from && row.at <= from + windowSeconds)
      const different = new Set(within.flatMap(({ values }) => values))
      return different.size >= threshold && also(within.map(({ row }) => row))
    }
    return [...byKey].flatMap(([key, of]) => (of.some(({ row }) => isBusy(of, row.at)) ? [`${type} ${key}`] : []))
  })
}

/** Seeded random numbers, the same in every run. */
function random(seed: number) {
  let state = seed * 7919
  const dice = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  return { dice, pick: <T>(all: readonly T[]): T => all[dice(all.length)] as T }
}

const codes = ['', '', '', 'HWID_MISMATCH', 'SUBSCRIPTION_EXPIRED', 'HASH_MISMATCH', 'LICENSE_NOT_FOUND', 'USER_BANNED']

test.each([1, 2, 3])('activity raises exactly the alerts of its rules, once (seed %i)', async (seed) => {
  const { dice, pick } = random(seed)
  const owner = await newOwnerWithApp(app)
  await keepSignedIn(app, owner)
  const { visitor, appId } = owner
  const rows: Row[] = []
  const limits: Limits = new Map()
  const found = new Set<string>()
  const pace = [30, 3000, 20_000][seed % 3] as number
  const alertsOf = () =>
    app.db.read.selectFrom('alerts').selectAll().where('app_id', '=', appId).orderBy('id').execute()
  const name = (prefix: string) => pick(['', ...Array.from({ length: 8 }, (_, n) => `${prefix}${n}`)])
  const newRow = (): Row => ({
    app_id: appId,
    at: app.now(),
    call: 'login',
    message: '',
    session: '',
    code: pick(codes),
    username: name('u'),
    license: name('L'),
    hwid_hash: name('h'),
    ip: `10.0.0.${dice(8)}`,
    country: pick(['', 'BR', 'BR', 'US']),
  })
  for (let step = 0; step < 10; step++) {
    for (let n = dice(12); n > 0; n--) {
      app.advance(dice(pace))
      rows.push(newRow())
      await app.db.write(({ db }) =>
        db
          .insertInto('logs')
          .values(rows.at(-1) as Row)
          .execute(),
      )
    }
    if (step % 3 === 2) {
      const change = { type: pick(types), threshold: 2 + dice(4), windowSeconds: pick([60, 3600, 86_400]) }
      expect((await visitor.call('POST /alerts/thresholds', { body: change })).status).toBe(200)
      limits.set(change.type, change)
    }
    const decided = (await alertsOf()).filter(({ status }) => status !== 'new')
    await detect(app.services, appId)
    for (const finding of expectedFindings(rows, limits)) found.add(finding)
    const alerts = await alertsOf()
    expect(new Set(alerts.map(({ fingerprint }) => fingerprint))).toEqual(found)
    expect(alerts).toEqual(expect.arrayContaining(decided))
    const fresh = alerts.filter(({ status }) => status === 'new')
    expect(new Set(fresh.map(({ fingerprint }) => fingerprint)).size).toBe(fresh.length)
    const [some] = fresh
    if (some) await visitor.call('POST /alerts/{id}/review', { params: { id: some.id }, body: {} })
    expect(await detect(app.services, appId)).toBe(0)
  }
})
