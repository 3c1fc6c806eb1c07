import { createPublicKey } from 'node:crypto'
import { rawPublicKey } from '#protocol/raw-keys.ts'
import { sealBody } from '#sdk/sealing.ts'
import { type Bytes, concat } from '#sdk/wire.ts'
import { app, base64url, ephemeralKey, now, otherApp, recipientKey, token } from './vector-keys.ts'

const place = {
  path: '/api/1.0/client/login',
  app,
  nonce: Buffer.alloc(24, 0x52).toString('base64url'),
  time: String(now),
  session: token as string | null,
}
const start = { ...place, path: '/api/1.0/client/init', session: null }
const text = '{"username":"alice","password":"correct horse","hwid":"00ff"}'
const hexScalar = (byte: string) => byte.repeat(32)

const publicKey = createPublicKey(recipientKey).toCryptoKey('X25519', true, [])

async function sealed(body: string, request = place): Promise<Bytes> {
  const session = request.session ?? undefined
  return sealBody({ ...request, session, publicKey, body: concat(body), ephemeralKey })
}

function flipped(good: Uint8Array, at: number): Uint8Array {
  const bytes = Uint8Array.from(good)
  const index = at < 0 ? bytes.length + at : at
  bytes[index] = (bytes[index] ?? 0) ^ 1
  return bytes
}

export async function sealedVectors() {
  const good = await sealed(text)
  const reject = (name: string, bytes: Uint8Array, moved: Partial<typeof place> = {}) => {
    return { name, ...place, ...moved, sealed: base64url(bytes), body: null }
  }
  return {
    about:
      'Sealed request bodies. The keys are hex scalars; sealed and body are base64url. body null means: must not ' +
      'open; session null means none. Sealing body with ephemeralKey gives exactly sealed (real clients take a fresh key each time).',
    recipientKey: hexScalar('31'),
    recipientPublicKey: rawPublicKey(recipientKey),
    ephemeralKey: hexScalar('32'),
    cases: [
      { name: 'a login', ...place, sealed: base64url(good), body: base64url(text) },
      { name: 'an empty body', ...place, sealed: base64url(await sealed('')), body: '' },
      {
        name: 'outside ASCII',
        ...place,
        sealed: base64url(await sealed('{"x":"Zoë"}')),
        body: base64url('{"x":"Zoë"}'),
      },
      {
        name: 'an init, before there is a session',
        ...start,
        sealed: base64url(await sealed('{"version":"1.0"}', start)),
        body: base64url('{"version":"1.0"}'),
      },
      reject('flipped bit in the encapsulated key', flipped(good, 3)),
      reject('flipped bit in the ciphertext', flipped(good, 40)),
      reject('flipped bit in the tag', flipped(good, -1)),
      reject('cut short', good.slice(0, -1)),
      reject('only the encapsulated key', good.slice(0, 32)),
      reject('small-order encapsulated key', Buffer.concat([Buffer.alloc(32), good.subarray(32)])),
      reject('moved to another path', good, { path: '/api/1.0/client/register' }),
      reject('moved to another app', good, { app: otherApp }),
      reject('moved to another nonce', good, { nonce: Buffer.alloc(24, 0x53).toString('base64url') }),
      reject('moved to another time', good, { time: String(now + 1) }),
      reject('moved to another session', good, { session: base64url(Buffer.alloc(32, 0x42)) }),
      reject('moved out of its session', good, { session: null }),
      reject('moved into a session', await sealed('{"version":"1.0"}', start), { path: start.path }),
    ],
  }
}
