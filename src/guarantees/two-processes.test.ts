import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { goodPassword, newLicenses, type OwnedApp } from '#testing/people/people.ts'
import { freshPostgresUrl } from '#testing/servers/postgres.ts'
import { Program } from '#testing/people/program.ts'
import { RoundRobinProxy } from '#testing/servers/round-robin.ts'
import { type ServerProcess, startServerProcess } from '#testing/servers/server-process.ts'
import { testEngine, type TestApp } from '#testing/start-test-app.ts'
import { Visitor } from '#testing/people/visitor.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'signet-two-'))
const servers: ServerProcess[] = []
const startsPerMinute = 40
let proxy: RoundRobinProxy
let owner: OwnedApp
let app: TestApp

const appAt = (url: string): TestApp =>
  // As much of a test app as people and programs need of servers that are processes of their own.
  ({ url, visitor: () => new Visitor(url), services: { clock: Date.now } }) as unknown as TestApp

/** What one process says and the other hears takes milliseconds; however slow the machine, it comes. */
async function eventually(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 5))
}

describe.runIf(testEngine === 'postgres')('two processes on one database, with requests sent to both', () => {
  beforeAll(async () => {
    const environment = {
      DATA_DIR: dataDir,
      DATABASE_URL: await freshPostgresUrl(),
      ADMIN_USERNAME: 'operator',
      ADMIN_PASSWORD: goodPassword,
      ADMIN_EMAIL: 'operator@example.com',
      PROGRAM_STARTS_PER_MINUTE: String(startsPerMinute),
    }
    for (let n = 0; n < 2; n++) servers.push(await startServerProcess(environment))
    proxy = await RoundRobinProxy.start()
    proxy.sendTo(servers.map(({ url }) => Number(new URL(url).port)))
    app = appAt(proxy.url)
    const visitor = app.visitor()
    const signIn = { username: 'operator', password: goodPassword }
    const { status, body: answer } = await visitor.call('POST /login', { body: signIn })
    if (status !== 200) throw new Error(`Could not sign in: ${answer.message}`)
    const { body } = await visitor.call('POST /create_app', { body: { appName: 'Shared', version: '1.0.0' } })
    await visitor.call('POST /create_subscription', { body: { level: 1, name: 'Basic', active: true } })
    const { body: me } = await visitor.call('GET /check-auth')
    owner = { visitor, appId: body.appId, appName: 'Shared', id: me.user?.id, username: 'operator' } as OwnedApp
  })
  afterAll(async () => {
    await proxy.close()
    for (const server of servers) await server.killHard()
    rmSync(dataDir, { recursive: true, force: true })
  })

  test('of equal requests of a program that change something, at once or later, one is applied (R-CLI-03)', async () => {
    const program = await Program.of(app, owner)
    await program.init()
    const [license = ''] = await newLicenses(owner, 1)
    expect((await program.license(license)).body.success).toBe(true)
    for (let round = 0; round < 5; round++) {
      const same = { nonce: randomBytes(16).toString('base64url'), time: String(Date.now()) }
      const send = () => program.send('set-user-variable', { name: 'points', value: String(round) }, same)
      const answers = await Promise.all([1, 2, 3, 4].map(send))
      const later = [await send(), await send()]
      const statuses = [...answers, ...later].map(({ status }) => status)
      expect(statuses.filter((status) => status === 200)).toHaveLength(1)
      expect(later.map(({ body }) => body.code)).toEqual(['NONCE_REUSED', 'NONCE_REUSED'])
    }
  })

  test('a session, a ban, and an unban apply in both processes, whichever received them', async () => {
    const program = await Program.of(app, owner)
    await program.init()
    const [license = ''] = await newLicenses(owner, 1)
    await program.license(license)
    const answers = async () => [(await program.heartbeat()).body.code, (await program.heartbeat()).body.code]
    expect(await answers()).toEqual([undefined, undefined])
    await owner.visitor.call('POST /toggle_ban_license', { body: { licenseKey: license, banned: true } })
    await eventually(async () => (await answers()).every((code) => code !== undefined))
    await owner.visitor.call('POST /toggle_ban_license', { body: { licenseKey: license, banned: false } })
    const again = await Program.of(app, owner)
    await again.init()
    await eventually(async () => (await again.license(license)).body.success)
  })

  test('one Idempotency-Key sells one license, however often it is sent (R-LED-07)', async () => {
    const headers = { 'idempotency-key': 'the-same-key-again' }
    const body = { amount: 1, subscription: 1, expiryUnit: 'days', duration: 30 } as const
    const send = () => owner.visitor.call('POST /create_licenses', { body, headers })
    const made = await Promise.all([send(), send(), send(), send()])
    expect(new Set(made.map((answer) => answer.body.licenses?.join())).size).toBe(1)
  })

  test('a limit counts the calls of both processes (R-RATE-01)', async () => {
    const program = await Program.of(app, owner)
    const statuses: number[] = []
    for (let n = 0; n < startsPerMinute * 2; n++) {
      program.session = undefined
      statuses.push((await program.init()).status)
    }
    // One for each process would let all of these pass; what is on its way between them is let through.
    expect(statuses.filter((status) => status === 200).length).toBeLessThan(startsPerMinute * 1.5)
  })
})
