import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { ScriptedServer } from '../scripted-server.ts'
import { version } from './version.ts'

test("an answer that took more than a minute isn't believed", async () => {
  let elapsed = 0
  const now = vi.spyOn(performance, 'now').mockImplementation(() => elapsed)
  try {
    const server = new ScriptedServer()
    const fetch = async (url: string, init: RequestInit) => {
      const response = await server.fetch(url, init)
      elapsed += 60_001
      return response
    }
    await expect(server.client({ fetch }).init()).rejects.toMatchObject({ code: 'STALE_RESPONSE' })
  } finally {
    now.mockRestore()
  }
})

test('a file is read to its signed size, so that no server can fill the disk', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'signet-endless-'))
  const server = new ScriptedServer()
  const file = { fileName: 'x', size: 10, sha256: 'a'.repeat(64), url: '/api/1.0/download/x' }
  server.scripts.set('download', { status: 200, fields: file })
  let sent = 0
  const endless = () =>
    new ReadableStream({
      pull: (stream) => {
        sent += 1
        if (sent > 1000) stream.close()
        else stream.enqueue(new Uint8Array(1024))
      },
    })
  const client = server.client({
    fetch: async (url, init) => (init.method === 'POST' ? server.fetch(url, init) : new Response(endless())),
  })
  await expect(client.download('x', join(folder, 'x'))).rejects.toMatchObject({ code: 'FILE_CORRUPT' })
  expect(sent).toBeLessThan(10)
  expect(readdirSync(folder)).toEqual([])
  rmSync(folder, { recursive: true })
})

test.each(['https://example.com/x', '//example.com/x', '/elsewhere', '/api/1.0/download/../x', ''])(
  'a file is not fetched from %s',
  async (url) => {
    const server = new ScriptedServer()
    const file = { fileName: 'x', size: 10, sha256: 'a'.repeat(64), url }
    server.scripts.set('download', { status: 200, fields: file })
    await expect(server.client().download('x', '/nowhere/x')).rejects.toMatchObject({ code: 'MALFORMED_REPLY' })
  },
)

test('says which client it is, and asks for no compression, no cookies and no redirects', async () => {
  const server = new ScriptedServer()
  const sent: RequestInit[] = []
  const client = server.client({
    fetch: (url, init) => {
      sent.push(init)
      return server.fetch(url, init)
    },
  })
  await client.license('KEY')
  for (const { headers, redirect, credentials, cache } of sent) {
    expect(headers).toMatchObject({ 'user-agent': `signet-typescript/${version}`, 'accept-encoding': 'identity' })
    expect([redirect, credentials, cache]).toEqual(['manual', 'omit', 'no-store'])
  }
  expect(server.received[0]?.fields).toEqual({ version: '1.0', sdk: `typescript/${version}` })
})

test('the same bytes are sent once more if no answer came, and not if one began', async () => {
  const server = new ScriptedServer()
  const client = server.client()
  server.next.set('init', ['drop', 'drop'])
  await expect(client.init()).rejects.toMatchObject({ code: 'NETWORK' })
  expect(server.received[0]?.headers).toEqual(server.received[1]?.headers)
  expect(server.calls).toHaveLength(2)
  const broken = server.client({
    fetch: async (url, init) => {
      await server.fetch(url, init)
      return new Response(new ReadableStream({ start: (stream) => stream.error(new Error('cut')) }))
    },
  })
  await expect(broken.init()).rejects.toMatchObject({ code: 'NETWORK' })
  expect(server.calls).toHaveLength(3)
})

test('an aborted call is not sent again', async () => {
  const controller = new AbortController()
  let sent = 0
  const client = new ScriptedServer().client({
    fetch: () => {
      sent += 1
      controller.abort(new Error('enough'))
      return new Promise(() => undefined)
    },
  })
  await expect(client.init({ signal: controller.signal })).rejects.toThrow('enough')
  expect(sent).toBe(1)
})
