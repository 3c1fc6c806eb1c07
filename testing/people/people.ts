import type { TestApp } from '../start-test-app.ts'
import type { Visitor } from './visitor.ts'

let made = 0

export interface Owner {
  visitor: Visitor
  id: string
  username: string
  password: string
}

export const goodPassword = 'Correct7Horse'

/** Plan of the owner; new accounts are on Free, and most tests need higher limits. */
export interface OwnerOptions {
  plan?: 'Free' | 'Developer' | 'Pro' | 'Unlimited'
}

/** A freshly registered, signed-in owner. */
export async function newOwner(
  app: TestApp,
  name = `owner${++made}`,
  { plan = 'Pro' }: OwnerOptions = {},
): Promise<Owner> {
  const visitor = app.visitor()
  const body = { username: name, email: `${name}@example.com`, password: goodPassword, displayName: name }
  const { body: reply, status } = await visitor.call('POST /register', { body })
  if (status !== 200) throw new Error(`Could not register ${name}: ${reply.message}`)
  await setPlan(app, reply.user.id, plan)
  return { visitor, id: reply.user.id, username: name, password: goodPassword }
}

/** A new signed-in administrator. */
export async function newAdmin(app: TestApp, name?: string): Promise<Owner> {
  const admin = await newOwner(app, name, { plan: 'Unlimited' })
  await makeAdmin(app, admin)
  return admin
}

/** Confirms the password again, as an administrator does when the last confirmation has expired. */
export async function verifyAgain({ visitor, password }: Pick<Owner, 'visitor' | 'password'>): Promise<void> {
  const { status, body } = await visitor.call('POST /profile/reauthenticate', { body: { password } })
  if (status !== 200) throw new Error(`Could not verify the identity: ${body.message}`)
}

export async function makeAdmin(app: TestApp, { id }: Pick<Owner, 'id'>): Promise<void> {
  const change = { role: 'admin' as const }
  await app.db.write(({ db }) => db.updateTable('accounts').set(change).where('id', '=', id).execute())
}

/** Moves an owner to a plan; without `expiresAt` (epoch seconds), it does not expire. */
export async function setPlan(
  app: TestApp,
  ownerId: string,
  plan: string,
  expiresAt: number | null = null,
): Promise<void> {
  await app.db.write(({ db: trx }) =>
    trx.updateTable('accounts').set({ plan, plan_expires_at: expiresAt }).where('id', '=', ownerId).execute(),
  )
}

export interface OwnedApp extends Owner {
  appId: string
  appName: string
}

/** An owner with one selected app that has level 1, "Basic". */
export async function newOwnerWithApp(
  app: TestApp,
  appName = `App ${++made}`,
  options: OwnerOptions = {},
): Promise<OwnedApp> {
  const owner = await newOwner(app, undefined, options)
  const { body } = await owner.visitor.call('POST /create_app', { body: { appName, version: '1.0.0' } })
  return { ...owner, appId: body.appId, appName }
}

/** Creates `amount` license keys of level 1. */
export async function newLicenses(
  owner: Pick<OwnedApp, 'visitor'>,
  amount: number,
  more: Record<string, unknown> = {},
): Promise<string[]> {
  const { body, status } = await owner.visitor.call('POST /create_licenses', {
    body: { amount, subscription: 1, expiryUnit: 'days', duration: 30, ...more },
  })
  if (status !== 200) throw new Error(`Could not create licenses: ${body.message}`)
  return body.licenses
}
