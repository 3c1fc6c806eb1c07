import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { day, newSubscriber, passTime, signedIn, userOf } from '#testing/people/end-users.ts'
import { imported, undoImport } from '#testing/people/imported.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
})
afterAll(() => app.close())

const overwritten = (username: string) =>
  imported(owner, { users: [{ username, email: 'new@example.com', subscriptions: [] }] })

test('an overwritten user comes back after the server has removed the address', async () => {
  const names = [await newSubscriber(owner, { days: null }), await newSubscriber(owner, { days: null })]
  for (const name of names) await signedIn(app, owner, name)
  await passTime(app, owner, 80 * day)
  await app.jobsDone()
  const [quiet = '', back = ''] = names
  const ids = [await overwritten(quiet), await overwritten(back)]
  await passTime(app, owner, 12 * day)
  await app.jobsDone()
  expect(await userOf(owner, quiet)).toMatchObject({ ip: '', email: 'new@example.com' })
  await signedIn(app, owner, back)
  expect((await undoImport(owner, ids[0] ?? '')).body).toMatchObject({ restored: 1, failed: 0 })
  expect(await userOf(owner, quiet)).toMatchObject({ email: '' })
  expect((await undoImport(owner, ids[1] ?? '')).body).toMatchObject({ restored: 0, failed: 1 })
})

test('a record of an earlier version, which has the address, is undone as well', async () => {
  const name = await newSubscriber(owner)
  await signedIn(app, owner, name)
  const importId = await overwritten(name)
  await app.db.write(async ({ db: trx }) => {
    const user = await trx.selectFrom('users').selectAll().where('username', '=', name).executeTakeFirstOrThrow()
    const levels = await trx
      .selectFrom('user_subscriptions')
      .select(['level', 'expires_at', 'license_id'])
      .where('user_id', '=', user.id)
      .execute()
    const { username, password_hash, email, hwid_hash, ip, banned, paused, paused_at, last_login_at } = user
    const values = [
      [username, password_hash, email, hwid_hash, ip, banned, paused, paused_at, last_login_at],
      levels.map(({ level, expires_at, license_id }) => [level, expires_at, license_id]),
      [],
      null,
    ]
    const digest = createHash('sha256').update(JSON.stringify(values)).digest('base64url').slice(0, 16)
    const batch = trx.selectFrom('undo_batches').select('states').where('operation_id', '=', importId)
    const [state] = JSON.parse((await batch.executeTakeFirstOrThrow()).states) as { after: object }[]
    const states = JSON.stringify([{ ...state, after: { digest } }])
    expect(state?.after).not.toEqual({ digest })
    await trx.updateTable('undo_batches').set({ states }).where('operation_id', '=', importId).execute()
  })
  expect((await undoImport(owner, importId)).body).toMatchObject({ restored: 1, failed: 0 })
  expect(await userOf(owner, name)).toMatchObject({ email: '' })
})

test('an undo that stopped is listed as such, and can be finished', async () => {
  const { visitor } = owner
  const file = { kind: 'licenses', source: 'keyauth', fileName: 'two.json', fingerprint: 'cd', rows: 3 } as const
  const started = await visitor.call('POST /imports/start', { body: { ...file, levels: [{ label: '1', level: 1 }] } })
  const { importId } = started.body.import
  const send = (batch: number) =>
    visitor.call('POST /imports/rows', {
      body: { importId, batch, licenses: [{ row: batch, key: `TWO-${batch}`, level: '1', duration: '30' }] },
    })
  for (const batch of [1, 2]) await send(batch)
  const listed = async () =>
    (await visitor.call('GET /imports')).body.imports.find((each) => each.importId === importId)
  const before = await listed()
  expect(before).toMatchObject({ undoneAt: null, undoableUntil: expect.any(Number) })
  const { body } = await visitor.call('POST /imports/undo', { body: { undoId: importId, maxRows: 1 } })
  expect(body).toMatchObject({ restored: 1, next: 1 })
  expect(await listed()).toEqual({ ...before, undoneAt: app.now() })
  expect((await send(3)).body).toMatchObject({ code: 'IMPORT_UNDONE' })
  expect((await undoImport(owner, importId)).body).toMatchObject({ restored: 1, next: null })
  expect(await listed()).toEqual({ ...before, undoneAt: expect.any(Number), undoableUntil: null })
})
