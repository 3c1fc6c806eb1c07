import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { databaseDigest } from '#testing/database-digest.ts'
import { expectAllRejected, hostileBodies, notLists } from '#testing/faults/hostile-input.ts'
import {
  newSubscriber,
  newUser,
  passTime,
  signedIn,
  subscribe,
  timeLeft,
  userOf,
  userPassword,
} from '#testing/people/end-users.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp, setPlan } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  owner = await newOwnerWithApp(app)
})

const itemsOf = async (of = owner) => (await of.visitor.call('GET /bin', { query: { limit: 100 } })).body.items
const idsOf = async (of = owner) => (await itemsOf(of)).map(({ id }) => id)
const restore = (body: { ids?: number[]; undoId?: string; after?: number; maxRows?: number }, of = owner) =>
  of.visitor.call('POST /bin/restore', { body })
const restoreAll = async (of = owner) => restore({ ids: await idsOf(of) }, of)
const licenseOf = async (key: string, of = owner) =>
  (await of.visitor.call('GET /licenses', { query: { search: key } })).body.licenses.find(
    ({ license }) => license === key,
  )

async function deleteLicense(licenseKey: string, more: object = {}, of = owner) {
  const { status, body } = await of.visitor.call('POST /delete_license', { body: { licenseKey, ...more } })
  expect(status).toBe(200)
  return body.undoId as string
}

async function deleteUser(username: string) {
  const { status, body } = await owner.visitor.call('POST /delete_user', { body: { username } })
  expect(status).toBe(200)
  return body.undoId as string
}

/** Redeems a license with a program that signs in with it; the user has the key as name. */
async function redeem(key: string): Promise<Program> {
  const program = await Program.of(app, owner)
  await program.init()
  expect((await program.license(key)).body).toMatchObject({ success: true })
  return program
}

const signIn = async (key: string) => {
  const program = await Program.of(app, owner)
  await program.init()
  return (await program.license(key)).body
}

