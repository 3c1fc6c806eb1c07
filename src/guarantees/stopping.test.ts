import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { mailProbe } from '#features/status/mail-probe.ts'
import { queueMail } from '../server/mail/mail.ts'
import { startMailServer, startSilentServer, turnMailOn } from '#testing/servers/mail-server.ts'
import { newAdmin, newLicenses, newOwnerWithApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { freshPostgresUrl } from '#testing/servers/postgres.ts'
import { RawConnection } from '#testing/servers/raw-connection.ts'
import { type ServerProcess, startServerProcess } from '#testing/servers/server-process.ts'
import { startTestApp, type TestApp, testEngine } from '#testing/start-test-app.ts'

/** A proxy restarts one server after the other, and nobody notices. */

const dataDir = mkdtempSync(join(tmpdir(), 'signet-stopping-'))
const environment: Record<string, string> = { DATA_DIR: dataDir, DRAIN_SECONDS: '300' }
const servers: ServerProcess[] = []

beforeAll(async () => {
  if (testEngine === 'postgres') environment['DATABASE_URL'] = await freshPostgresUrl()
})
afterAll(async () => {
  for (const server of servers) await server.killHard()
  rmSync(dataDir, { recursive: true, force: true })
})

async function start(): Promise<ServerProcess> {
  const server = await startServerProcess(environment)
  servers.push(server)
  return server
}

interface Reply {
  status: number
  closes: boolean
}

/** Rejects when there is no whole reply. */
const call = (agent: Agent, url: string, method: string): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { agent, method })
    sent.on('error', reject)
    sent.on('response', (response) => {
      response.on('error', reject)
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, closes: response.headers.connection === 'close' }),
      )
      response.resume()
    })
    sent.end()
  })

/** Calls again and again over connections that stay open, as a proxy does; of both kinds of routes. */
class Load {
  readonly replies: Reply[] = []
  readonly failures: unknown[] = []
  readonly #agent = new Agent({ keepAlive: true })
  readonly #workers: Promise<void>[]
  #ended = false

