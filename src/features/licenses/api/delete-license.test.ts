import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAllRejected, hostileBodies, notFlags, notTexts } from '#testing/faults/hostile-input.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
})
afterAll(() => app.close())

const remove = (body: object) => owner.visitor.send('POST', '/api/1.0/website/delete_license', { body })
const exists = async (search: string) =>
  (await owner.visitor.call('GET /licenses', { query: { search } })).body.total === 1
const userExists = async (name: string) =>
  (await app.db.read.selectFrom('users').select('id').where('username', '=', name).executeTakeFirst()) !== undefined

async function redeemed(): Promise<{ key: string; program: Program }> {
  const [key = ''] = await newLicenses(owner, 1)
  const program = await Program.of(app, owner)
  await program.init()
  expect((await program.license(key)).body.success).toBe(true)
  return { key, program }
}

describe('deleting a license', () => {
  test('deletes that license and no other', async () => {
    const [first = '', second = ''] = await newLicenses(owner, 2)
    expect((await remove({ licenseKey: first })).body).toMatchObject({
      success: true,
      code: 'LICENSE_DELETE_OK',
      message: 'License deleted successfully',
    })
    expect([await exists(first), await exists(second)]).toEqual([false, true])
    expect((await remove({ licenseKey: first })).status).toBe(404)
    expect((await remove({ license: second })).status).toBe(200)
  })

  test('ends the session that uses it; the user stays unless asked', async () => {
    const { key, program } = await redeemed()
    expect((await remove({ licenseKey: key })).status).toBe(200)
    expect((await program.heartbeat()).body).toMatchObject({ success: false, code: 'SESSION_ENDED' })
    expect(await userExists(key)).toBe(true)
  })

  test.each([{ deleteUser: true }, { deleteUsers: true }])('%j deletes the user who redeemed it too', async (flag) => {
    const { key, program } = await redeemed()
    expect((await remove({ licenseKey: key, ...flag })).status).toBe(200)
    expect(await userExists(key)).toBe(false)
    expect((await program.heartbeat()).body.success).toBe(false)
  })

  test("a deleted key can't be redeemed", async () => {
    const [key = ''] = await newLicenses(owner, 1)
    await remove({ licenseKey: key })
    const program = await Program.of(app, owner)
    await program.init()
    expect((await program.license(key)).body).toMatchObject({ success: false, code: 'LICENSE_NOT_FOUND' })
  })

  test('of 20 parallel deletions, exactly one succeeds', async () => {
    const [key = ''] = await newLicenses(owner, 1)
    const answers = await Promise.all(Array.from({ length: 20 }, () => remove({ licenseKey: key })))
    const { body } = await owner.visitor.call('GET /licenses')
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(19)
    expect(body.counts.total).toBe(Number(await rowsOf(owner.appId)))
  })
})

async function rowsOf(appId: string): Promise<number> {
  return (await app.db.read.selectFrom('licenses').select('id').where('app_id', '=', appId).execute()).length
}

describe('invalid input', () => {
  test('rejects hostile bodies and changes nothing', async () => {
    const [licenseKey = ''] = await newLicenses(owner, 1)
    await expectAllRejected(app, owner.visitor, '/delete_license', [
      ...hostileBodies(
        { licenseKey },
        {
          licenseKey: [...notTexts, '', 'k'.repeat(201)],
          license: [...notTexts, ''],
          deleteUser: notFlags,
          deleteUsers: notFlags,
          refundCredits: notFlags,
        },
      ),
      {},
    ])
  })

  test.each(['%', '*', `' or 1=1 --`, '____-____-____-____'])('the key %j matches no license', async (licenseKey) => {
    await newLicenses(owner, 1)
    const before = await rowsOf(owner.appId)
    expect((await remove({ licenseKey })).status).toBe(404)
    expect(await rowsOf(owner.appId)).toBe(before)
  })
})

test("deleting a banned license doesn't lift its ban", async () => {
  const [licenseKey = ''] = await newLicenses(owner, 1)
  const program = await Program.of(app, owner)
  await program.init()
  const password = 'Password-of-keeper'
  expect((await program.register('keeper', password, licenseKey)).body.success).toBe(true)
  await owner.visitor.call('POST /toggle_ban_license', { body: { licenseKey } })
  expect((await remove({ licenseKey })).status).toBe(200)
  await program.init()
  expect((await program.login('keeper', password)).body).toMatchObject({ success: false, code: 'SUBSCRIPTION_EXPIRED' })
})
