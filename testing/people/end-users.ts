import type { OwnedApp } from './people.ts'
import { Program } from './program.ts'
import type { TestApp } from '../start-test-app.ts'

let made = 0

export const userPassword = 'Password-of-user'
export const day = 86_400

/** Deletes a new user; returns the item in the bin with the `undoId`. */
export async function deleteUser(owner: OwnedApp): Promise<{ id: number; name: string; undoId: string }> {
  const name = await newUser(owner, `deleted-${++made}`)
  const { undoId } = (await owner.visitor.call('POST /delete_user', { body: { username: name } })).body
  const { items } = (await owner.visitor.call('GET /bin', { query: { search: name } })).body
  return { id: items[0]?.id ?? 0, name, undoId: undoId ?? '' }
}

/** A user created by the owner, without a subscription. */
export async function newUser(
  owner: OwnedApp,
  username = `user-${++made}`,
  more: { email?: string } = {},
): Promise<string> {
  const { body, status } = await owner.visitor.call('POST /create_user', {
    body: { username, password: userPassword, ...more },
  })
  if (status !== 200) throw new Error(`Could not create ${username}: ${body.message}`)
  return username
}

/** A user with a level for a number of days; null for never ending. */
export async function newSubscriber(
  owner: OwnedApp,
  { username, days = 30, level = 1 }: { username?: string; days?: number | null; level?: number } = {},
): Promise<string> {
  const name = await newUser(owner, username)
  await subscribe(owner, name, { days, level })
  return name
}

export async function subscribe(
  owner: OwnedApp,
  username: string,
  { days = 30, level = 1 }: { days?: number | null; level?: number } = {},
): Promise<void> {
  const added = await owner.visitor.call('POST /user/{username}/subscriptions', {
    params: { username },
    body: { level, duration: days ?? 30 },
  })
  if (added.status !== 200) throw new Error(`Could not subscribe ${username}: ${added.body.message}`)
  if (days !== null) return
  const params = { username, id: level }
  await owner.visitor.call('PUT /user/{username}/subscriptions/{id}', { params, body: { expiry: null } })
}

/** A user as in the owner's list. */
export async function userOf(owner: OwnedApp, username: string) {
  const { body } = await owner.visitor.call('GET /users', { query: { search: username, limit: 100 } })
  return body.users.find((user) => user.username === username)
}

/** Remaining seconds of a user's level; null if it never ends, undefined if the user does not have it. */
export const timeLeft = async (owner: OwnedApp, username: string, level = 1): Promise<number | null | undefined> =>
  (await userOf(owner, username))?.subscriptions[level]?.time_left

/** Advances the clock and signs in the owner again, whose session does not last for days. */
export async function passTime(app: TestApp, owner: OwnedApp, seconds: number): Promise<void> {
  app.advance(seconds)
  const { username, password } = owner
  const { status, body } = await owner.visitor.call('POST /login', { body: { username, password } })
  if (status !== 200) throw new Error(`${username} could not sign in again: ${body.message}`)
  owner.visitor.appId = owner.appId
}

/** A program with this user signed in. */
export async function signedIn(
  app: TestApp,
  owner: OwnedApp,
  username: string,
  password = userPassword,
): Promise<Program> {
  const program = await Program.of(app, owner)
  await program.init()
  const { body } = await program.login(username, password)
  if (!body.success) throw new Error(`${username} could not sign in: ${body.message}`)
  return program
}

/** Inserts `amount` users directly into the database, for tests that need many; named `{prefix}-{n}`. */
export async function manyUsers(
  app: TestApp,
  owner: OwnedApp,
  { prefix, amount, expiresAt }: { prefix: string; amount: number; expiresAt?: number | null },
): Promise<string[]> {
  const names = Array.from({ length: amount }, (_, n) => `${prefix}-${n}`)
  const now = app.now()
  for (let from = 0; from < amount; from += 250) {
    await app.db.write(async ({ db: trx }) => {
      const rows = names.slice(from, from + 250).map((username) => ({
        app_id: owner.appId,
        username,
        username_key: username.toLowerCase(),
        password_hash: null,
        hwid_hash: null,
        paused_at: null,
        created_at: now,
        last_login_at: null,
      }))
      const users = await trx.insertInto('users').values(rows).returning('id').execute()
      if (expiresAt === undefined) return
      const entitlements = users.map(({ id }) => ({
        app_id: owner.appId,
        user_id: id,
        level: 1,
        expires_at: expiresAt,
        license_id: null,
        created_at: now,
      }))
      await trx.insertInto('user_subscriptions').values(entitlements).execute()
    })
  }
  return names
}

/** What a customer with a banned license reads in the program that the dashboard shows. */
export const bannedText = /^This license is banned\. Contact the seller\.\nSupport code: [0-9A-Z]{4}-[0-9A-Z]{4}\n$/
