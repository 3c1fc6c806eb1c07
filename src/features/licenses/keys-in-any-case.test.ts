import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CallTypes } from '#contract/define-call.ts'
import type { importsContract } from '#features/imports/imports.contract.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { insertKeys } from './licenses.writes.ts'

/** License keys of an app that differ only in case never come into being, whatever creates them at once (LIC-48). */

const rounds = 20
let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

type Start = NonNullable<CallTypes<typeof importsContract.startImport>['body']>
type Rows = Omit<NonNullable<CallTypes<typeof importsContract.importRows>['body']>, 'importId' | 'batch'>

/** With two subscriptions, so that calls at once don't wait for one of them. */
async function newOwner(): Promise<OwnedApp> {
  const owner = await newOwnerWithApp(app)
  await owner.visitor.call('POST /create_subscription', { body: { level: 2, name: 'Pro' } })
  return owner
}

/** Sends rows of an import, all of one level. */
async function importOf(owner: OwnedApp, kind: Start['kind'], more: Partial<Start> = {}, level = 1) {
  const levels = [{ label: '1', level }]
  const file = { kind, source: 'csv' as const, fileName: 'file.csv', fingerprint: 'ab', rows: 10, levels, ...more }
  const { importId } = (await owner.visitor.call('POST /imports/start', { body: file })).body.import
  return async (rows: Rows) =>
    (await owner.visitor.call('POST /imports/rows', { body: { importId, batch: 1, ...rows } })).body
}

const licenseRow = (key: string, row = 1) => ({ row, key, level: '1', duration: '30' })
const licensesOf = (key: string): Rows => ({ licenses: [licenseRow(key)] })
/** A user without a password, who gets a license with the name as its key. */
const usersOf = (username: string): Rows => ({
  users: [{ row: 1, username, subscriptions: [{ level: '1', expiry: 'lifetime' }] }],
})

const keysOf = async ({ appId }: OwnedApp) => {
  const rows = await app.db.read.selectFrom('licenses').select('license').where('app_id', '=', appId).execute()
  return rows.map(({ license }) => license).toSorted()
}

const binOf = async (owner: OwnedApp) =>
  (await owner.visitor.call('GET /bin', { query: { limit: 100 } })).body.items.map(({ id }) => id)
const restore = (owner: OwnedApp, ids: number[]) => owner.visitor.call('POST /bin/restore', { body: { ids } })

async function deleteLicense(owner: OwnedApp, licenseKey: string) {
  expect((await owner.visitor.call('POST /delete_license', { body: { licenseKey } })).status).toBe(200)
}

describe('at once', () => {
  test('two imports create one of them', async () => {
    const owner = await newOwner()
    for (let round = 0; round < rounds; round++) {
      const [one, other] = [await importOf(owner, 'licenses'), await importOf(owner, 'licenses', {}, 2)]
      const replies = await Promise.all([one(licensesOf(`KEY-${round}`)), other(licensesOf(`key-${round}`))])
      expect(replies.map(({ created }) => created).toSorted()).toEqual([0, 1])
      expect(replies.flatMap(({ results }) => results.map(({ code }) => code))).toEqual(['LICENSE_TAKEN'])
    }
    expect(await keysOf(owner)).toHaveLength(rounds)
  })

  test('an import of licenses and one of users with keys create one of them, and no user without the key', async () => {
    const owner = await newOwner()
    for (let round = 0; round < rounds; round++) {
      const licenses = await importOf(owner, 'licenses')
      const users = await importOf(owner, 'users', { withKeys: true }, 2)
      const replies = await Promise.all([licenses(licensesOf(`KEY-${round}`)), users(usersOf(`key-${round}`))])
      expect(replies.map(({ created }) => created).toSorted()).toEqual([0, 1])
    }
    const users = (await owner.visitor.call('GET /users', { query: { limit: 100 } })).body.users
    const keys = await keysOf(owner)
    expect(keys).toHaveLength(rounds)
    expect(users.map(({ username }) => username).toSorted()).toEqual(keys.filter((key) => key.startsWith('key')))
  })

  test('an import and a restored license leave one of them', async () => {
    const owner = await newOwner()
    for (let round = 0; round < rounds; round++) {
      await (
        await importOf(owner, 'licenses')
      )(licensesOf(`KEY-${round}`))
      await deleteLicense(owner, `KEY-${round}`)
      const [item = 0] = await binOf(owner)
      const again = await importOf(owner, 'licenses', {}, 2)
      const [{ created }, restored] = await Promise.all([again(licensesOf(`key-${round}`)), restore(owner, [item])])
      expect([created, restored.body.restored ?? 0].toSorted()).toEqual([0, 1])
      if (created === 1) expect(restored.body.code).toBe('LICENSE_TAKEN')
    }
    expect(await keysOf(owner)).toHaveLength(rounds)
  })
})

