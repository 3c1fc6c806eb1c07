import type { Database, Tx } from '#database/database.ts'
import { createAccount } from '#features/accounts/accounts.actions.ts'
import { createApp } from '#features/apps/apps.actions.ts'
import { grantByLicense } from '#features/entitlements/entitlements.actions.ts'
import { createLevel } from '#features/levels/levels.actions.ts'
import { createLicenses, redeemLicense, setLicensesBanned } from '#features/licenses/licenses.actions.ts'
import { createUser } from '#features/users/users.actions.ts'
import type { AccountActor, AppScope } from '#server/audit/actors.ts'
import type { AppContext } from '#server/audit/audit.ts'
import type { MasterKey } from '#server/secrets/master-key.ts'
import { seedActivity } from './seed-activity.ts'
import { ageLicenses } from './seed-ages.ts'

const day = 86_400

const owners = [
  {
    username: 'marina',
    displayName: 'Marina Vidal',
    apps: ['Prism Studio', 'Prism Render', 'Prism Capture', 'Prism Lite'],
  },
  {
    username: 'northwind',
    displayName: 'Northwind Tools',
    apps: ['Batch Renamer', 'Log Lens', 'Disk Atlas', 'Port Watch'],
  },
  {
    username: 'kestrel',
    displayName: 'Kestrel Audio',
    apps: ['Kestrel EQ', 'Kestrel Gate', 'Tape Deck', 'Loop Garden'],
  },
]

/** Licenses by app, largest first: 20,000 over the twelve apps. */
const amounts = [8000, 3000, 2000, 500, 1500, 1200, 800, 400, 1200, 900, 400, 100]
const batches = [
  { level: 1, notes: '', unit: 'days', duration: 30 },
  { level: 1, notes: 'launch batch', unit: 'months', duration: 1 },
  { level: 2, notes: '', unit: 'years', duration: 1 },
  { level: 2, notes: 'giveaway', unit: 'days', duration: 7 },
  { level: 3, notes: 'early supporter', unit: 'lifetime', duration: 0 },
] as const

const licensesPerTransaction = 500
const licensesPerBatch = 4
const firstNames =
  'marta ana joao lucas k0da j.whitaker sofia pedro liam noah emma olivia rafael bia tiago chen yuki'.split(' ')

export async function isEmptyPlatform(db: Database): Promise<boolean> {
  return (await db.read.selectFrom('accounts').select('id').limit(1).executeTakeFirst()) === undefined
}

/**
 * 3 owners, 12 apps and 20,000 licenses, or at most `maxLicenses` per app; about half of them redeemed, some banned,
 * with a month of programs' activity.
 * `now` in epoch seconds.
 */
export async function fillPlatform(
  db: Database,
  masterKey: MasterKey,
  { passwordHash, now, maxLicenses = Infinity }: { passwordHash: string; now: number; maxLicenses?: number },
): Promise<{ owners: string[]; apps: number; licenses: number; users: number }> {
  let apps = 0
  let licenses = 0
  let users = 0
  for (const owner of owners) {
    const email = `${owner.username}@example.com`
    const account = await db.write((tx) => createAccount(tx, { ...owner, email, passwordHash }, now - 200 * day))
    await db.write((tx) => tx.db.updateTable('accounts').set({ plan: 'Pro' }).where('id', '=', account.id).execute())
    for (const name of owner.apps) {
      const amount = Math.min(maxLicenses, amounts[apps++] ?? 100)
      const app = await db.write((tx) =>
        seedApp(tx, masterKey, { ownerId: account.id, name, now: now - 180 * day + apps }),
      )
      const context = seedContext(app, now)
      for (let made = 0; made < amount; made += licensesPerTransaction) {
        const size = Math.min(licensesPerTransaction, amount - made)
        users += await db.write((tx) => seedLicenses(tx, { context, app: apps, first: made, size }))
        licenses += size
      }
      await db.write((tx) => ageLicenses(tx, app.id, now))
      await db.write((tx) => seedActivity(tx, app.id, now))
    }
  }
  return { owners: owners.map(({ username }) => username), apps, licenses, users }
}

async function seedApp(
  tx: Tx,
  masterKey: MasterKey,
  { ownerId, name, now }: { ownerId: string; name: string; now: number },
): Promise<AppScope> {
  const context = seedContext({ id: '', ownerId, name }, now)
  const { id } = await createApp(tx, { ...context, services: { masterKey } }, { appName: name, version: '2.4.1' })
  const app = { id, ownerId, name }
  // Every app has level 1, "Basic", from the start.
  for (const [index, level] of ['Pro', 'Founder'].entries()) {
    await createLevel(tx, seedContext(app, now), { level: index + 2, name: level, active: true })
  }
  return app
}

/** The owner as the actor in the audit log. */
const seedContext = (app: AppScope, now: number): AppContext & { actor: AccountActor } => ({
  actor: { type: 'owner', id: app.ownerId, username: '', sessionHash: '', verifiedAt: 0, selectedAppId: null },
  app,
  now,
  caller: { ip: '127.0.0.1', requestId: 'seed' },
})

async function seedLicenses(
  tx: Tx,
  { app, size, ...batchOf }: { context: AppContext; app: number; first: number; size: number },
): Promise<number> {
  let users = 0
  for (let made = 0; made < size; made += licensesPerBatch) {
    const first = batchOf.first + made
    const batch = batches[((first / licensesPerBatch) * 7 + app) % batches.length] as (typeof batches)[number]
    users += await seedBatch(tx, { ...batchOf, first, size: Math.min(licensesPerBatch, size - made), batch })
  }
  return users
}

interface Batch {
  context: AppContext
  batch: (typeof batches)[number]
  size: number
  first: number
}

/** Creates licenses; every second one is redeemed, every fortieth banned. Returns the number of created users. */
async function seedBatch(tx: Tx, { context, batch, size, first }: Batch): Promise<number> {
  const { app, now } = context
  const appId = app.id
  const keys = await createLicenses(tx, context, {
    spec: {
      amount: size,
      mask: '####-####-####-####',
      lowercase: true,
      uppercase: true,
      level: batch.level,
      notes: batch.notes,
      expiryUnit: batch.unit,
      duration: batch.duration,
    },
    issuer: { name: null, resellerId: null },
  })
  let users = 0
  for (const [index, license] of keys.entries()) {
    if (index % 2 === 1) continue
    const place = first + index
    const sameAsKey = place % 6 === 0
    const name = `${firstNames[(place / 2) % firstNames.length]}${place > 60 ? place : ''}`
    const username = sameAsKey ? license : name
    const email = sameAsKey ? '' : `${name}@example.com`
    const user = await createUser(tx, { appId, username, passwordHash: null, email, now })
    const redeemed = user && (await redeemLicense(tx, { appId, license, usedBy: username, userId: user.id, now }))
    if (!user || !redeemed) continue
    const grant = { level: redeemed.level, seconds: redeemed.duration_seconds, licenseId: redeemed.id }
    await grantByLicense(tx, { appId, userId: user.id, now, ...grant })
    if ((first + index) % 40 === 0) await setLicensesBanned(tx, { appId, ids: [redeemed.id], banned: true, now })
    users += 1
  }
  return users
}
