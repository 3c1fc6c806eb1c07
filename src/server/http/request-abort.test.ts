import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fastify } from 'fastify'
import { expect, test } from 'vitest'
import { RequestAborted, throwIfAborted } from '#database/report-queue.ts'
import { WaitingCaller } from './request-abort.ts'

test('a call whose caller has left before its handler begins is aborted', async () => {
  const server = fastify()
  const outcomes: unknown[] = []
  server.get('/', async ({ raw }, reply) => {
    // As if the session were read meanwhile.
    await once(raw.socket, 'close')
    const caller = new WaitingCaller(reply, { type: 'anyone' }, undefined)
    outcomes.push(await caller.run(async () => throwIfAborted() ?? {}).catch((error: unknown) => error))
    return reply.send()
  })
  await server.listen({ port: 0, host: '127.0.0.1' })
  const { port } = server.server.address() as AddressInfo
  const request = get({ port, agent: false }).on('error', () => {})
  await (once(server.server, 'request') as Promise<[IncomingMessage]>)
  request.destroy()
  await expect.poll(() => outcomes).toEqual([expect.any(RequestAborted)])
  await server.close()
})
