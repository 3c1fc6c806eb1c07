import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { ScriptedServer } from '../scripted-server.ts'
import { SignetError, UnverifiedError } from './client.ts'

/** A call ends when its time is up or somebody ends it, whatever the other side does. What hangs here hangs forever. */

const short = 0.1
const forever = 86_400
const folder = mkdtempSync(join(tmpdir(), 'signet-deadline-'))
const servers: Server[] = []
afterAll(() => {
  rmSync(folder, { recursive: true })
  for (const server of servers) server.closeAllConnections()
  for (const server of servers) server.close()
})

const codeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'accepted',
    (error: unknown) => (error instanceof SignetError ? error.code : Promise.reject(error)),
  )

/** The address of a server that answers with these bits, again and again, and never ends. */
async function dripping(head: string, bit: string): Promise<string> {
  const server = createServer(({ socket }) => {
    socket.write(head)
    const timer = setInterval(() => socket.write(bit), 5)
    socket.on('close', () => clearInterval(timer)).on('error', () => undefined)
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('the deadline', () => {
  test('ends a call without an answer, even if fetch ignores its signal', async () => {
    const server = new ScriptedServer()
    server.scripts.set('init', 'hang')
    const error: unknown = await server
      .client({ timeoutSeconds: short })
      .init()
      .catch((error: unknown) => error)
    expect(error).toBeInstanceOf(UnverifiedError)
    expect(error).toMatchObject({ code: 'NETWORK', isTemporary: true })
    expect(server.calls).toEqual(['init'])
  })

  test.each([
    ['headers', 'HTTP/1.1 200 OK\r\n', 'x'],
    ['a body', 'HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n', ' '],
    ['chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n', '1\r\n \r\n'],
  ])('ends %s that never end', async (_, head, bit) => {
    const serverUrl = await dripping(head, bit)
    const client = new ScriptedServer().client({ serverUrl, timeoutSeconds: short, fetch })
    expect(await codeOf(client.init())).toBe('NETWORK')
  })

  test('counts the wait for other calls, and a call that gave up is not made later', async () => {
    const server = new ScriptedServer()
    server.scripts.set('variable', 'hang')
    const client = server.client({ timeoutSeconds: 0.3 })
    await client.init()
    const hanging = codeOf(client.variable('x'))
    const aborted = new AbortController()
    const waiting = codeOf(client.log('never sent', { signal: aborted.signal }).catch(() => undefined))
    aborted.abort()
    expect(await waiting).toBe('accepted')
    expect(await hanging).toBe('NETWORK')
    server.scripts.clear()
    await client.variable('x')
    expect(server.calls).not.toContain('log')
  })

  test('counts all tries together', async () => {
    const server = new ScriptedServer()
    server.scripts.set('init', { status: 400, code: 'CLOCK_SKEW' })
    const slow = async (url: string, init: RequestInit) => {
      await new Promise((resolve) => setTimeout(resolve, 300))
      return server.fetch(url, init)
    }
    expect(await codeOf(server.client({ timeoutSeconds: 0.5, fetch: slow }).init())).toBe('NETWORK')
  })

  test('counts the time that a function for the hardware ID takes', async () => {
    const server = new ScriptedServer()
    const client = server.client({ timeoutSeconds: short, hwid: () => new Promise<string>(() => undefined) })
    expect(await codeOf(client.license('KEY'))).toBe('NETWORK')
  })

  test('is not part of a rate limit: that is thrown at once', async () => {
    const server = new ScriptedServer()
    for (const status of [429, 503]) {
      server.scripts.set('init', { status, code: 'RATE_LIMITED', fields: { retryAfterSeconds: 3600 } })
      await expect(server.client().init()).rejects.toMatchObject({ status, retryAfterSeconds: 3600, isTemporary: true })
    }
    expect(server.calls).toEqual(['init', 'init'])
  })

  test('of a file is silence, which ends an attempt and leaves nothing', async () => {
    const server = new ScriptedServer()
    const file = { fileName: 'x', size: 10, sha256: 'a'.repeat(64), url: '/api/1.0/download/x' }
    server.scripts.set('download', { status: 200, fields: file })
    let opened = 0
    const body = () => new ReadableStream({ start: (stream) => stream.enqueue(new Uint8Array(5)) })
    const client = server.client({
      timeoutSeconds: short,
      fetch: async (url, init) =>
        init.method === 'POST' ? server.fetch(url, init) : (opened++, new Response(body(), { status: 200 })),
    })
    expect(await codeOf(client.download('x', join(folder, 'x')))).toBe('NETWORK')
    expect(opened).toBe(5)
    expect(readdirSync(folder)).toEqual([])
  })
})

describe('a signal of the program', () => {
  test('ends a call with its reason, and the session goes on', async () => {
    const server = new ScriptedServer()
    const client = server.client({ timeoutSeconds: forever })
    await client.license('KEY')
    server.scripts.set('heartbeat', 'hang')
    const controller = new AbortController()
    const reason = new Error('the customer left the page')
    const calls = [client.heartbeat({ signal: controller.signal }), client.variable('x', { signal: controller.signal })]
    controller.abort(reason)
    for (const call of calls) await expect(call).rejects.toBe(reason)
    server.scripts.clear()
    await client.heartbeat()
    expect(client.isValid()).toBe(true)
  })

  test.each<[string, (signal: AbortSignal) => Promise<unknown>]>(
    (() => {
      const server = new ScriptedServer()
      const client = server.client()
      return [
        ['init', (signal) => client.init({ signal })],
        ['license', (signal) => client.license('x', { signal })],
        ['login', (signal) => client.login('x', 'y', { signal })],
        ['register', (signal) => client.register('x', 'y', 'z', undefined, { signal })],
        ['heartbeat', (signal) => client.heartbeat({ signal })],
        ['variable', (signal) => client.variable('x', { signal })],
        ['userVariable', (signal) => client.userVariable('x', { signal })],
        ['setUserVariable', (signal) => client.setUserVariable('x', 'y', { signal })],
        ['log', (signal) => client.log('x', { signal })],
        ['download', (signal) => client.download('x', 'y', { signal })],
        ['callWebhook', (signal) => client.callWebhook('x', {}, { signal })],
        ['upgrade', (signal) => client.upgrade('x', { signal })],
        ['changePassword', (signal) => client.changePassword('x', 'y', { signal })],
        ['requestPasswordReset', (signal) => client.requestPasswordReset('x', { signal })],
      ]
    })(),
  )('that was aborted before ends %s', async (_, call) => {
    await expect(call(AbortSignal.abort('no more'))).rejects.toBe('no more')
  })
})

describe('close', () => {
  test('ends calls under way, and logs out', async () => {
    const server = new ScriptedServer()
    const client = server.client({ timeoutSeconds: forever })
    await client.license('KEY')
    server.scripts.set('variable', 'hang')
    const calls = [client.variable('x'), client.variable('y')].map(codeOf)
    await client.close()
    expect(await Promise.all(calls)).toEqual(['CANCELLED', 'CANCELLED'])
    expect([server.sessions.size, client.isValid()]).toEqual([0, false])
  })

  test('returns when the logout hangs, too', async () => {
    const server = new ScriptedServer()
    const client = server.client({ timeoutSeconds: forever })
    await client.license('KEY')
    server.scripts.set('logout', 'hang')
    await client.license('KEY')
    await client.close()
    expect(client.isValid()).toBe(false)
  })

  test('ends a download', async () => {
    const server = new ScriptedServer()
    const file = { fileName: 'x', size: 10, sha256: 'a'.repeat(64), url: '/api/1.0/download/x' }
    server.scripts.set('download', { status: 200, fields: file })
    const opened = Promise.withResolvers<void>()
    const client = server.client({
      timeoutSeconds: forever,
      fetch: (url, init) =>
        init.method === 'POST' ? server.fetch(url, init) : (opened.resolve(), new Promise(() => undefined)),
    })
    const code = codeOf(client.download('x', join(folder, 'x')))
    await opened.promise
    await client.close()
    expect(await code).toBe('CANCELLED')
    expect(readdirSync(folder)).toEqual([])
  })

  test('can be called twice, and the client used again', async () => {
    const server = new ScriptedServer()
    const client = server.client()
    await client.close()
    await client.license('KEY')
    await client.close()
    await client.close()
    expect(server.calls).toEqual(['init', 'license', 'logout'])
    await client.license('KEY')
    expect(client.isValid()).toBe(true)
  })

  test('logs out a session that nobody signed in to', async () => {
    const server = new ScriptedServer()
    const client = server.client()
    await client.init()
    await client.close()
    expect(server.sessions.size).toBe(0)
  })
})