  constructor(url: string) {
    this.#workers = ['GET /healthz', 'POST /api/1.0/client/heartbeat'].flatMap((route) => {
      const [method = '', path = ''] = route.split(' ')
      return Array.from({ length: 4 }, () => this.#work(url + path, method))
    })
  }

  async #work(url: string, method: string): Promise<void> {
    while (!this.#ended) {
      await call(this.#agent, url, method).then(
        (reply) => this.replies.push(reply),
        (error: unknown) => {
          this.failures.push(error)
          this.#ended = true
        },
      )
    }
  }

  async more(replies: number): Promise<void> {
    const until = this.replies.length + replies
    await vi.waitUntil(() => this.replies.length >= until || this.#ended, { timeout: 60_000, interval: 5 })
  }

  async end(): Promise<void> {
    this.#ended = true
    await Promise.all(this.#workers)
    this.#agent.destroy()
  }
}

const readiness = (url: string) =>
  fetch(`${url}/readyz`, { headers: { connection: 'close' } }).then(async (response) => ({
    status: response.status,
    body: (await response.json()) as unknown,
  }))
const takesConnections = (url: string) =>
  fetch(`${url}/healthz`, { headers: { connection: 'close' } }).then(
    () => true,
    () => false,
  )

describe('SIGTERM', () => {
  test('answers every request until the proxy has seen at /readyz that it should send no more', async () => {
    const server = await start()
    const exited = once(server.process, 'exit')
    const load = new Load(server.url)
    const idle = new RawConnection(server.url)
    await load.more(200)
    const before = load.replies.length
    server.process.kill('SIGTERM')
    await vi.waitUntil(async () => (await readiness(server.url)).status !== 200, { timeout: 60_000, interval: 5 })
    expect(await readiness(server.url)).toEqual({ status: 503, body: { status: 'stopping' } })
    await load.more(400)
    await load.end()
    expect(load.failures).toEqual([])
    expect(load.replies.slice(0, before).filter(({ closes }) => closes)).toEqual([])
    // Each connection has one reply at most that was under way when the drain began.
    expect(load.replies.slice(before + 100).filter(({ closes }) => !closes)).toEqual([])
    expect(new Set(load.replies.map(({ status }) => status))).toEqual(new Set([200, 404]))

    // What is under way when the drain ends has its answer too; connections on which nothing is end.
    const slow = new RawConnection(server.url)
    slow.send(
      'POST /api/1.0/client/heartbeat HTTP/1.1\r\nhost: signet\r\nexpect: 100-continue\r\ncontent-length: 2\r\n\r\n',
    )
    await slow.until('100 Continue')
    server.process.kill('SIGTERM')
    await vi.waitUntil(async () => !(await takesConnections(server.url)), { timeout: 60_000, interval: 5 })
    expect(await idle.untilClosed()).toBe('')
    slow.send('{}')
    expect(await slow.untilClosed()).toMatch(/HTTP\/1.1 404 .*"success":false/s)
    expect(await exited).toEqual([0, null])
  }, 180_000)
})

test('SIGINT, sent from a terminal, stops without draining', async () => {
  const server = await start()
  const exited = once(server.process, 'exit')
  server.process.kill('SIGINT')
  expect(await exited).toEqual([0, null])
}, 120_000)

describe('a mail server that never answers', () => {
  let app: TestApp
  afterAll(() => app.close())

  test("doesn't delay a stop: the waiting connection is dropped, and its mail is sent after the next start", async () => {
    app = await startTestApp()
    const admin = await newAdmin(app)
    const silent = await startSilentServer()
    await turnMailOn(app, silent)
    app.services.mailTimeoutMs = 600_000
    app.services.stopGraceMs = 10
    const test = admin.visitor.call('POST /admin/settings/email/test')
    app.advance(60)
    const probe = mailProbe(app.services).tick()
    const values = { username: 'ana', link: 'http://signet.test/#x', minutes: 30 }
    const mail = { to: 'ana@example.com', language: null, code: 'password-reset', values } as const
    await app.db.write((tx) => queueMail(tx, app.services, mail, app.now()))
    await expect.poll(silent.open, { timeout: 60_000 }).toBe(3)
    await app.stop()
    await probe
    expect(await test).toMatchObject({ status: 424, body: { code: 'MAIL_SERVER_SILENT' } })
    const jobs = app.db.read.selectFrom('jobs').select(['attempts', 'error']).where('kind', '=', 'mail')
    expect(await jobs.execute()).toEqual([{ attempts: 0, error: null }])
    await silent.close()
    const server = await startMailServer()
    await turnMailOn(app, server)
    await app.start()
    await app.jobsDone()
    expect(server.mails).toHaveLength(1)
    await server.close()
  }, 120_000)
})

describe('a download whose reader is slower than a stop', () => {
  let app: TestApp
  afterAll(() => app.close())

  test('is cut off: heartbeats are stored, and jobs return to their queue', async () => {
    app = await startTestApp()
    const owner = await newOwnerWithApp(app)
    const [key = ''] = await newLicenses(owner, 1)
    const program = await Program.of(app, owner)
    await program.init()
    await program.license(key)
    // More than connections buffer without being read.
    const file = new File([randomBytes(7_900_000)], 'setup.exe')
    const { download } = (await owner.visitor.call('POST /downloads/upload', { body: {}, file })).body
    const reader = new RawConnection(app.url)
    reader.send(`GET /api/1.0/download/${download.downloadId} HTTP/1.1\r\nhost: signet\r\n\r\n`)
    await reader.until('200 OK')
    reader.socket.pause()
    const silent = await startSilentServer()
    await turnMailOn(app, silent)
    app.services.mailTimeoutMs = 600_000
    const values = { username: 'ana', link: 'http://signet.test/#x', minutes: 30 }
    const mail = { to: 'ana@example.com', language: null, code: 'password-reset', values } as const
    await app.db.write((tx) => queueMail(tx, app.services, mail, app.now()))
    await expect.poll(silent.open, { timeout: 60_000 }).toBe(1)
    app.advance(60)
    expect((await program.heartbeat()).status).toBe(200)
    app.services.stopGraceMs = 10
    app.services.stopRequestsMs = 20
    await app.stop()
    const sessions = app.db.read.selectFrom('client_sessions').select('last_heartbeat_at')
    expect(await sessions.execute()).toEqual([{ last_heartbeat_at: app.now() }])
    const jobs = app.db.read.selectFrom('jobs').select(['attempts', 'error']).where('kind', '=', 'mail')
    expect(await jobs.execute()).toEqual([{ attempts: 0, error: null }])
    const lanes = app.db.read.selectFrom('job_lanes').select('lease').where('kind', '=', 'mail')
    expect(await lanes.execute()).toEqual([{ lease: '' }])
    await silent.close()
    await app.start()
  }, 120_000)
})
