import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

interface OwnAnswer {
  /** The request the gateway itself answers, e.g. `POST /api/1.0/website/login`; all others are forwarded. */
  call: string
  status: number
  body: string
}

/** An intermediary with pages of its own: a proxy whose server is down, or a captive portal. */
export async function startGateway(targetUrl: string) {
  let own: OwnAnswer | undefined
  const server = createServer((incoming, answer) => {
    if (own && `${incoming.method} ${incoming.url}` === own.call) {
      answer.writeHead(own.status, { 'content-type': 'text/html' }).end(own.body)
      return
    }
    const { method, headers } = incoming
    const passedOn = request(new URL(incoming.url ?? '/', targetUrl), { method, headers }, (reply) => {
      answer.writeHead(reply.statusCode ?? 502, reply.headers)
      reply.pipe(answer)
    })
    passedOn.on('error', () => answer.destroy())
    incoming.pipe(passedOn)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answerBy: (answer: OwnAnswer | undefined) => void (own = answer),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
