import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestApp } from '../start-test-app.ts'

export interface ReceivedRequest {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: string
}

/** A receiver of webhooks: a real local server on a port the app may call. */
export interface WebhookReceiver {
  url: string
  received: ReceivedRequest[]
  /** How it replies from now on; 204 by default. */
  answer: (response: ServerResponse, request: ReceivedRequest) => void
  close(): Promise<void>
}

export async function startReceiver(app: TestApp): Promise<WebhookReceiver> {
  const receiver: WebhookReceiver = {
    url: '',
    received: [],
    answer: (response) => void response.writeHead(204).end(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request
      const received = { method, path, headers, body: Buffer.concat(chunks).toString() }
      receiver.received.push(received)
      receiver.answer(response, received)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const { outgoing } = app.services.config
  outgoing.loopbackPorts = [...(outgoing.loopbackPorts ?? []), port]
  receiver.url = `http://127.0.0.1:${port}/hook`
  return receiver
}
