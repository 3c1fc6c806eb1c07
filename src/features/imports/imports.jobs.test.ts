import { hashSync } from 'bcryptjs'
import { expect, onTestFinished, test } from 'vitest'
import { newOwnerWithApp } from '#testing/people/people.ts'
import { startTestApp } from '#testing/start-test-app.ts'
import { forgetImportedHashes } from './imports.jobs.ts'

test('an app has imported hashes until its last one is replaced, also one from the bin or imported meanwhile', async () => {
  const app = await startTestApp()
  onTestFinished(() => app.close())
  const owner = await newOwnerWithApp(app)
  const { visitor, appId } = owner
  const password = hashSync('Correct7Horse', 4).replace('$2b$', '$2y$')
  const importUser = async (username: string) => {
    const file = {
      kind: 'users' as const,
      source: 'keyauth' as const,
      fileName: 'users.json',
      fingerprint: 'ab',
      rows: 1,
    }
    const { importId } = (await visitor.call('POST /imports/start', { body: { ...file, levels: [] } })).body.import
    const body = { importId, batch: 1, users: [{ row: 1, username, password, subscriptions: [] }] }
    expect((await visitor.call('POST /imports/rows', { body })).body).toMatchObject({ created: 1 })
  }
  const forget = (write = app.db.write) =>
    forgetImportedHashes.run({ ...app.services, db: { ...app.db, write } }, undefined as never)
  const costOf = async () =>
    (await app.db.read.selectFrom('apps').selectAll().where('id', '=', appId).executeTakeFirst())?.imported_hash_cost
  const remove = (username: string) => visitor.call('POST /delete_user', { body: { username } })

  await importUser('first')
  await forget()
  expect(await costOf()).toBe(4)
  const { undoId } = (await remove('first')).body
  await forget(async (work) => {
    await importUser('meanwhile')
    return app.db.write(work)
  })
  expect(await costOf()).toBe(4)
  await remove('meanwhile')
  await forget()
  expect(await costOf()).toBeNull()
  await visitor.call('POST /bin/restore', { body: { undoId: undoId ?? '' } })
  expect(await costOf()).toBe(4)
})
