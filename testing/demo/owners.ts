import type { Tx } from '#database/database.ts'
import { createAccount } from '#features/accounts/accounts.actions.ts'
import { createApp } from '#features/apps/apps.actions.ts'
import { createLevel } from '#features/levels/levels.actions.ts'
import type { AppScope } from '#server/audit/actors.ts'
import { ownerContext } from '#testing/people/owner-context.ts'
import { demoDays } from './days.ts'
import { demoVersion } from './people.ts'
import type { DemoPlatform } from './demo-server.ts'

const day = 86_400

export interface DemoOwner {
  username: string
  displayName: string
  plan: string
  /** Days since the registration. */
  age: number
  /** Each with its number of licenses. */
  apps: Readonly<Record<string, number>>
}

export const demoOwners: readonly DemoOwner[] = [
  {
    username: 'marina',
    displayName: 'Marina Vidal',
    plan: 'Pro',
    age: 200,
    apps: { 'Prism Studio': 8000, 'Prism Render': 3000, 'Prism Capture': 2000, 'Prism Lite': 500 },
  },
  {
    username: 'northwind',
    displayName: 'Northwind Tools',
    plan: 'Pro',
    age: 180,
    apps: { 'Batch Renamer': 1500, 'Log Lens': 1200, 'Disk Atlas': 800, 'Port Watch': 400 },
  },
  {
    username: 'kestrel',
    displayName: 'Kestrel Audio',
    plan: 'Pro',
    age: 150,
    apps: { 'Kestrel EQ': 1200, 'Kestrel Gate': 900, 'Tape Deck': 400, 'Loop Garden': 100 },
  },
  // Sees the first screens of a new account.
  { username: 'tomas', displayName: 'Tomás Rey', plan: 'Free', age: 0.05, apps: {} },
]

/** The administrator of the server. */
export const demoAdmin = 'operator'

export interface DemoApp extends AppScope {
  /** Number among all apps, from 0. */
  number: number
  licenses: number
  /** Day of the demo, from 0, on which it begins to sell. */
  firstDay: number
}

export interface MakingOwners {
  platform: DemoPlatform
  passwordHash: string
  /** When the demo ends, in epoch seconds. */
  now: number
  maxLicenses: number
}

interface NewDemoOwner {
  owner: DemoOwner
  /** Epoch seconds. */
  registered: number
  appsAt: number
  /** Number of the first app. */
  number: number
}

/** Creates the accounts that exist from the start, and their apps. */
export async function makeOwners(making: MakingOwners): Promise<DemoApp[]> {
  const { now } = making
  const apps: DemoApp[] = []
  for (const owner of demoOwners) {
    const [registered, appsAt] = [now - owner.age * day, now - (owner.age - 10) * day]
    apps.push(...(await makeOwner(making, { owner, registered, appsAt, number: apps.length })))
  }
  await makeAdmin(making, now - 210 * day)
  return apps
}

/** Creates an account, and its apps with three levels each. */
export async function makeOwner(
  { platform: { db, masterKey }, passwordHash, maxLicenses }: MakingOwners,
  { owner, registered, appsAt, number: first }: NewDemoOwner,
): Promise<DemoApp[]> {
  const { username, displayName, plan, age } = owner
  const form = { username, displayName, passwordHash, plan, email: `${username}@example.com` }
  const account = await db.write((tx) => createAccount(tx, form, Math.floor(registered)))
  const firstDay = Math.max(0, demoDays - 1 - Math.floor(age))
  const apps: DemoApp[] = []
  for (const [name, licenses] of Object.entries(owner.apps)) {
    const number = first + apps.length
    const made = { ownerId: account.id, name, now: Math.floor(appsAt) + number }
    const app = await db.write((tx) => makeApp(tx, masterKey, made))
    apps.push({ ...app, number, licenses: Math.min(maxLicenses, licenses), firstDay })
  }
  return apps
}

async function makeAdmin({ platform: { db }, passwordHash }: MakingOwners, now: number) {
  const form = { username: demoAdmin, displayName: 'Operator', passwordHash, email: `${demoAdmin}@example.com` }
  await db.write(async (tx) => {
    const { id } = await createAccount(tx, { ...form, plan: 'Unlimited' }, now)
    await tx.db.updateTable('accounts').set({ role: 'admin' }).where('id', '=', id).execute()
  })
}

async function makeApp(
  tx: Tx,
  masterKey: DemoPlatform['masterKey'],
  { ownerId, name, now }: { ownerId: string; name: string; now: number },
): Promise<AppScope> {
  const context = ownerContext({ id: '', ownerId, name }, now)
  const { id } = await createApp(tx, { ...context, services: { masterKey } }, { appName: name, version: demoVersion })
  const app = { id, ownerId, name }
  // Every app has level 1, "Basic", from the start.
  for (const [index, level] of ['Pro', 'Founder'].entries()) {
    await createLevel(tx, ownerContext(app, now), { level: index + 2, name: level, active: true })
  }
  return app
}
