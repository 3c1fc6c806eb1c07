/* oxlint-disable no-restricted-imports -- a program of the tests */
import { createPrivateKey, createPublicKey, KeyObject } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ReplyChecker } from './src/check-reply.ts'
import { SignetError } from './src/errors.ts'
import { answerOf } from './src/exchange.ts'
import { hardwareIdOf } from './src/hardware-id.ts'
import { readCertificate } from './src/key-certificate.ts'
import { trimKey } from './src/license-key.ts'
import { headerOf } from './src/options.ts'
import { type Curve, publicKeyFromRaw } from './src/public-keys.ts'
import { type EphemeralKey, sealBody } from './src/sealing.ts'
import { encodeBase64url, hexOf, requestHash, type WebKey } from './src/wire.ts'

/** Every case of sdks/vectors as a check that throws if this client fails it. */
export interface VectorCheck {
  /** The file and the case. */
  name: string
  run: () => Promise<void>
}

type Case = Record<string, unknown> & { name: string }
interface VectorFile {
  cases: Case[]
  rejected?: Case[]
  [field: string]: unknown
}
type Check = (file: VectorFile, each: Case) => Promise<void>

const bytes = (text: unknown) => new Uint8Array(Buffer.from(String(text), 'base64url'))
const lowerCase = (headers: unknown) =>
  Object.fromEntries(Object.entries(headers as object).map(([name, value]) => [name.toLowerCase(), String(value)]))
const rawOf = (key: WebKey): string => KeyObject.from(key).export({ format: 'jwk' }).x as string

function expectSame(actual: unknown, expected: unknown): void {
  const [found, right] = [actual, expected].map((value) => JSON.stringify(value))
  if (found !== right) throw new Error(`${found} is not ${right}`)
}

const codeOf = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'accepted',
    (error: unknown) => {
      if (error instanceof SignetError) return error.code
      throw error
    },
  )
const isAccepted = async (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  )

interface RequestCase {
  path: string
  app: string
  nonce: string
  time: string
  session: string | null
  body: string
}
const requestOf = ({ path, app, nonce, time, session, body }: RequestCase) => ({
  path,
  app,
  nonce,
  time,
  session: session ?? undefined,
  body: bytes(body),
})

/** The X25519 key pair of a hex scalar (RFC 8410). */
export async function keyPairOf(scalar: string): Promise<EphemeralKey> {
  const der = Buffer.from(`302e020100300506032b656e04220420${scalar}`, 'hex')
  const publicKey = createPublicKey(createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }))
  return {
    privateKey: await crypto.subtle.importKey('pkcs8', new Uint8Array(der), 'X25519', false, ['deriveBits']),
    publicKey: await publicKeyFromRaw('x25519', publicKey.export({ format: 'jwk' }).x as string),
  }
}

const rootOf = (file: VectorFile) => publicKeyFromRaw('ed25519', String(file['rootPublicKey']))

async function certified(read: ReturnType<typeof readCertificate>) {
  const { certificate, root } = await read
  const { kid, publicKey, serial, notBefore, notAfter } = certificate
  return { fields: { kid, key: rawOf(publicKey), serial, notBefore, notAfter }, root: rawOf(root) }
}

const checks: Record<string, Check> = {
  async 'answers.json'(_, { status, body, outcome, isTemporary, retryAfter, requestId, downloadUrl }) {
    try {
      answerOf({ status: status as number, headers: {}, body: bytes(body) })
    } catch (error) {
      if (!(error instanceof SignetError)) throw error
      const found = [error.code, error.isTemporary, error.retryAfterSeconds, error.requestId, error.downloadUrl]
      return expectSame(found, [outcome, isTemporary, retryAfter, requestId, downloadUrl])
    }
    expectSame('yes', outcome)
  },
  async 'app-names.json'(file, { appName, header, utf16 }) {
    const ownerId = String(file['ownerId'])
    if (utf16 === undefined) return expectSame(headerOf(ownerId, String(appName)), header)
    const text = String.fromCharCode(...(utf16 as number[]))
    expectSame(await codeOf((async () => headerOf(ownerId, text))()), 'INVALID_CONFIGURATION')
  },
  async 'certificates.json'(file, { certificate, fields }) {
    const read = readCertificate(String(certificate), await rootOf(file))
    if (fields === null) return expectSame(await isAccepted(read), false)
    expectSame(await certified(read), { fields, root: file['rootPublicKey'] })
  },
  async 'announcements.json'(file, { certificate, fields, root }) {
    const read = readCertificate(String(certificate), await rootOf(file))
    if (fields === null) return expectSame(await isAccepted(read), false)
    expectSame(await certified(read), { fields, root })
  },
  async 'hardware-ids.json'(_, { ownerId, machineId, hwid }) {
    const found = hardwareIdOf(String(ownerId), String(machineId))
    if (hwid === null) return expectSame(await codeOf(found), 'HWID_UNAVAILABLE')
    expectSame(await found, hwid)
  },
  async 'keys.json'(_, { typed, sent }) {
    expectSame(trimKey(String(typed)), sent)
  },
  async 'public-keys.json'(_, { curve, publicKey, usable }) {
    const read = publicKeyFromRaw(curve as Curve, String(publicKey))
    if (usable) expectSame(rawOf(await read), publicKey)
    else expectSame(await isAccepted(read), false)
  },
  async 'replies.json'(file, { status, headers, body, highestSerial, outcome }) {
    const checker = new ReplyChecker(await rootOf(file), Number(highestSerial))
    const reply = { status: Number(status), headers: lowerCase(headers), body: bytes(body) }
    const request = requestOf(file['request'] as RequestCase)
    expectSame(await codeOf(checker.check(request, reply, Number(file['now']))), outcome)
  },
  async 'request-hash.json'(_, each) {
    expectSame(hexOf(await requestHash(requestOf(each as unknown as RequestCase))), each['hash'])
  },
  async 'sealed-bodies.json'(file, each) {
    // Bodies that don't open are for servers.
    if (each['body'] === null) return
    const publicKey = await publicKeyFromRaw('x25519', String(file['recipientPublicKey']))
    const ephemeralKey = await keyPairOf(String(file['ephemeralKey']))
    const request = requestOf(each as unknown as RequestCase)
    expectSame(encodeBase64url(await sealBody({ ...request, publicKey, ephemeralKey })), each['sealed'])
  },
}

/** All of them; a file that this client doesn't know is a check that fails. */
export function vectorChecks(folder: string): VectorCheck[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'))
  return names.toSorted().flatMap((name) => {
    const file = JSON.parse(readFileSync(join(folder, name), 'utf8')) as VectorFile
    const check: Check = checks[name] ?? (() => Promise.reject(new Error("This client doesn't know these vectors")))
    const cases = [...file.cases, ...(file.rejected ?? [])]
    return cases.map((each) => ({ name: `${name}: ${each.name}`, run: () => check(file, each) }))
  })
}

export const knownVectorFiles = Object.keys(checks)
