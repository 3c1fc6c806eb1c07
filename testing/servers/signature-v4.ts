import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** Verification of requests by an S3 server, according to the description of AWS Signature Version 4. */

export interface SignedRequest {
  method: string
  /** Path and query as sent. */
  target: string
  /** With lowercase names. */
  headers: Record<string, string | undefined>
}

export interface Credentials {
  accessKeyId: string
  secretAccessKey: string
  region: string
}

const sha256 = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Uint8Array, text: string): Buffer => createHmac('sha256', key).update(text).digest()

/** Percent-encodes all bytes except unreserved ones, in upper case. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)

const shape =
  /^AWS4-HMAC-SHA256 Credential=([^/,]+)\/(\d{8})\/([^/,]+)\/s3\/aws4_request, ?SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})$/
const maxSkewSeconds = 900
const alwaysSigned = ['host', 'x-amz-content-sha256', 'x-amz-date']

/** Error code of the protocol for an invalid request; undefined if its signature is valid. `now` in epoch seconds. */
export function signatureProblem(request: SignedRequest, credentials: Credentials, now: number): string | undefined {
  const { method, target, headers } = request
  const [, keyId, day = '', region = '', signed = '', signature = ''] = shape.exec(headers['authorization'] ?? '') ?? []
  if (keyId === undefined) return 'AccessDenied'
  if (keyId !== credentials.accessKeyId) return 'InvalidAccessKeyId'
  if (region !== credentials.region) return 'AuthorizationHeaderMalformed'
  const date = headers['x-amz-date'] ?? ''
  if (!date.startsWith(day) || Math.abs(secondsOf(date) - now) > maxSkewSeconds) return 'RequestTimeTooSkewed'
  const names = signed.split(';')
  const needed = [...alwaysSigned, ...Object.keys(headers).filter((name) => name.startsWith('x-amz-'))]
  if (!needed.every((name) => names.includes(name))) return 'AccessDenied'
  const [path = '', query = ''] = target.split('?')
  const pairs = [...new URLSearchParams(query)].map(([name, value]) => [encoded(name), encoded(value)] as const)
  const canonical = [
    method,
    path
      .split('/')
      .map((part) => encoded(decodeURIComponent(part)))
      .join('/'),
    pairs
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map((pair) => pair.join('='))
      .join('&'),
    ...names.map((name) => `${name}:${(headers[name] ?? '').trim().replace(/ +/g, ' ')}`),
    '',
    signed,
    headers['x-amz-content-sha256'],
  ].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const text = ['AWS4-HMAC-SHA256', date, scope, sha256(canonical)].join('\n')
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${credentials.secretAccessKey}`)
  const right = createHmac('sha256', key).update(text).digest()
  return timingSafeEqual(right, Buffer.from(signature, 'hex')) ? undefined : 'SignatureDoesNotMatch'
}

/** Epoch seconds of a time such as `20130524T000000Z`. */
const secondsOf = (date: string): number =>
  Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z')) / 1000

/** Whether the received bytes are the signed ones. */
export const isSignedBody = (headers: SignedRequest['headers'], body: Uint8Array): boolean =>
  headers['x-amz-content-sha256'] === sha256(body)
