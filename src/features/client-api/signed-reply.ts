import { sign } from 'node:crypto'
import { replyMessage } from '#protocol/reply-message.ts'
import { plainHeaders, type RawReply } from '#server/raw-routes.ts'
import type { Envelope } from './envelope.ts'

/**
 * Signs what is answered, errors too (R-CLI-01). With a callback the signature is made on the thread
 * pool; when signing fails nothing is sent as if it were an answer.
 */
export async function signedReply(
  { app, appHeader, requestHash }: Envelope,
  { status, fields, now }: { status: number; fields: object; now: number },
): Promise<RawReply> {
  const body = JSON.stringify(fields)
  const bytes = Buffer.from(body)
  const serverTime = String(now)
  const message = replyMessage({ app: appHeader, kid: app.kid, requestHash, serverTime, status, body: bytes })
  const signature = await new Promise<Buffer>((resolve, reject) => {
    sign(null, message, app.signingKey, (error, made) => (error ? reject(error) : resolve(made)))
  })
  const headers = plainHeaders(bytes.length)
  headers.push('x-signet-key', app.kid, 'x-signet-time', serverTime)
  headers.push('x-signet-signature', signature.toString('base64url'), 'x-signet-certificate', app.certificate)
  return { status, headers, body }
}
