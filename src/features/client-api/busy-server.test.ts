import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { userHashing } from '#server/passwords/hashing-use.ts'
import { fillPasswordQueue } from '#testing/faults/full-password-queue.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { hasTwoProcesses, startTestApp, type TestApp } from '#testing/start-test-app.ts'

const password = 'Password-of-user'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

async function started(owner: OwnedApp): Promise<Program> {
  const program = await Program.of(app, owner)
  await program.init()
  return program
}

describe.skipIf(hasTwoProcesses)("while the owner's share of the password queue is full", () => {
  let owner: OwnedApp
  let program: Program
  let empty: () => Promise<void>
  beforeAll(async () => {
    owner = await newOwnerWithApp(app)
    program = await started(owner)
    const [key = ''] = await newLicenses(owner, 1)
    await program.register('customer', password, key)
    empty = await fillPasswordQueue(app.services.passwords, userHashing(owner.id))
  })

  test('sign-ins of another owner and to the dashboard are served', async () => {
    const other = await newOwnerWithApp(app)
    const [key = ''] = await newLicenses(other, 1)
    const theirs = await started(other)
    expect((await theirs.register('customer', password, key)).body.success).toBe(true)
    expect((await theirs.login('customer', password)).body.success).toBe(true)
  })

  test('a registration that is rejected anyway hears why, and costs no hash', async () => {
    const [used = '', banned = '', unused = ''] = await newLicenses(owner, 3)
    await (await started(owner)).license(used)
    await owner.visitor.call('POST /toggle_ban_license', { body: { licenseKey: banned } })
    const codeOf = async (name: string, key: string) => (await program.register(name, password, key)).body.code
    expect(await codeOf('somebody', 'no-such-key')).toBe('LICENSE_NOT_FOUND')
    expect(await codeOf('somebody', used)).toBe('LICENSE_ALREADY_USED')
    expect(await codeOf('somebody', banned)).toBe('LICENSE_BANNED')
    expect(await codeOf('Customer', unused)).toBe('USERNAME_TAKEN')
    expect(await codeOf('somebody', unused)).toBe('SERVER_BUSY')
  })

  test('an attempt counts as no failure, on the bound machine and on another one', async () => {
    const elsewhere = await started(owner)
    elsewhere.hwid = 'another-machine'
    for (const each of [program, elsewhere]) {
      for (let n = 0; n < 7; n++) expect((await each.login('customer', password)).body.code).toBe('SERVER_BUSY')
    }
    const change = { password, newPassword: 'Different8Donkey' }
    for (let n = 0; n < 7; n++) expect((await program.send('change-password', change)).body.code).toBe('SERVER_BUSY')
    await empty()
    const counted = app.db.read.selectFrom('login_failures').selectAll().where('failures', '>', 0)
    expect(await counted.where('subject', 'like', `%${owner.appId}%`).execute()).toEqual([])
    expect((await elsewhere.login('customer', password)).body.code).toBe('HWID_MISMATCH')
    expect((await program.login('customer', password)).body.success).toBe(true)
  })
})