describe('rejects', () => {
  test('hostile bodies', async () => {
    const [key = ''] = await newLicenses(owner, 1)
    const undoId = await deleteLicense(key)
    const ids = await idsOf()
    await expectAllRejected(app, owner.visitor, '/bin/restore', [
      ...hostileBodies(
        { ids },
        {
          ids: [
            ...notLists.filter((each) => JSON.stringify(each) !== '[5]'),
            [0],
            [1.5],
            ['x'],
            [null],
            Array(1001).fill(1),
          ],
        },
      ),
      ...hostileBodies({ undoId }, { undoId: ['', 5, null, [], {}, 'u'.repeat(41)], maxRows: [0, -1, 1.5] }),
      { ids, undoId },
      { ids: [] },
      {},
    ])
    expect((await restore({ ids })).body).toMatchObject({ restored: 1 })
  })

  test("another owner's item, which looks like a missing one", async () => {
    const stranger = await newOwnerWithApp(app)
    const [key = ''] = await newLicenses(owner, 1)
    const undoId = await deleteLicense(key)
    const ids = await idsOf()
    for (const body of [{ ids }, { ids: [1e12] }]) {
      const { status, body: reply } = await restore(body, stranger)
      expect([status, reply]).toEqual([404, expect.objectContaining({ code: 'BIN_ITEM_NOT_FOUND' })])
    }
    for (const id of [undoId, 'unknown'])
      expect((await restore({ undoId: id }, stranger)).body).toMatchObject({ success: false, code: 'UNDO_NOT_FOUND' })
    expect(await itemsOf(stranger)).toEqual([])
    expect((await restore({ ids: [...ids, 1e12] })).body).toMatchObject({ restored: 1, failed: 1 })
  })

  test('an item twice: two calls at once restore it once', async () => {
    const [key = ''] = await newLicenses(owner, 1)
    await deleteLicense(key)
    const ids = await idsOf()
    const answers = await Promise.all(Array.from({ length: 6 }, () => restore({ ids })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(5).fill(404)])
    expect((await owner.visitor.call('GET /licenses')).body.total).toBe(1)
  })

  test('a name that is taken again, and changes nothing', async () => {
    const name = await newSubscriber(owner, { username: 'Ivy' })
    const [key = ''] = await newLicenses(owner, 1)
    const variable = { variableName: 'color', variableData: 'green' }
    await owner.visitor.call('POST /modify_app_var', { body: variable })
    await deleteUser(name)
    await deleteLicense(key)
    await owner.visitor.call('POST /modify_app_var', { body: { variableName: 'color', deleteVariable: true } })
    const items = await itemsOf()
    await newUser(owner, 'IVY')
    await owner.visitor.call('POST /modify_app_var', { body: { ...variable, variableData: 'red' } })
    await app.db.write(({ db }) =>
      db
        .insertInto('licenses')
        .values({ app_id: owner.appId, license: key, level: 1, duration_seconds: 0, created_at: app.now() } as never)
        .execute(),
    )
    const before = await databaseDigest(app.db, [])
    const codes: Record<string, string | undefined> = {}
    for (const { id, kind } of items) {
      const { status, body } = await restore({ ids: [id] })
      expect(status).toBe(409)
      codes[kind] = body.code
    }
    expect(codes).toEqual({ license: 'LICENSE_TAKEN', user: 'USERNAME_TAKEN', variable: 'VARIABLE_EXISTS' })
    expect((await restoreAll()).body).toMatchObject({ restored: 0, failed: 3, code: 'BIN_RESTORE_PARTLY_OK' })
    expect(await databaseDigest(app.db, [])).toBe(before)
  })

  test('more than the plan allows', async () => {
    const keys = await newLicenses(owner, 25)
    for (let n = 0; n < 3; n++) await newUser(owner)
    await owner.visitor.call('POST /licenses/bulk', { body: { action: 'delete', licenses: keys } })
    await setPlan(app, owner.id, 'Free')
    const { body } = await owner.visitor.call('GET /profile/plan-usage')
    const limit = body.limits.max_licenses_per_app as number
    await app.db.write(({ db }) =>
      db
        .insertInto('licenses')
        .values(
          Array.from({ length: limit - 2 }, (_, n) => ({
            app_id: owner.appId,
            license: `KEY-${n}`,
            level: 1,
            duration_seconds: 0,
            created_at: app.now(),
            generated_by: null,
            reseller_id: null,
            price: null,
            used_by: null,
            used_by_user_id: null,
            used_at: null,
            expires_at: null,
          })),
        )
        .execute(),
    )
    const { body: reply } = await restoreAll()
    expect(reply).toMatchObject({ restored: 2, failed: 23 })
    expect(reply.failures).toHaveLength(23)
    expect(new Set(reply.failures.map(({ code }) => code))).toEqual(new Set(['LICENSE_LIMIT_REACHED']))
    expect((await owner.visitor.call('GET /licenses')).body.total).toBe(limit)
    expect(await itemsOf()).toHaveLength(23)
  })

  test('a license whose level was deleted', async () => {
    await owner.visitor.call('POST /create_subscription', { body: { level: 2, name: 'Gone', active: true } })
    const [key = ''] = await newLicenses(owner, 1, { subscription: 2 })
    await deleteLicense(key)
    const ids = await idsOf(owner)
    await owner.visitor.call('POST /delete_subscription', { body: { level: 2, forceDelete: true } })
    expect((await restore({ ids })).body).toMatchObject({ success: false, code: 'SUBSCRIPTION_NOT_FOUND' })
    expect(await itemsOf()).toHaveLength(2)
  })

  test('a redeemed license whose user has that subscription again', async () => {
    const [key = ''] = await newLicenses(owner, 1)
    await redeem(key)
    await deleteLicense(key, { deleteUsers: false })
    await subscribe(owner, key, { days: 3 })
    const left = await timeLeft(owner, key)
    expect((await restoreAll()).body).toMatchObject({ success: false, code: 'LEVEL_TAKEN_BY_USER' })
    expect(await timeLeft(owner, key)).toBe(left)
  })

  test('what was deleted 30 days ago, which is then gone', async () => {
    const [key = '', later = ''] = await newLicenses(owner, 2)
    const undoId = await deleteLicense(key)
    const ids = await idsOf()
    await passTime(app, owner, 86_400)
    await deleteLicense(later)
    await passTime(app, owner, 29 * 86_400)
    expect((await itemsOf()).map(({ name }) => name)).toEqual([later])
    expect((await restore({ ids })).body).toMatchObject({ code: 'BIN_ITEM_NOT_FOUND' })
    expect((await restore({ undoId })).body).toMatchObject({ code: 'UNDO_NOT_FOUND' })
    await app.jobsDone()
    const left = await app.db.read.selectFrom('bin_items').select('name').where('app_id', '=', owner.appId).execute()
    expect(left).toEqual([{ name: later }])
  })
})

