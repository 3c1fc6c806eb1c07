import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { stripTypeScriptTypes } from 'node:module'
import { createInterface } from 'node:readline'
import { Webhook as Verifier } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { FlakyProxy } from '../../testing/faults/flaky-proxy.ts'
import { newShop, type Shop, sold, soldLicense } from '../../testing/people/sellers.ts'
import { freePort } from '../../testing/servers/free-port.ts'
import { startReceiver, type WebhookReceiver } from '../../testing/servers/webhook-receiver.ts'
import { startTestApp, type TestApp } from '../../testing/start-test-app.ts'
import { newSignet, type Signet } from './run-signet.ts'

/** Webhook events on the machine of a developer, from the real server to a real receiver. */

let app: TestApp
let shop: Shop
let signet: Signet
let receiver: WebhookReceiver
let children: ChildProcessWithoutNullStreams[] = []

beforeAll(async () => {
  app = await startTestApp({ clockRuns: true })
})
beforeEach(async () => {
  // An address may register few accounts in an hour.
  app.advance(3600)
  shop = await newShop(app)
  signet = newSignet({ SIGNET_URL: app.url, SIGNET_KEY: shop.seller.key })
  receiver = await startReceiver(app)
})
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL')
  children = []
  rmSync(signet.home, { recursive: true })
  await receiver.close()
})
afterAll(() => app.close())

interface Line {
  secret: string
  id: string
  event: { type: string; data: { target: string } }
  forwarded?: { status?: number; failure?: string }
}

/** A command that listens, once it does. */
async function listening(args: readonly string[], env: Record<string, string> = {}) {
  const child = signet.start(['webhooks', 'listen', ...args], env)
  children.push(child)
  const written = { stdout: '', stderr: '' }
  child.stderr.on('data', (chunk: Buffer) => (written.stderr += chunk.toString()))
  child.stdout.on('data', (chunk: Buffer) => (written.stdout += chunk.toString()))
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const line = async () => String((await lines.next()).value)
  const ended = once(child, 'close')
  return {
    child,
    written,
    first: await line(),
    line,
    json: async () => JSON.parse(await line()) as Line,
    ended: async () => [((await ended) as [number | null])[0], written.stderr],
    /** Resolves when it has written this to its standard error. */
    says: (text: string) => expect.poll(() => written.stderr).toContain(text),
  }
}
const listJson = async (args: readonly string[], env: Record<string, string> = {}) => {
  const command = await listening(['--json', ...args], env)
  return { ...command, secret: (JSON.parse(command.first) as Line).secret }
}

const ban = async (license: string) => sold(shop.seller, 'POST', `/licenses/${license}/ban`)
const banned = async () => {
  const license = await soldLicense(shop.seller)
  await ban(license)
  return license
}
const listeners = async () => {
  const ofApp = app.db.read.selectFrom('webhook_listeners').select('id').where('app_id', '=', shop.owner.appId)
  return (await ofApp.execute()).map(({ id }) => id)
}

/** The verifier of the guide, as a developer copies it. */
function guideVerifier(secret: string) {
  const guide = readFileSync('docs/guides/webhooks.md', 'utf8')
  const [program = ''] = /const key = [\s\S]*?\n}\n/.exec(guide) ?? []
  const code = stripTypeScriptTypes(program).replace('YOUR_WEBHOOK_SECRET', secret)
  return new Function('Buffer', 'createHmac', 'timingSafeEqual', `${code}\nreturn isFromSignet`)
}

