import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { goodPassword, newLicenses, type OwnedApp } from '#testing/people/people.ts'
import { freshPostgresUrl } from '#testing/servers/postgres.ts'
import { Program } from '#testing/people/program.ts'
import { type ServerProcess, startServerProcess } from '#testing/servers/server-process.ts'
import { testEngine, type TestApp } from '#testing/start-test-app.ts'
import { Visitor } from '#testing/people/visitor.ts'

/** Recorded requests of programs, sent again to a server process that was stopped or killed in between (R-CLI-03). */

const dataDir = mkdtempSync(join(tmpdir(), 'signet-replay-'))
const environment: Record<string, string> = {
  DATA_DIR: dataDir,
  ADMIN_USERNAME: 'operator',
  ADMIN_PASSWORD: goodPassword,
  ADMIN_EMAIL: 'operator@example.com',
}
let server: ServerProcess
let owner: OwnedApp
let program: Program

const app = {
  get url() {
    return server.url
  },
  services: { clock: Date.now },
} as unknown as TestApp

beforeAll(async () => {
  if (testEngine === 'postgres') environment['DATABASE_URL'] = await freshPostgresUrl()
  server = await startServerProcess(environment)
  const visitor = new Visitor(server.url)
  await visitor.call('POST /login', { body: { username: 'operator', password: goodPassword } })
  const { body } = await visitor.call('POST /create_app', { body: { appName: 'Replayed', version: '1.0.0' } })
  await visitor.call('POST /create_subscription', { body: { level: 1, name: 'Basic', active: true } })
  const { body: me } = await visitor.call('GET /check-auth')
  owner = { visitor, appId: body.appId, appName: 'Replayed', id: me.user?.id, username: 'operator' } as OwnedApp
  program = await Program.of(app, owner)
  const [key = ''] = await newLicenses(owner, 1)
  await program.init()
  const { status, body: answer } = await program.license(key)
  if (status !== 200) throw new Error(`Could not sign in: ${answer.message}`)
})
afterAll(async () => {
  await server.killHard()
  rmSync(dataDir, { recursive: true, force: true })
})

const newSeal = () => ({ nonce: randomBytes(16).toString('base64url'), time: String(Date.now()) })
const setPoints = (value: string, seal = newSeal()) =>
  program.send('set-user-variable', { name: 'points', value }, seal)
const points = async () => (await program.send('user-variable', { name: 'points' })).body['value']

test.each([
  ['SIGTERM', () => server.stop()],
  ['kill -9', () => server.killHard()],
])(
  'after %s a request that changes something is rejected, and a heartbeat changes nothing (R-CLI-03)',
  async (_name, end) => {
    const [change, heartbeat] = [newSeal(), newSeal()]
    expect((await setPoints('100', change)).status).toBe(200)
    expect((await setPoints('3')).status).toBe(200)
    expect((await program.send('heartbeat', {}, heartbeat)).status).toBe(200)
    await end()
    server = await startServerProcess(environment)
    expect((await setPoints('100', change)).body.code).toBe('NONCE_REUSED')
    const { status, body } = await program.send('heartbeat', {}, heartbeat)
    expect([status, body['user']]).toEqual([200, expect.objectContaining({ username: expect.any(String) })])
    expect(await points()).toBe('3')
    // Within one process it is answered once all the same.
    expect((await program.send('heartbeat', {}, heartbeat)).body.code).toBe('NONCE_REUSED')
  },
)