describe('a restored user', () => {
  test('signs in with the old password on the old machine, and with no old session', async () => {
    const name = await newSubscriber(owner)
    const program = await signedIn(app, owner, name)
    await owner.visitor.call('POST /user_variables', { body: { username: name, variableName: 'x', variableData: 'y' } })
    const before = await userOf(owner, name)
    const undoId = await deleteUser(name)
    expect(await userOf(owner, name)).toBeUndefined()
    expect((await restore({ undoId })).body).toMatchObject({ restored: 1, failed: 0, next: null })
    expect(await userOf(owner, name)).toEqual(before)
    const { body } = await owner.visitor.call('GET /user_variables', { query: { username: name } })
    expect(body.variables).toMatchObject([{ variableName: 'x', variableData: 'y' }])
    expect((await program.heartbeat()).body).toMatchObject({ code: 'SESSION_ENDED' })
    const again = await Program.of(app, owner)
    await again.init()
    again.hwid = 'another-machine'
    expect((await again.login(name, userPassword)).body).toMatchObject({ success: false, code: 'HWID_MISMATCH' })
    again.hwid = program.hwid
    expect((await again.login(name, userPassword)).body).toMatchObject({ success: true })
  })

  test('has no address any more when it was stored for longer than the retention (R-PII-01)', async () => {
    const [old, recent] = [await newSubscriber(owner), await newSubscriber(owner)]
    await signedIn(app, owner, old)
    await passTime(app, owner, 80 * 86_400)
    await subscribe(owner, recent)
    await signedIn(app, owner, recent)
    for (const name of [old, recent]) await deleteUser(name)
    // A daily job that ends only after the next 12 days would be due a day later.
    await app.jobsDone()
    await passTime(app, owner, 12 * 86_400)
    await app.jobsDone()
    expect((await restoreAll()).body).toMatchObject({ restored: 2 })
    expect(await userOf(owner, old)).toMatchObject({ ip: '' })
    expect(await userOf(owner, recent)).toMatchObject({ ip: '127.0.0.1' })
  })

  test('stays banned or paused', async () => {
    const [banned, paused] = [await newSubscriber(owner), await newSubscriber(owner)]
    await owner.visitor.call('POST /toggle_ban_user', { body: { username: banned, banned: true } })
    await owner.visitor.call('POST /toggle_pause_user', { body: { username: paused, paused: true } })
    const { body } = await owner.visitor.call('POST /users/bulk', {
      body: { action: 'delete', usernames: [banned, paused] },
    })
    expect((await restore({ undoId: body.undoId as string })).body).toMatchObject({ restored: 2 })
    expect(await userOf(owner, banned)).toMatchObject({ banned: true })
    expect(await userOf(owner, paused)).toMatchObject({ paused: true })
    const program = await Program.of(app, owner)
    await program.init()
    expect((await program.login(banned, userPassword)).body).toMatchObject({ code: 'USER_BANNED' })
  })

  test('has no subscription of a level that was deleted meanwhile', async () => {
    await owner.visitor.call('POST /create_subscription', { body: { level: 2, name: 'Gone', active: true } })
    const name = await newSubscriber(owner)
    await subscribe(owner, name, { level: 2 })
    await deleteUser(name)
    const ids = await idsOf(owner)
    await owner.visitor.call('POST /delete_subscription', { body: { level: 2, forceDelete: true } })
    expect((await restore({ ids })).body).toMatchObject({ restored: 1 })
    expect(Object.keys((await userOf(owner, name))?.subscriptions ?? {})).toEqual(['1'])
  })
})

