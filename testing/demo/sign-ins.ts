import { createHash } from 'node:crypto'
import type { Database, Tx } from '#database/database.ts'
import { clientErrors } from '#features/client-api/client-api.errors.ts'
import { insertLogs, type NewLog } from '#features/logs/logs.writes.ts'
import { requestIds } from '#server/http/request-ids.ts'
import { demoDays } from './days.ts'
import type { DemoApp } from './owners.ts'
import { placeOf } from './places.ts'
import { seededRandom } from './random.ts'
import { type Customer, demoHwidHash } from './stock.ts'

const day = 86_400
const rowsPerStatement = 100
/** Customers who use the program: the latest ones. */
const maxActive = 400

type Rejection = keyof typeof clientErrors

const random = seededRandom(20_250)
const nextRequestId = requestIds({ start: 4_711_471_147, step: 365_147_311_021 })
const digest = (text: string): string => createHash('sha256').update(text).digest('base64url')

/** The last sign-in of each user, by app. */
export type LastSignIns = Map<string, Map<number, number>>

interface Day {
  number: number
  /** Epoch seconds. */
  end: number
  customers: readonly Customer[]
  /** Those of this day, who have signed in to redeem their licenses. */
  fresh: readonly Customer[]
  last: LastSignIns
}

/** What the programs of an app did on one day, counted from 0, which ends at `end` (epoch seconds). */
export async function makeSignIns(tx: Tx, app: DemoApp, { number, end, customers, fresh, last }: Day): Promise<void> {
  if (customers.length === 0) return
  const active = customers.slice(-maxActive)
  const isWeekend = new Date(end * 1000).getUTCDay() % 6 === 0
  const starts = Math.ceil(
    1.5 * Math.sqrt(customers.length) * (isWeekend ? 0.7 : 1) * (0.6 + (0.4 * number) / demoDays),
  )
  const rows: NewLog[] = fresh.map((customer) => signInOf(app.id, customer, customer.since))
  const known = last.get(app.id) ?? new Map()
  last.set(app.id, known)
  for (let start = 0; start < starts; start++) {
    const customer = active[Math.floor(random() * active.length)] as Customer
    const planned = end - day + Math.round(((start + random()) / starts) * day)
    const isLater = customer.since > planned
    const at = isLater ? customer.since + Math.round(random() * (end - customer.since)) : planned
    const row = signIn(app.id, customer, at)
    if (row?.code === '') known.set(customer.id, at)
    if (row) rows.push(row)
  }
  for (let from = 0; from < rows.length; from += rowsPerStatement) {
    await insertLogs(tx.db, rows.slice(from, from + rowsPerStatement))
  }
}

/** A sign-in, or its rejection, as the customer's state at that time requires. */
function signIn(appId: string, customer: Customer, at: number): NewLog | undefined {
  const { username, license, until, banned } = customer
  const isKey = username === license
  if (banned && !isKey) return undefined
  const chance = random()
  const code = banned
    ? 'LICENSE_BANNED'
    : until !== null && until < at
      ? 'SUBSCRIPTION_EXPIRED'
      : rejectionBy(chance, isKey)
  // Most customers whose time has ended don't try.
  if (code === 'SUBSCRIPTION_EXPIRED' && chance > 0.15) return undefined
  return code === undefined ? signInOf(appId, customer, at) : rejectedOf(appId, customer, { at, code })
}

const signInOf = (appId: string, { number, username, license, since }: Customer, at: number): NewLog => ({
  app_id: appId,
  at,
  call: username === license ? 'license' : at === since ? 'register' : 'login',
  code: '',
  message: '',
  username,
  license: username === license || at === since ? license : '',
  hwid_hash: demoHwidHash(number),
  machine_hash: digest(`machine ${number}`),
  ...placeOf(number),
  session: '',
  request: '',
})

function rejectedOf(appId: string, customer: Customer, { at, code }: { at: number; code: Rejection }): NewLog {
  const { number, license } = customer
  const row = {
    ...signInOf(appId, customer, at),
    code,
    message: clientErrors[code].message,
    request: nextRequestId(),
  }
  if (code === 'VERSION_OUTDATED')
    return { ...row, call: 'init', username: '', license: '', hwid_hash: '', machine_hash: '' }
  if (code === 'HWID_MISMATCH')
    return { ...row, hwid_hash: demoHwidHash(-number), machine_hash: digest(`machine ${-number}`) }
  if (code !== 'LICENSE_NOT_FOUND') return row
  return { ...row, username: '', license: `${license.slice(0, -1)}${license.endsWith('0') ? 'O' : '0'}` }
}

function rejectionBy(chance: number, isKey: boolean): Rejection | undefined {
  if (chance < 0.003) return 'HWID_MISMATCH'
  if (chance < 0.03) return isKey ? 'LICENSE_NOT_FOUND' : 'INVALID_CREDENTIALS'
  return chance < 0.05 ? 'VERSION_OUTDATED' : undefined
}

/** Users as their last sign-in left them. */
export async function storeLastSignIns(db: Database, last: LastSignIns): Promise<void> {
  for (const [appId, users] of last) {
    await db.write(async (tx) => {
      for (const [id, at] of users) {
        await tx.db
          .updateTable('users')
          .set({ last_login_at: at })
          .where('app_id', '=', appId)
          .where('id', '=', id)
          .execute()
      }
    })
  }
}
