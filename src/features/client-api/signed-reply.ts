import { sign } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import type { Envelope } from './envelope.ts'
import { replyMessage } from '#protocol/reply-message.ts'

/**
 * Signs what is answered, errors too (R-CLI-01). With a callback the signature is made on the thread
 * pool; when signing fails nothing is sent as if it were an answer.
 */
export async function sendSigned(
  reply: FastifyReply,
  { app, appHeader, requestHash }: Envelope,
  { status, body, now }: { status: number; body: object; now: number },
): Promise<FastifyReply> {
  const bytes = Buffer.from(JSON.stringify(body))
  const message = replyMessage({ app: appHeader, kid: app.kid, requestHash, serverTime: now, status, body: bytes })
  const signature = await new Promise<Buffer>((resolve, reject) => {
    sign(null, message, app.signingKey, (error, made) => (error ? reject(error) : resolve(made)))
  })
  reply.raw.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': bytes.length,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-signet-key': app.kid,
    'x-signet-time': String(now),
    'x-signet-signature': signature.toString('base64url'),
    'x-signet-certificate': app.certificate,
  })
  reply.raw.end(bytes)
  return reply.hijack()
}