describe('a receiver on the own machine', () => {
  test('gets the bytes and headers of a real delivery, with a signature that its verifier accepts', async () => {
    const { createHmac, timingSafeEqual } = await import('node:crypto')
    const { body: webhook } = await shop.owner.visitor.call('POST /create_webhook', {
      body: { url: receiver.url, events: ['license.banned'] },
    })
    const command = await listJson(['--forward', `${receiver.url}/local`, '--event', 'license.banned'])
    const license = await banned()
    await app.jobsDone()
    expect(await command.json()).toMatchObject({
      event: { type: 'license.banned', data: { target: license } },
      forwarded: { status: 204 },
    })
    const [local, real] = ['/hook/local', '/hook'].map((path) => receiver.received.find((each) => each.path === path))
    if (!local || !real) throw new Error('both requests must have arrived')
    expect(local.body).toBe(real.body)
    expect(local.method).toBe('POST')
    const steady = ({ host: _h, 'webhook-timestamp': _t, 'webhook-signature': _s, ...rest }: IncomingHttpHeaders) =>
      rest
    expect(steady(local.headers)).toEqual(steady(real.headers))
    expect(Object.keys(local.headers)).toEqual(expect.arrayContaining(Object.keys(real.headers)))
    new Verifier(command.secret).verify(local.body, local.headers as Record<string, string>)
    const isFromSignet = guideVerifier(command.secret)(Buffer, createHmac, timingSafeEqual) as (
      headers: IncomingHttpHeaders,
      body: string,
    ) => boolean
    expect(isFromSignet(local.headers, local.body)).toBe(true)
    expect(isFromSignet(local.headers, local.body.replace('banned', 'bannes'))).toBe(false)
    expect(isFromSignet(real.headers, real.body)).toBe(false)
    expect(webhook.secret).not.toBe(command.secret)
  })

  test('that rejects, redirects, or sends control characters is shown by its status alone', async () => {
    const answers: WebhookReceiver['answer'][] = [
      (response) => void response.writeHead(500, 'Bad\tday').end('\u001B]0;title\u0007'),
      (response) => void response.writeHead(302, { location: receiver.url.replace('/hook', '/elsewhere') }).end(),
      (response) => void response.writeHead(200).end('x'.repeat(1_000_000)),
      (response) => void response.destroy(),
    ]
    receiver.answer = (response, request) => answers.shift()?.(response, request)
    const command = await listening(['--forward', receiver.url, '--event', 'license.banned'])
    for (const outcome of ['500 Internal Server Error', '302 Found', '200 OK', 'connection reset']) {
      const license = await banned()
      expect(await command.line()).toMatch(new RegExp(`license\\.banned  ${license}  ${outcome}( \\d+ ms)?$`))
    }
    expect(receiver.received.map(({ path }) => path)).toEqual(['/hook', '/hook', '/hook', '/hook'])
    expect(command.written.stdout + command.written.stderr).not.toMatch(/[^\P{C}\n]/u)
  })

  test('that is not there is told, and the next event is sent all the same', async () => {
    const url = `http://127.0.0.1:${await freePort()}/`
    const command = await listening(['--forward', url, '--event', 'license.banned'])
    for (let times = 0; times < 2; times++) {
      await banned()
      expect(await command.line()).toMatch(/ {2}connection refused$/)
    }
  })
})

