import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '#database/database.ts'
import { day, passTime, timeLeft } from '#testing/people/end-users.ts'
import { newLicenses, newOwnerWithApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { redactBinAddresses } from './bin.jobs.ts'

let app: TestApp
beforeAll(async () => void (app = await startTestApp({ config: { addressRetentionDays: 1 } })))
afterAll(() => app.close())

/** Another request that is done just before a transaction begins. */
const beforeWrites = (db: Database, request: () => Promise<void>): Database => ({
  ...db,
  searched: db.searched.bind(db),
  async write(work) {
    await request()
    return db.write(work)
  },
})

test('redacting addresses keeps what a license that is restored at that moment gives to its deleted user', async () => {
  const owner = await newOwnerWithApp(app)
  const [key = ''] = await newLicenses(owner, 1)
  const program = await Program.of(app, owner)
  await program.init()
  expect((await program.license(key)).body.success).toBe(true)
  await passTime(app, owner, 2 * day)
  const license = (await owner.visitor.call('POST /delete_license', { body: { licenseKey: key } })).body
  const user = (await owner.visitor.call('POST /delete_user', { body: { username: key } })).body
  const restore = async (undoId: string | null) => {
    const { body } = await owner.visitor.call('POST /bin/restore', { body: { undoId: undoId as string } })
    expect(body).toMatchObject({ restored: 1 })
  }
  const db = beforeWrites(app.db, () => restore(license.undoId))
  await redactBinAddresses.run({ ...app.services, db }, {} as never)
  const { content } = await app.db.read
    .selectFrom('bin_items')
    .select('content')
    .where('app_id', '=', owner.appId)
    .executeTakeFirstOrThrow()
  expect(JSON.parse(content).user).toMatchObject({ username: key, ip: '' })
  await restore(user.undoId)
  expect(await timeLeft(owner, key)).toBe(28 * day)
})
