import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { rmSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { newSignet, type Signet } from './run-signet.ts'

/** What commands that follow the server ask it for, and what they do while it fails. */

const servers: Server[] = []
const people: Signet[] = []
afterAll(() => {
  for (const server of servers) server.close().closeAllConnections()
  for (const { home } of people) rmSync(home, { recursive: true })
})

type Answer = (call: string, response: ServerResponse) => void

const sends = (response: ServerResponse, status: number, body: object) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

/** A server that answers as it is told; starts the command line with it. */
async function withServer(answer: Answer) {
  const calls: string[] = []
  const server = createServer(({ method, url = '' }, response) => {
    const call = `${method} ${url.replace('/api/1.0/seller', '')}`
    calls.push(call)
    answer(call, response)
  })
  servers.push(server)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as { port: number }
  const key = `lk_live_${'A'.repeat(60)}`
  const person = newSignet({ SIGNET_URL: `http://127.0.0.1:${port}`, SIGNET_KEY: key })
  people.push(person)
  return { calls, start: (args: readonly string[]) => person.start(args) }
}

test('a followed log has a limit only of the entries before it began', async () => {
  const { calls, start } = await withServer((_, response) =>
    sends(response, 200, { success: true, logs: [], next: '1-1' }),
  )
  const follower = start(['logs', '--follow', '--limit', '5', '--interval', '1'])
  await expect.poll(() => calls.length).toBeGreaterThan(1)
  follower.kill('SIGINT')
  await once(follower, 'close')
  expect(calls.slice(0, 2)).toEqual(['GET /logs/tail?limit=5', 'GET /logs/tail?after=1-1'])
})

test('a listener that is gone is made again once the server can, however often it fails before', async () => {
  let posts = 0
  const { calls, start } = await withServer((call, response) => {
    if (call.startsWith('DELETE')) return sends(response, 200, { success: true })
    if (call.startsWith('GET'))
      return posts > 1
        ? void response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': connected\n\n')
        : sends(response, 404, { success: false, code: 'LISTENER_NOT_FOUND', message: 'Gone' })
    posts += 1
    // Each of its three attempts.
    if (posts > 1 && posts < 5) return response.destroy()
    return sends(response, 200, { success: true, listenerId: `wl_${posts}`, events: [], headers: {} })
  })
  const listener = start(['webhooks', 'listen'])
  let problems = ''
  listener.stderr.on('data', (chunk: Buffer) => (problems += chunk.toString()))
  await expect.poll(() => problems).toContain('had ended the listener')
  expect(problems).toContain('trying again')
  await expect.poll(() => calls.at(-1)).toBe('GET /webhooks/listeners/wl%5F5/events')
  listener.kill('SIGINT')
  expect(await once(listener, 'close')).toEqual([0, null])
})