describe('one after the other', () => {
  test('an import skips a key that exists in another case, also if it may overwrite, and the check says so', async () => {
    const owner = await newOwnerWithApp(app)
    await (
      await importOf(owner, 'licenses')
    )(licensesOf('KEY-One'))
    const rows = [licenseRow('key-oNE'), licenseRow('Key-Two', 2)]
    const overwrite = { onConflict: 'overwrite' as const }
    const checked = await owner.visitor.call('POST /imports/check', {
      body: { ...overwrite, levels: ['1'], licenses: rows },
    })
    expect(checked.body).toMatchObject({ valid: 2, conflicts: 1, results: [{ row: 1, code: 'LICENSE_TAKEN' }] })
    const done = await (await importOf(owner, 'licenses', overwrite))({ licenses: rows })
    expect(done).toMatchObject({ created: 1, overwritten: 0, results: [{ row: 1, code: 'LICENSE_TAKEN' }] })
    expect(await keysOf(owner)).toEqual(['KEY-One', 'Key-Two'])
  })

  test('new keys from a mask are none that exist in another case, and no two of them differ only in case', async () => {
    const owner = await newOwnerWithApp(app)
    await (
      await importOf(owner, 'licenses')
    )(licensesOf('MASK-ONE'))
    const row = { app_id: owner.appId, level: 1, duration_seconds: 0, created_at: app.now() }
    const [keys, again] = [
      ['mask-one', 'MASK-two', 'mask-TWO', 'mask-three'],
      ['MASK-THREE', 'mask-one'],
    ]
    const inserted = await app.db.write(async ({ db }) => [
      await insertKeys(db, keys, row as never),
      await insertKeys(db, again, row as never),
    ])
    expect(inserted).toEqual([['MASK-two', 'mask-three'], []])
  })

  test.each(['SAME-KEY', 'same-key'])(
    'of two deleted licenses, SAME-KEY and %s, one is restored, and the other stays in the bin',
    async (second) => {
      const owner = await newOwnerWithApp(app)
      for (const key of ['SAME-KEY', second]) {
        await (
          await importOf(owner, 'licenses')
        )(licensesOf(key))
        await deleteLicense(owner, key)
      }
      const { body } = await restore(owner, await binOf(owner))
      expect(body).toMatchObject({ restored: 1, failed: 1, failures: [{ code: 'LICENSE_TAKEN' }] })
      expect(await binOf(owner)).toHaveLength(1)
      expect(await keysOf(owner)).toHaveLength(1)
    },
  )

  test('those of earlier versions stay as they are', async () => {
    const owner = await newOwnerWithApp(app)
    const row = { app_id: owner.appId, level: 1, duration_seconds: 0, created_at: app.now() }
    const pair = ['OLD-KEY', 'old-key'].map((license) => ({ ...row, license }) as never)
    await app.db.write(({ db }) => db.insertInto('licenses').values(pair).execute())
    const { body } = await owner.visitor.call('POST /update_license', {
      body: { licenseKey: 'old-key', notes: 'the lower' },
    })
    expect(body).toMatchObject({ success: true })
    const overwrite = await importOf(owner, 'licenses', { onConflict: 'overwrite' })
    expect(await overwrite(licensesOf('OLD-KEY'))).toMatchObject({ overwritten: 1 })
    expect(await keysOf(owner)).toEqual(['OLD-KEY', 'old-key'])
  })
})
