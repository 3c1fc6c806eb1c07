import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accountTables } from '#features/accounts/account-kind.ts'
import { replacePasswordHash } from '../auth/people.ts'
import { replacePasswordHash as replaceUserHash } from '#features/users/users.writes.ts'
import { newUser } from '#testing/people/end-users.ts'
import { goodPassword, newLicenses, newOwner, newOwnerWithApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { userHashing } from './hashing-use.ts'
import { Passwords } from './passwords.ts'

/** A hash says what it cost, and one that cost something else than today's is made anew at the next sign-in (R-AUTH-06). */

const cheapest = { memoryKiB: 8, passes: 1 }
const old = { ...userHashing('an owner'), cost: { memoryKiB: 16, passes: 2 } }
const now = { ...userHashing('an owner'), cost: cheapest }

describe('renewal at the next sign-in (R-AUTH-06)', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp()
  })
  afterAll(() => app.close())

  const hashOf = async (table: 'accounts' | 'users', username: string) => {
    const row = app.db.read
      .selectFrom(table as 'accounts')
      .select('password_hash')
      .where('username', '=', username)
    return (await row.executeTakeFirst())?.password_hash ?? ''
  }
  const storeOld = async (table: 'accounts' | 'users', username: string, password: string) => {
    const password_hash = await new Passwords().hash(password, old)
    const update = (tx: { db: typeof app.db.read }) =>
      tx.db
        .updateTable(table as 'accounts')
        .set({ password_hash })
        .where('username', '=', username)
        .execute()
    await app.db.write(update)
    return password_hash
  }

  test('of an owner: ten at once all succeed, and the new hash has the current cost', async () => {
    const { username } = await newOwner(app)
    const before = await storeOld('accounts', username, goodPassword)
    await app.visitor().call('POST /login', { body: { username, password: 'Wrong7Guess' } })
    expect(await hashOf('accounts', username)).toBe(before)
    app.advance(1000)
    const browsers = Array.from({ length: 4 }, () => app.visitor())
    const body = { username, password: goodPassword }
    const answers = await Promise.all(browsers.map((browser) => browser.call('POST /login', { body })))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const after = await hashOf('accounts', username)
    expect(after).toMatch(/^\$argon2id\$v=19\$m=8,t=1,p=1\$/)
    await app.visitor().call('POST /login', { body })
    expect(await hashOf('accounts', username)).toBe(after)
  })

  test('of an end user', async () => {
    const owner = await newOwnerWithApp(app)
    const program = await Program.of(app, owner)
    await program.init()
    const [license = ''] = await newLicenses(owner, 1)
    await program.register('old hash', goodPassword, license)
    await storeOld('users', 'old hash', goodPassword)
    expect((await program.login('old hash', goodPassword)).body.success).toBe(true)
    expect(await hashOf('users', 'old hash')).toMatch(/^\$argon2id\$v=19\$m=8,t=1,p=1\$/)
    expect((await program.login('old hash', goodPassword)).body.success).toBe(true)
  })

  test('a password changed while the old one was being checked stays the new one', async () => {
    const owner = await newOwnerWithApp(app)
    const user = await newUser(owner)
    const [account] = await app.db.read.selectFrom('accounts').selectAll().where('id', '=', owner.id).execute()
    const [row] = await app.db.read.selectFrom('users').selectAll().where('app_id', '=', owner.appId).execute()
    if (!account || !row) throw new Error('There is no such row')
    const ofAccount = await storeOld('accounts', owner.username, 'Different8Donkey')
    const ofUser = await storeOld('users', user, 'Different8Donkey')
    expect(await app.db.write((tx) => replacePasswordHash(tx.db, accountTables, account, 'renewed'))).toBe(false)
    expect(await app.db.write((tx) => replaceUserHash(tx.db, row, 'renewed'))).toBe(false)
    expect(await hashOf('accounts', owner.username)).toBe(ofAccount)
    expect(await hashOf('users', user)).toBe(ofUser)
  })
})

describe('with a pepper, a key outside the database (R-AUTH-06)', () => {
  const pepper = randomBytes(32)
  const plain = new Passwords(cheapest)
  const peppered = new Passwords(cheapest, pepper)
  const store = (hash: string) => {
    const stored = { hash }
    return {
      stored,
      use: now,
      replace: async (next: string) => Boolean((stored.hash = next)),
      read: async () => stored.hash,
    }
  }

  test('a hash can be checked only with it', async () => {
    const hash = await peppered.hash(goodPassword, now)
    expect(await peppered.verify(goodPassword, hash, now)).toBe(true)
    expect(await peppered.verify('Wrong7Guess', hash, now)).toBe(false)
    expect(await new Passwords(cheapest, randomBytes(32)).verify(goodPassword, hash, now)).toBe(false)
    // Taking the mark away makes it no hash without one.
    expect(await plain.verify(goodPassword, hash.replace(',keyid=pepper', ''), now)).toBe(false)
    await expect(plain.verify(goodPassword, hash, now)).rejects.toThrow('PASSWORD_PEPPER')
  })

  test('existing passwords get it at their next sign-in, and a wrong password changes nothing', async () => {
    const hash = await plain.hash(goodPassword, now)
    const target = store(hash)
    expect(await peppered.verifyAndRenew('Wrong7Guess', hash, target)).toBeUndefined()
    expect(target.stored.hash).toBe(hash)
    const renewed = await peppered.verifyAndRenew(goodPassword, hash, target)
    expect(renewed).toBe(target.stored.hash)
    expect(renewed).toContain(',keyid=pepper$')
    expect(await peppered.verify(goodPassword, renewed, now)).toBe(true)
  })

  test('a hash replaced meanwhile is checked again', async () => {
    const hash = await plain.hash(goodPassword, now)
    const other = await peppered.hash('Different8Donkey', now)
    const lost = { use: now, replace: async () => false, read: async () => other }
    expect(await peppered.verifyAndRenew(goodPassword, hash, lost)).toBeUndefined()
    const same = await peppered.hash(goodPassword, now)
    expect(await peppered.verifyAndRenew(goodPassword, hash, { ...lost, read: async () => same })).toBe(same)
  })
})