describe('listening', () => {
  test('prints the selected events, one line each, and keeps the secret of the person', async () => {
    const own = `whsec_${Buffer.from('a secret of thirty-two bytes ...').toString('base64')}`
    const command = await listening(['--event', 'license.banned', '--event', 'license.unbanned'], {
      SIGNET_WEBHOOK_SECRET: own,
    })
    expect(command.first).toBe(`Secret  ${own}`)
    const license = await banned()
    await sold(shop.seller, 'POST', `/licenses/${license}/unban`)
    expect(await command.line()).toMatch(
      new RegExp(`^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d  license.banned  ${license}$`),
    )
    expect(await command.line()).toMatch(new RegExp(`license.unbanned  ${license}$`))
  })

  test('survives a server that is away: nothing is lost, and nothing comes twice', async () => {
    const proxy = await FlakyProxy.start(app.url)
    const command = await listJson(['--forward', receiver.url, '--event', 'license.banned'], { SIGNET_URL: proxy.url })
    const targets = [await banned()]
    expect((await command.json()).event.data.target).toBe(targets[0])
    for (let times = 0; times < 2; times++) {
      await proxy.reject()
      await command.says('trying again')
      targets.push(await banned(), await banned())
      await proxy.restore()
      for (const target of targets.slice(-2)) expect((await command.json()).event.data.target).toBe(target)
    }
    targets.push(await banned())
    expect((await command.json()).event.data.target).toBe(targets.at(-1))
    const sent = receiver.received.map(({ body }) => (JSON.parse(body) as Line['event']).data.target)
    expect(sent).toEqual(targets)
    await proxy.close()
  })

  test('goes on with the same secret when the server has ended the listener in the meantime', async () => {
    const proxy = await FlakyProxy.start(app.url)
    const command = await listJson(['--forward', receiver.url, '--event', 'license.banned'], { SIGNET_URL: proxy.url })
    const [before] = await listeners()
    await proxy.reject()
    await command.says('trying again')
    for (let minutes = 0; minutes < 5; minutes++) {
      app.advance(60)
      await app.jobsDone()
    }
    expect(await listeners()).toEqual([])
    await proxy.restore()
    await command.says('had ended the listener')
    const license = await banned()
    expect((await command.json()).event.data.target).toBe(license)
    expect(await listeners()).not.toEqual([before])
    const [{ body = '', headers = {} } = {}] = receiver.received
    new Verifier(command.secret).verify(body, headers as Record<string, string>)
    await proxy.close()
  })

  test.each(['SIGINT', 'SIGTERM'] as const)('ends with %s and leaves nothing behind', async (signal) => {
    const command = await listening([])
    expect(await listeners()).toHaveLength(1)
    command.child.kill(signal)
    expect((await command.ended())[0]).toBe(0)
    expect(await listeners()).toEqual([])
  })

  test('that is killed leaves a listener, which the server ends two minutes later', async () => {
    const command = await listening([])
    command.child.kill('SIGKILL')
    await command.ended()
    expect(await listeners()).toHaveLength(1)
    for (let minutes = 0; minutes < 5; minutes++) {
      app.advance(60)
      await app.jobsDone()
    }
    expect(await listeners()).toEqual([])
  })

  test('ends with 1 when the key is paused, and sends nothing more', async () => {
    const command = await listening(['--forward', receiver.url])
    const body = { sellerKey: shop.seller.key.slice(8, 16), status: 'paused' as const }
    await shop.owner.visitor.call('POST /toggle_seller_key_status', { body })
    const create = { body: { amount: 1, subscription: 1 } }
    expect((await shop.owner.visitor.call('POST /create_licenses', create)).status).toBe(200)
    const [code, stderr] = await command.ended()
    expect([code, stderr]).toEqual([1, expect.stringContaining('SELLER_KEY_PAUSED')])
    expect(receiver.received).toEqual([])
  })

  test('with wrong usage ends with 2 and creates no listener', async () => {
    const wrong: [string[], Record<string, string>][] = [
      [['--forward', 'ftp://127.0.0.1/'], {}],
      [['--forward', 'localhost:3000'], {}],
      [['--forward', 'http://ana:pass@127.0.0.1/'], {}],
      [['--forward', ''], {}],
      [[], { SIGNET_WEBHOOK_SECRET: 'whsec_c2hvcnQ=' }],
      [[], { SIGNET_WEBHOOK_SECRET: 'secret' }],
      [['--events', 'license.banned'], {}],
    ]
    for (const [args, env] of wrong) {
      const { code, stderr } = await signet.run(['webhooks', 'listen', ...args], { env })
      expect([code, stderr], args.join(' ')).toEqual([2, expect.not.stringContaining('pass@')])
    }
    const unknown = await signet.run(['webhooks', 'listen', '--event', 'license.stolen'])
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('INVALID_REQUEST')])
    expect(await listeners()).toEqual([])
  })
})
