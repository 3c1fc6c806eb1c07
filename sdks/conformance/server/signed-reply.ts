import { type KeyObject, sign } from 'node:crypto'
import { rootMessage } from '#protocol/group-signature.ts'
import { certificateText, issueCertificate } from '#protocol/key-certificate.ts'
import { leafHash, merkleTree } from '#protocol/merkle-tree.ts'
import { replyMessage } from '#protocol/reply-message.ts'
import { requestHash } from '#protocol/request-hash.ts'
import type { Identity } from './identity.ts'
import type { ReceivedRequest } from './received-request.ts'

/** A reply as it goes over the wire. */
export interface WireReply {
  status: number
  headers: [name: string, value: string][]
  body: Buffer
}

/** What is signed or certified instead of the truth. */
export interface SigningChanges {
  app?: string
  path?: string
  nonce?: string
  time?: string
  session?: string | undefined
  requestBody?: Buffer
  /** Status and body under the signature. */
  status?: number
  body?: Buffer
  /** As in the header and under the signature. */
  serverTime?: number | string
  root?: KeyObject
  /** The key that signs the reply. */
  signing?: KeyObject
  /** The key in the certificate. */
  certified?: KeyObject
  kid?: string
  certificateKid?: string
  serial?: number
  notBefore?: number
  notAfter?: number
  /** The number of replies that share the signature, and the position of this one. */
  group?: [size: number, at: number]
}

interface ToSign {
  request: ReceivedRequest
  status: number
  body: Buffer
  identity: Identity
  /** Unix milliseconds. */
  now: number
}

export function signedReply({ request, status, body, identity, now }: ToSign, changes: SigningChanges = {}): WireReply {
  const hash = requestHash({
    path: changes.path ?? request.path,
    app: changes.app ?? request.app,
    nonce: changes.nonce ?? request.nonce,
    time: changes.time ?? request.time,
    session: 'session' in changes ? changes.session : request.session,
    body: changes.requestBody ?? request.body,
  })
  const kid = changes.kid ?? identity.kid
  const serverTime = String(changes.serverTime ?? now)
  const message = replyMessage({
    app: changes.app ?? request.app,
    kid,
    requestHash: hash,
    serverTime,
    status: changes.status ?? status,
    body: changes.body ?? body,
  })
  const [size, at] = changes.group ?? [1, 0]
  const leaves = Array.from({ length: size }, (_, n) => leafHash(n === at ? message : Buffer.from(`other reply ${n}`)))
  const { root, paths } = merkleTree(leaves)
  const signing = changes.signing ?? identity.signing
  const signature = sign(null, rootMessage(root), signing).toString('base64url')
  const certificate = issueCertificate({
    rootKey: changes.root ?? identity.root,
    kid: changes.certificateKid ?? kid,
    publicKey: changes.certified ?? identity.signing,
    serial: changes.serial ?? identity.serial,
    notBefore: changes.notBefore ?? identity.notBefore,
    notAfter: changes.notAfter ?? identity.notAfter,
  })
  const path = paths[at] ?? ''
  return {
    status,
    headers: [
      ['content-type', 'application/json; charset=utf-8'],
      ['x-signet-key', kid],
      ['x-signet-time', serverTime],
      ['x-signet-signature', signature],
      ['x-signet-certificate', certificateText(identity.announcements, certificate)],
      ...(path === '' ? [] : [['x-signet-path', path] as [string, string]]),
    ],
    body,
  }
}

export const headerOf = (reply: WireReply, name: string): string =>
  reply.headers.find(([each]) => each === name)?.[1] ?? ''

export const withoutHeader = (reply: WireReply, name: string): WireReply => ({
  ...reply,
  headers: reply.headers.filter(([each]) => each !== name),
})

export const withHeader = (reply: WireReply, name: string, value: string): WireReply => ({
  ...reply,
  headers: [...withoutHeader(reply, name).headers, [name, value]],
})

/** A second header with the same name. */
export const withSecond = (reply: WireReply, name: string, value: string): WireReply => ({
  ...reply,
  headers: [...reply.headers, [name, value]],
})

/** The whole reply as bytes of HTTP/1.1, with its length. */
export function bytesOf({ status, headers, body }: WireReply, firstLine = `HTTP/1.1 ${status} X`): Buffer {
  const lines = [...headers, ['content-length', String(body.length)]].map(([name, value]) => `${name}: ${value}`)
  return Buffer.concat([Buffer.from(`${[firstLine, ...lines].join('\r\n')}\r\n\r\n`, 'latin1'), body])
}