describe('a restored license', () => {
  test('in the bin, is unknown to programs and its search, and found again afterwards', async () => {
    const [key = ''] = await newLicenses(owner, 1)
    await deleteLicense(key)
    expect(await licenseOf(key)).toBeUndefined()
    expect(await signIn(key)).toMatchObject({ success: false, code: 'LICENSE_NOT_FOUND' })
    await restoreAll()
    expect(await licenseOf(key)).toMatchObject({ used: false })
    expect(await signIn(key)).toMatchObject({ success: true })
  })

  test('gives its user the rest of the time, and stays banned', async () => {
    const [key = ''] = await newLicenses(owner, 1)
    await redeem(key)
    const left = await timeLeft(owner, key)
    await deleteLicense(key, { deleteUsers: false })
    expect(await timeLeft(owner, key)).toBeUndefined()
    await restoreAll()
    expect(await timeLeft(owner, key)).toBe(left)
    await owner.visitor.call('POST /toggle_ban_license', { body: { licenseKey: key, banned: true } })
    await deleteLicense(key, { deleteUsers: false })
    await restoreAll()
    expect(await signIn(key)).toMatchObject({ success: false, code: 'LICENSE_BANNED' })
  })

  test.each(['license first', 'user first'])(
    'with its user, one by one, %s: a ban still stops the user',
    async (order) => {
      const [key = ''] = await newLicenses(owner, 1)
      await redeem(key)
      const left = await timeLeft(owner, key)
      await owner.visitor.call('POST /toggle_ban_license', { body: { licenseKey: key, banned: true } })
      await deleteLicense(key, { deleteUsers: true })
      const items = await itemsOf()
      const idOf = (kind: string) => items.filter((item) => item.kind === kind).map(({ id }) => id)
      const [first, second] = order === 'license first' ? ['license', 'user'] : ['user', 'license']
      expect((await restore({ ids: idOf(first as string) })).body).toMatchObject({ restored: 1 })
      const meanwhile = await signIn(key)
      expect(meanwhile).toMatchObject({ success: false })
      if (order === 'user first') expect(await timeLeft(owner, key)).toBeUndefined()
      expect((await restore({ ids: idOf(second as string) })).body).toMatchObject({ restored: 1 })
      expect(await timeLeft(owner, key)).toBe(left)
      expect(await signIn(key)).toMatchObject({ success: false, code: 'LICENSE_BANNED' })
    },
  )

  test('deleted before its user gives the user its time back, whichever is restored first', async () => {
    for (const first of ['license', 'user']) {
      const [key = ''] = await newLicenses(owner, 1)
      await redeem(key)
      const left = await timeLeft(owner, key)
      await deleteLicense(key, { deleteUsers: false })
      await deleteUser(key)
      const items = (await itemsOf()).filter(({ name }) => name === key)
      for (const { id } of items.toSorted((one) => (one.kind === first ? -1 : 1))) await restore({ ids: [id] })
      expect(await timeLeft(owner, key)).toBe(left)
    }
  })
})

describe('many', () => {
  const rows = 1200

  test('of one deletion, in batches of which each is restored once', async () => {
    for (let made = 0; made < rows; made += 600) await newLicenses(owner, 600)
    const before = await databaseDigest(app.db, [
      'audit',
      'audit_targets',
      'audit_operations',
      'bin_items',
      'idempotent_replies',
    ])
    const body = { action: 'delete' as const, filter: {}, expectedCount: rows }
    const { undoId } = (await owner.visitor.call('POST /licenses/bulk', { body })).body
    const first = (await restore({ undoId: undoId as string, maxRows: 700 })).body
    expect(first).toMatchObject({ restored: 700, failed: 0, next: expect.any(Number) })
    const second = (await restore({ undoId: undoId as string, maxRows: 700, after: first.next as number })).body
    expect(second).toMatchObject({ restored: 500, failed: 0, next: null })
    expect((await restore({ undoId: undoId as string })).body).toMatchObject({ code: 'UNDO_NOT_FOUND' })
    expect(
      await databaseDigest(app.db, ['audit', 'audit_targets', 'audit_operations', 'bin_items', 'idempotent_replies']),
    ).toBe(before)
  })

  test('with an Idempotency-Key, a lost reply is given again', async () => {
    const keys = await newLicenses(owner, 3)
    const { body } = await owner.visitor.call('POST /licenses/bulk', { body: { action: 'delete', licenses: keys } })
    const send = () =>
      owner.visitor.call('POST /bin/restore', {
        body: { undoId: body.undoId as string },
        headers: { 'idempotency-key': 'restore-no-1' },
      })
    const first = await send()
    expect(first.body).toMatchObject({ restored: 3, next: null })
    expect((await send()).body).toEqual(first.body)
  })
})
