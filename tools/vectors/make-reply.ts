import { sign, type KeyObject } from 'node:crypto'
import { issueCertificate } from '#protocol/key-certificate.ts'
import { rootMessage } from '#protocol/group-signature.ts'
import { leafHash } from '#protocol/merkle-tree.ts'
import { replyMessage } from '#protocol/reply-message.ts'
import { requestHash } from '#protocol/request-hash.ts'
import type { Group } from './group-cases.ts'
import { app, base64url, notAfter, notBefore, now, rootKey, signingKey, token } from './vector-keys.ts'

/** The request that every reply of the vectors answers. */
export const request = {
  path: '/api/1.0/client/heartbeat',
  app,
  nonce: Buffer.alloc(24, 0x54).toString('base64url'),
  time: String(now),
  session: token,
  body: '{}',
}
export const successBody = '{"success":true,"message":"Alive","expiresAt":1750003600}'

export interface Changes {
  request?: Partial<typeof request>
  /** As in the header and under the signature. */
  serverTime?: number | string
  status?: number
  body?: string | Uint8Array
  kid?: string
  certificateKid?: string
  rootKey?: KeyObject
  signingKey?: KeyObject
  serial?: number
  notBefore?: number
  notAfter?: number
  /** The group that is signed instead of this reply alone, and the path sent with it. */
  group?: Group
  /** Makes the signature in another way. */
  sign?: (message: Buffer, key: KeyObject) => Buffer
}

export interface Reply {
  headers: Record<string, string>
  status: number
  body: string | Uint8Array
}

export type ReplyCase = [name: string, reply: Reply, outcome: string, highestSerial?: number]

/** A reply as a server creates it, with the given changes. */
export function make(changes: Changes = {}): Reply {
  const { serverTime = now + 40, status = 200, body = successBody, kid = 'k1' } = changes
  const hash = requestHash({ ...request, ...changes.request })
  const message = replyMessage({ app: changes.request?.app ?? app, kid, requestHash: hash, serverTime, status, body })
  const certificate = issueCertificate({
    rootKey: changes.rootKey ?? rootKey,
    kid: changes.certificateKid ?? kid,
    publicKey: signingKey,
    serial: changes.serial ?? 7,
    notBefore: changes.notBefore ?? notBefore,
    notAfter: changes.notAfter ?? notAfter,
  })
  const { signed, path } = changes.group?.(message) ?? { signed: rootMessage(leafHash(message)), path: undefined }
  const makeSignature = changes.sign ?? ((bytes, key) => sign(null, bytes, key))
  const headers: Record<string, string> = {
    'X-Signet-Key': kid,
    'X-Signet-Time': String(serverTime),
    'X-Signet-Signature': base64url(makeSignature(signed, changes.signingKey ?? signingKey)),
    'X-Signet-Certificate': certificate,
    ...(path !== undefined && { 'X-Signet-Path': path }),
  }
  return { headers, status, body }
}

/** The valid reply, modified after it was signed. */
export function altered(changes: Partial<Reply>): Reply {
  const reply = make()
  return { ...reply, ...changes, headers: { ...reply.headers, ...changes.headers } }
}

export function without(name: string): Reply {
  const reply = make()
  return { ...reply, headers: Object.fromEntries(Object.entries(reply.headers).filter(([key]) => key !== name)) }
}

export function withHeader(name: string, value: string): Reply {
  return altered({ headers: { [`X-Signet-${name}`]: value } })
}
