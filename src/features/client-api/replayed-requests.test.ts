import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { databaseDigest } from '#testing/database-digest.ts'
import { userPassword } from '#testing/people/end-users.ts'
import { startMailServer, turnMailOn, type MailServer } from '#testing/servers/mail-server.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { keepSignedIn } from '#testing/platform.ts'
import { Program } from '#testing/people/program.ts'
import { startTestApp, testEngine, type TestApp } from '#testing/start-test-app.ts'
import { startReceiver, type WebhookReceiver } from '#testing/servers/webhook-receiver.ts'
import { changingCalls, type ClientCall, clientBodies } from './client-calls.ts'

/**
 * A recorded request that changes something takes effect once, permanently; one that only reads may be answered again
 * (R-CLI-03).
 */

let app: TestApp
let mail: MailServer
let receiver: WebhookReceiver
let owner: OwnedApp
let program: Program

beforeAll(async () => {
  app = await startTestApp()
  mail = await startMailServer()
  receiver = await startReceiver(app)
  owner = await newOwnerWithApp(app)
  await keepSignedIn(app, owner)
  await turnMailOn(app, mail)
})
beforeEach(async () => {
  program = await Program.of(app, owner)
})
afterAll(async () => {
  await app.close()
  await receiver.close()
  await mail.close()
})

const newKey = async () => (await newLicenses(owner, 1))[0] ?? ''
const newUsername = () => `user-${randomBytes(6).toString('hex')}`

/** Signs in a new user with a password. */
async function signIn(): Promise<string> {
  const username = newUsername()
  await program.init()
  expect((await program.register(username, userPassword, await newKey())).status).toBe(200)
  return username
}

interface Request {
  call: ClientCall
  fields: object
}

/** A successful request of each call. */
const requests: { [C in ClientCall]: () => Promise<object> } = {
  init: async () => ({ version: '1.0.0' }),
  license: async () => {
    await program.init()
    return { key: await newKey(), hwid: program.hwid }
  },
  login: async () => {
    const username = await signIn()
    return { username, password: userPassword, hwid: program.hwid }
  },
  register: async () => {
    await program.init()
    return { username: newUsername(), password: userPassword, licenseKey: await newKey(), hwid: program.hwid }
  },
  renew: async () => {
    await signIn()
    return { version: '1.0.0', hwid: program.hwid }
  },
  'request-password-reset': async () => ({ username: await signIn() }),
  heartbeat: async () => {
    await signIn()
    return {}
  },
  variable: async () => {
    await signIn()
    const name = newUsername()
    const body = { variableName: name, variableData: 'x', authenticated: true }
    await owner.visitor.send('POST', '/api/1.0/website/modify_app_var', { body })
    return { name }
  },
  'user-variable': async () => {
    await signIn()
    await program.send('set-user-variable', { name: 'points', value: '3' })
    return { name: 'points' }
  },
  'set-user-variable': async () => {
    await signIn()
    return { name: 'points', value: '100' }
  },
  log: async () => {
    await signIn()
    return { message: 'a message of the program' }
  },
  download: async () => {
    await signIn()
    const file = new File(['the bytes'], 'setup.exe')
    const { body } = await owner.visitor.call('POST /downloads/upload', { body: { name: newUsername() }, file })
    return { id: body.download.downloadId }
  },
  upgrade: async () => {
    await signIn()
    return { licenseKey: await newKey() }
  },
  'change-password': async () => {
    await signIn()
    return { password: userPassword, newPassword: 'Another-password-of-user' }
  },
  'call-webhook': async () => {
    await signIn()
    const { body } = await owner.visitor.call('POST /create_webhook', { body: { url: receiver.url } })
    return { id: body.webhookId }
  },
  logout: async () => {
    await signIn()
    return {}
  },
}

const newRequest = async (call: ClientCall): Promise<Request> => ({ call, fields: await requests[call]() })
const newSeal = () => ({ nonce: randomBytes(16).toString('base64url'), time: String(app.services.clock()) })

async function restart(): Promise<void> {
  await app.stop()
  await app.start()
}

test.each([...changingCalls])('%s: a request counts once, across restarts too (R-CLI-03)', async (call) => {
  const { fields } = await newRequest(call)
  const { session } = program
  const recorded = newSeal()
  expect((await program.send(call, fields, recorded)).body).toMatchObject({ success: true })
  expect((await program.send(call, fields, recorded)).status).not.toBe(200)
  await restart()
  const before = await databaseDigest(app.db)
  const received = receiver.received.length
  program.session = session
  const answer = await program.send(call, fields, recorded)
  // If the first request ended the session, that error comes first.
  expect(answer.body.code).toBe(call === 'logout' ? 'SESSION_ENDED' : 'NONCE_REUSED')
  expect(await databaseDigest(app.db)).toBe(before)
  expect(receiver.received).toHaveLength(received)
})

const reads = (Object.keys(clientBodies) as ClientCall[]).filter((call) => !changingCalls.has(call))

test.each(reads)('%s: a replay after a restart changes nothing', async (call) => {
  const { fields } = await newRequest(call)
  const recorded = newSeal()
  expect((await program.send(call, fields, recorded)).status).toBe(200)
  await restart()
  const before = await databaseDigest(app.db)
  expect((await program.send(call, fields, recorded)).status).toBe(200)
  expect(await databaseDigest(app.db)).toBe(before)
})

test("a replay after a restart doesn't set a user variable back from 3 to 100", async () => {
  await signIn()
  const recorded = newSeal()
  await program.send('set-user-variable', { name: 'points', value: '100' }, recorded)
  await program.send('set-user-variable', { name: 'points', value: '3' })
  await restart()
  await program.send('set-user-variable', { name: 'points', value: '100' }, recorded)
  expect((await program.send('user-variable', { name: 'points' })).body['value']).toBe('3')
})

test("a replayed failed sign-in isn't counted twice", async () => {
  const username = await signIn()
  await program.init()
  const recorded = newSeal()
  const fields = { username, password: 'not the password', hwid: program.hwid }
  expect((await program.send('login', fields, recorded)).body.code).toBe('INVALID_CREDENTIALS')
  await restart()
  expect((await program.send('login', fields, recorded)).body.code).toBe('NONCE_REUSED')
})

test('one of several identical concurrent requests takes effect', async () => {
  const { call, fields } = await newRequest('upgrade')
  const recorded = newSeal()
  const answers = await Promise.all([1, 2, 3, 4, 5, 6].map(() => program.send(call, fields, recorded)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(({ body }) => body.code === 'NONCE_REUSED')).toHaveLength(5)
})

test.runIf(testEngine === 'postgres')('a crash of PostgreSQL loses no nonces', async () => {
  const { rows } = await sql<{ kind: string }>`select relpersistence as kind from pg_class
    where relname = 'used_nonces'`.execute(app.db.read)
  // The table is permanent: an unlogged one is empty after a crash.
  expect(rows).toEqual([{ kind: 'p' }])
})

test('a rejected request stores no nonce, and old nonces are deleted', async () => {
  const count = async () =>
    Number(
      (
        await app.db.read
          .selectFrom('used_nonces')
          .select(({ fn }) => fn.countAll<number>().as('n'))
          .executeTakeFirstOrThrow()
      ).n,
    )
  await program.init()
  const before = await count()
  expect((await program.license('NO-SUCH-KEY')).body.code).toBe('LICENSE_NOT_FOUND')
  expect((await program.heartbeat()).body.code).toBe('NOT_SIGNED_IN')
  expect(await count()).toBe(before)
  app.advance(900)
  await app.jobsDone()
  expect(await count()).toBe(0)
})
