import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { newUser } from '#testing/people/end-users.ts'
import { goodPassword, newLicenses, newOwnerWithApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { newSeller, soldUser } from '#testing/people/sellers.ts'
import { startServerProcess } from '#testing/servers/server-process.ts'
import { startTestApp } from '#testing/start-test-app.ts'
import { Visitor } from '#testing/people/visitor.ts'

/** The only tests that pay for real hashes: every other test app makes the cheapest there are. */

const ofAccounts = '$argon2id$v=19$m=65536,t=3,p=1'
const ofUsers = '$argon2id$v=19$m=19456,t=2,p=1'
const costOf = (hash: string | null | undefined) => hash?.split('$', 4).join('$')
const newPassword = 'Different8Donkey'

test('every call that stores a password uses the full cost: 64 MiB and 3 passes for accounts, 19 MiB and 2 for end users', async () => {
  const firstAdmin = { username: 'first_admin', password: goodPassword, email: 'admin@example.com' }
  const app = await startTestApp({ realPasswordCost: true, config: { firstAdmin } })
  try {
    const owner = await newOwnerWithApp(app)
    const seller = await newSeller(app, owner)
    const program = await Program.of(app, owner)
    await program.init()
    const hashOf = async (username: string) => {
      const account = app.db.read.selectFrom('accounts').select('password_hash').where('username', '=', username)
      const user = app.db.read.selectFrom('users').select('password_hash').where('username', '=', username)
      return (await user.unionAll(account).executeTakeFirst())?.password_hash
    }
    /** What the hash costs, once it is another one than before. */
    const costAfter = async (username: string, change: () => Promise<unknown>) => {
      const before = await hashOf(username)
      await change()
      const after = await hashOf(username)
      expect(after).not.toBe(before)
      return costOf(after)
    }

    const { visitor } = owner
    const accounts = {
      'first administrator': costOf(await hashOf(firstAdmin.username)),
      register: costOf(await hashOf(owner.username)),
      'change password': await costAfter(owner.username, () =>
        visitor.call('POST /profile/change-password', { body: { currentPassword: goodPassword, newPassword } }),
      ),
    }
    const made = await newUser(owner)
    const sold = await soldUser(seller)
    const [license = ''] = await newLicenses(owner, 1)
    await program.register('registered', newPassword, license)
    const users = {
      create: costOf(await hashOf(made)),
      edit: await costAfter(made, () =>
        visitor.call('POST /edit_user', { body: { username: made, password: newPassword } }),
      ),
      'seller creates': costOf(await hashOf(sold)),
      'seller edits': await costAfter(sold, () =>
        seller.send('PUT', `/users/${sold}`, { body: { password: newPassword } }),
      ),
      'program registers': costOf(await hashOf('registered')),
    }
    expect([...new Set(Object.values(accounts))], JSON.stringify(accounts)).toEqual([ofAccounts])
    expect([...new Set(Object.values(users))], JSON.stringify(users)).toEqual([ofUsers])
  } finally {
    await app.close()
  }
})

test('the server that npm start runs stores full-cost hashes, and has free threads meanwhile (R-AUTH-07)', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'signet-password-cost-'))
  const server = await startServerProcess({ DATA_DIR: dataDir })
  try {
    const body = {
      username: 'somebody',
      email: 'somebody@example.com',
      password: goodPassword,
      displayName: 'Somebody',
    }
    const { status } = await new Visitor(server.url).call('POST /register', { body })
    expect(status).toBe(200)
    // Its pool has threads that no password takes. Only Linux names them.
    if (process.platform !== 'linux') return
    const tasks = `/proc/${server.process.pid}/task`
    const names = readdirSync(tasks).map((task) => readFileSync(`${tasks}/${task}/comm`, 'utf8').trim())
    const pool = names.filter((name) => name === 'libuv-worker')
    expect(pool.length, names.join()).toBe(Math.max(8, availableParallelism() + 4))
  } finally {
    await server.stop()
  }
  const database = new DatabaseSync(join(dataDir, 'signet.db'))
  const [account] = database.prepare('select password_hash from accounts').all() as { password_hash: string }[]
  database.close()
  rmSync(dataDir, { recursive: true, force: true })
  expect(costOf(account?.password_hash)).toBe(ofAccounts)
})
