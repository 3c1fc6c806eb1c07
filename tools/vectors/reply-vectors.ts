import { groupCases } from './group-cases.ts'
import { altered, make, type ReplyCase, request, successBody, without, withHeader } from './make-reply.ts'
import { strictReplyCases } from './strict-reply-cases.ts'
import { base64url, now, otherApp, otherRootKey, otherSigningKey, rootKey, rootPublicKey } from './vector-keys.ts'

const rejectionBody =
  '{"success":false,"message":"This license is banned.","code":"LICENSE_BANNED","requestId":"req-1"}'
const skewBody = '{"success":false,"message":"The clock is wrong.","code":"CLOCK_SKEW","requestId":"req-2"}'

const goodSignature = make().headers['X-Signet-Signature'] ?? ''

function flippedSignature(): string {
  const bytes = Buffer.from(goodSignature, 'base64url')
  bytes[10] = (bytes[10] ?? 0) ^ 1
  return base64url(bytes)
}

const minute = 60_000
const cases: ReplyCase[] = [
  ['success', make(), 'accepted'],
  ['a signed rejection', make({ status: 403, body: rejectionBody }), 'accepted'],
  ['a body outside ASCII', make({ body: '{"success":true,"message":"Olá 🦭"}' }), 'accepted'],
  ['an empty body', make({ body: '' }), 'accepted'],
  ['server time 60 s ahead', make({ serverTime: now + minute }), 'accepted'],
  ['server time 60 s behind', make({ serverTime: now - minute }), 'accepted'],
  ['the first second of the certificate', make({ notBefore: now / 1000, serverTime: now }), 'accepted'],
  ['the last second of the certificate', make({ notAfter: now / 1000, serverTime: now }), 'accepted'],
  ['one generation behind, during overlap', make({ serial: 6 }), 'accepted', 7],
  ['a newer generation', make({ serial: 9 }), 'accepted', 7],
  ['a CLOCK_SKEW may be of any time', make({ status: 400, body: skewBody, serverTime: now + 9e8 }), 'accepted'],
  ['no key header', without('X-Signet-Key'), 'UNSIGNED_RESPONSE'],
  ['no time header', without('X-Signet-Time'), 'UNSIGNED_RESPONSE'],
  ['no signature header', without('X-Signet-Signature'), 'UNSIGNED_RESPONSE'],
  ['no certificate header', without('X-Signet-Certificate'), 'UNSIGNED_RESPONSE'],
  ['no headers at all', { ...make(), headers: {} }, 'UNSIGNED_RESPONSE'],
  ['a flipped bit in the signature', withHeader('Signature', flippedSignature()), 'BAD_SIGNATURE'],
  ['a flipped bit in the body', altered({ body: successBody.replace('true', 'trud') }), 'BAD_SIGNATURE'],
  ['a byte added to the body', altered({ body: `${successBody} ` }), 'BAD_SIGNATURE'],
  ['status changed after signing', altered({ status: 201 }), 'BAD_SIGNATURE'],
  ['time changed after signing', withHeader('Time', String(now + 41)), 'BAD_SIGNATURE'],
  ['a time that is no number', withHeader('Time', `${now}.5`), 'BAD_SIGNATURE'],
  ['a signature of 63 bytes', withHeader('Signature', 'A'.repeat(84)), 'BAD_SIGNATURE'],
  ['a padded signature', withHeader('Signature', `${goodSignature}==`), 'BAD_SIGNATURE'],
  ['answers another app', make({ request: { app: otherApp } }), 'BAD_SIGNATURE'],
  ['answers another nonce', make({ request: { nonce: base64url(Buffer.alloc(24, 0x55)) } }), 'BAD_SIGNATURE'],
  ['answers another time', make({ request: { time: String(now - 1) } }), 'BAD_SIGNATURE'],
  ['answers another path', make({ request: { path: '/api/1.0/client/logout' } }), 'BAD_SIGNATURE'],
  ['answers another session', make({ request: { session: base64url(Buffer.alloc(32, 0x42)) } }), 'BAD_SIGNATURE'],
  ['answers another body', make({ request: { body: '{ }' } }), 'BAD_SIGNATURE'],
  ['signed by a key that the certificate does not name', make({ signingKey: otherSigningKey }), 'BAD_SIGNATURE'],
  ['signed by the root key itself', make({ signingKey: rootKey }), 'BAD_SIGNATURE'],
  ['certificate of another root', make({ rootKey: otherRootKey }), 'UNKNOWN_KEY'],
  ['certificate of another kid', make({ certificateKid: 'k2' }), 'UNKNOWN_KEY'],
  ['kid header changed', withHeader('Key', 'k2'), 'UNKNOWN_KEY'],
  ['certificate that is no certificate', withHeader('Certificate', 'x'), 'UNKNOWN_KEY'],
  ['expired certificate', make({ notAfter: now / 1000 - 1 }), 'UNKNOWN_KEY'],
  ['certificate not valid yet', make({ notBefore: now / 1000 + 1 }), 'UNKNOWN_KEY'],
  ['two generations behind', make({ serial: 5 }), 'UNKNOWN_KEY', 7],
  ['server time over 60 s ahead', make({ serverTime: now + minute + 1 }), 'STALE_RESPONSE'],
  ['server time over 60 s behind', make({ serverTime: now - minute - 1 }), 'STALE_RESPONSE'],
  ['a CLOCK_SKEW with another status', make({ body: skewBody, serverTime: now + 9e8 }), 'STALE_RESPONSE'],
  ...groupCases.map(([name, group, outcome]): ReplyCase => [name, make({ group }), outcome]),
  ...strictReplyCases,
]

export function replyVectors() {
  return {
    about:
      'Replies to one request, checked by a client that pins rootPublicKey, whose corrected clock shows now ' +
      '(unix ms) and which has accepted highestSerial before. Each case is a client of its own. headers are as ' +
      'received; one that came twice is joined by a comma. body is base64url. outcome is accepted, which says ' +
      'nothing about the content of the body (answers.json), or the code that the client must raise.',
    rootPublicKey,
    now,
    request: { ...request, body: base64url(request.body) },
    cases: cases.map(([name, { headers, status, body }, outcome, highestSerial = 0]) => {
      return { name, highestSerial, status, headers, body: base64url(body), outcome }
    }),
  }
}
