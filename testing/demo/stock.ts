import { createHash } from 'node:crypto'
import type { Tx } from '#database/database.ts'
import { grantTime } from '#features/entitlements/entitlements.actions.ts'
import { createLicenses, redeemLicense, setLicensesBanned } from '#features/licenses/licenses.actions.ts'
import { createUser } from '#features/users/users.actions.ts'
import type { AppContext } from '#server/audit/audit.ts'
import { demoDays } from './days.ts'
import { ownerContext } from '#testing/people/owner-context.ts'
import type { DemoApp } from './owners.ts'
import { placeOf } from './places.ts'

const day = 86_400
const licensesPerBatch = 4

const batches = [
  { level: 1, notes: '', unit: 'days', duration: 30 },
  { level: 1, notes: 'launch batch', unit: 'months', duration: 3 },
  { level: 2, notes: '', unit: 'years', duration: 1 },
  { level: 2, notes: 'giveaway', unit: 'days', duration: 7 },
  { level: 3, notes: 'early supporter', unit: 'lifetime', duration: 0 },
  { level: 1, notes: '', unit: 'days', duration: 30 },
  { level: 2, notes: '', unit: 'months', duration: 6 },
] as const

const firstNames =
  'marta ana joao lucas k0da j.whitaker sofia pedro liam noah emma olivia rafael bia tiago chen yuki'.split(' ')

/** The stored hash of a customer's hardware ID. */
export const demoHwidHash = (customer: number): string =>
  createHash('sha256').update(`hwid ${customer}`).digest('base64url')

/** A user who redeemed a license. */
export interface Customer {
  id: number
  /** Different for all customers of the demo, and the same in each run. */
  number: number
  /** When the license was redeemed, in epoch seconds. */
  since: number
  username: string
  /** The license, which is also the username of some users. */
  license: string
  /** When the time of the license ends, in epoch seconds; null if never. */
  until: number | null
  banned: boolean
}

/** How many of an app's licenses exist after this many days: each day has more than the one before. */
function countAfter(days: number, licenses: number): number {
  const share = (days * (demoDays + days)) / (demoDays * 2 * demoDays)
  return Math.floor((licenses * share) / licensesPerBatch) * licensesPerBatch
}

/**
 * Creates the licenses of one day, counted from 0, the last one at `end` (epoch seconds). Half of them are redeemed on
 * the same day, and some banned. Returns the new users.
 */
export async function makeStock(
  tx: Tx,
  app: DemoApp,
  { number, end }: { number: number; end: number },
): Promise<Customer[]> {
  const passed = number - app.firstDay
  const first = countAfter(passed, app.licenses)
  const amount = countAfter(passed + 1, app.licenses) - first
  const customers: Customer[] = []
  for (let made = 0; made < amount; made += licensesPerBatch) {
    const at = end - day + Math.round(((made + licensesPerBatch) / amount) * day)
    customers.push(...(await makeBatch(tx, ownerContext(app, at), { first: first + made, app: app.number, end })))
  }
  return customers
}

async function makeBatch(
  tx: Tx,
  context: AppContext,
  { first, app: number, end }: { first: number; app: number; end: number },
): Promise<Customer[]> {
  const batch = batches[((first / licensesPerBatch) * 3 + number) % batches.length] as (typeof batches)[number]
  const spec = {
    amount: licensesPerBatch,
    mask: '####-####-####-####',
    lowercase: true,
    uppercase: true,
    level: batch.level,
    notes: batch.notes,
    expiryUnit: batch.unit,
    duration: batch.duration,
  }
  const keys = await createLicenses(tx, context, { spec, issuer: { name: null, resellerId: null } })
  const customers: Customer[] = []
  for (const [index, license] of keys.entries()) {
    if (index % 2 === 1) continue
    const place = first + index
    const now = Math.min(end, context.now + ((place * 977) % 7200))
    const customer = await redeem(tx, { ...context, now }, { license, place, number: number * 10_007 + place })
    if (customer) customers.push(customer)
  }
  return customers
}

/** Every sixth customer signs in with only the license key; every fortieth license is banned. */
async function redeem(
  tx: Tx,
  { app, now }: AppContext,
  { license, place, number }: { license: string; place: number; number: number },
): Promise<Customer | undefined> {
  const appId = app.id
  const name = `${firstNames[(place / 2) % firstNames.length]}${place > 60 ? place : ''}`
  const username = place % 6 === 0 ? license : name
  const email = username === license ? '' : `${name}@example.com`
  const signIn = { ip: placeOf(number).ip, hwidHash: demoHwidHash(number) }
  const user = await createUser(tx, { appId, username, passwordHash: null, email, signIn, now })
  const redeemed = user && (await redeemLicense(tx, { appId, license, usedBy: username, userId: user.id, now }))
  if (!user || !redeemed) return undefined
  const { id, level, duration_seconds: seconds } = redeemed
  await grantTime(tx, { appId, userId: user.id, now, level, seconds, licenseId: id })
  const banned = place % 40 === 0
  if (banned) await setLicensesBanned(tx, { appId, ids: [id], banned: true, now })
  const until = seconds === null ? null : now + Number(seconds)
  return { id: user.id, number, since: now, username, license, until, banned }
}
