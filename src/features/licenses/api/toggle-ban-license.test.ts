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

const toggle = (body: object) =>
  owner.visitor.send<{ banned: boolean }>('POST', '/api/1.0/website/toggle_ban_license', { body })
const isBanned = async (search: string) =>
  (await owner.visitor.call('GET /licenses', { query: { search } })).body.licenses[0]?.banned

describe('banning and unbanning', () => {
  test('bans on the first call and unbans on the second', async () => {
    const [licenseKey = ''] = await newLicenses(owner, 1)
    expect((await toggle({ licenseKey })).body).toMatchObject({
      success: true,
      code: 'LICENSE_BAN_OK',
      message: 'License banned successfully',
      banned: true,
    })
    expect(await isBanned(licenseKey)).toBe(true)
    expect((await toggle({ license: licenseKey })).body).toMatchObject({
      code: 'LICENSE_UNBAN_OK',
      message: 'License unbanned successfully',
      banned: false,
    })
    expect(await isBanned(licenseKey)).toBe(false)
  })

  test('with `banned`, sets that state, so repeating the call changes nothing', async () => {
    const [licenseKey = ''] = await newLicenses(owner, 1)
    for (const banned of [true, true, false, false]) {
      expect((await toggle({ licenseKey, banned })).body.banned).toBe(banned)
      expect(await isBanned(licenseKey)).toBe(banned)
    }
  })

  test("a banned unused license can't be redeemed until it is unbanned", async () => {
    const [licenseKey = ''] = await newLicenses(owner, 1)
    const program = await Program.of(app, owner)
    await program.init()
    await toggle({ licenseKey })
    expect((await program.license(licenseKey)).body).toMatchObject({ success: false, code: 'LICENSE_BANNED' })
    await toggle({ licenseKey })
    expect((await program.license(licenseKey)).body.success).toBe(true)
  })

  test('a ban ends the running session of its license at once, and no other', async () => {
    const [first = '', second = ''] = await newLicenses(owner, 2)
    const programs = [await Program.of(app, owner), await Program.of(app, owner)] as const
    for (const [at, program] of programs.entries()) {
      await program.init()
      expect((await program.license([first, second][at] as string)).body.success).toBe(true)
    }
    await toggle({ licenseKey: first })
    expect((await programs[0].heartbeat()).body).toMatchObject({ success: false, code: 'LICENSE_BANNED' })
    expect((await programs[1].heartbeat()).body.success).toBe(true)
  })
})

describe('invalid input', () => {
  test('rejects hostile bodies and changes nothing', async () => {
    const [licenseKey = ''] = await newLicenses(owner, 1)
    await expectAllRejected(app, owner.visitor, '/toggle_ban_license', [
      ...hostileBodies(
        { licenseKey },
        { licenseKey: [...notTexts, '', 'k'.repeat(201)], license: [...notTexts, ''], banned: notFlags },
      ),
      {},
    ])
  })
})
