import { sign } from 'node:crypto'
import { groupCases } from './group-cases.ts'
import { laxSpellings } from './lax-base64url.ts'
import { make, type Reply, type ReplyCase, withHeader } from './make-reply.ts'
import { identityUnreduced, pointOfOrder8, withLargeS, withSmallR } from './odd-signatures.ts'
import { now, otherSigningKey, signingKey } from './vector-keys.ts'

const second = now / 1000
const far = now + 9e8
const failure = (code: string, message = 'No.') => JSON.stringify({ success: false, message, code, requestId: 'req-3' })
const skewBody = failure('CLOCK_SKEW')

/** Only a signed 400 with the code CLOCK_SKEW is exempt from the check of the time, and from no other check. */
const clockCases: ReplyCase[] = [
  [
    'another 400 of any time',
    make({ status: 400, body: failure('MALFORMED_REQUEST'), serverTime: far }),
    'STALE_RESPONSE',
  ],
  [
    'another 400 whose message says CLOCK_SKEW',
    make({ status: 400, body: failure('INVALID_REQUEST', '"code":"CLOCK_SKEW"'), serverTime: far }),
    'STALE_RESPONSE',
  ],
  ['a 400 of any time that is not JSON', make({ status: 400, body: 'CLOCK_SKEW', serverTime: far }), 'STALE_RESPONSE'],
  ['a 400 of any time that is a list', make({ status: 400, body: `[${skewBody}]`, serverTime: far }), 'STALE_RESPONSE'],
  [
    'a 400 of any time with the code one level down',
    make({ status: 400, body: `{"success":false,"error":${skewBody}}`, serverTime: far }),
    'STALE_RESPONSE',
  ],
  [
    'a 400 of any time with the code in lower case',
    make({ status: 400, body: failure('clock_skew'), serverTime: far }),
    'STALE_RESPONSE',
  ],
  ['CLOCK_SKEW with the status 409', make({ status: 409, body: skewBody, serverTime: far }), 'STALE_RESPONSE'],
  ['CLOCK_SKEW with the status 503', make({ status: 503, body: skewBody, serverTime: far }), 'STALE_RESPONSE'],
  [
    'CLOCK_SKEW with a certificate that has ended by the time of the server, not of the client',
    make({ status: 400, body: skewBody, serverTime: far, notAfter: second + 100 }),
    'UNKNOWN_KEY',
  ],
  [
    'CLOCK_SKEW with a certificate that is valid at the time of the server, not of the client',
    make({ status: 400, body: skewBody, serverTime: far, notBefore: far / 1000 - 100 }),
    'accepted',
  ],
  ['CLOCK_SKEW two generations behind', make({ status: 400, body: skewBody, serial: 5 }), 'UNKNOWN_KEY', 7],
  [
    'CLOCK_SKEW signed by another key',
    make({ status: 400, body: skewBody, serverTime: far, signingKey: otherSigningKey }),
    'BAD_SIGNATURE',
  ],
]

/** The certificate is judged by the time of the server, to the millisecond. */
const validityCases: ReplyCase[] = [
  [
    'a certificate that starts between the clock of the client and that of the server',
    make({ serverTime: now + 40_000, notBefore: second + 20 }),
    'accepted',
  ],
  [
    'a certificate that ends between the clock of the server and that of the client',
    make({ serverTime: now - 40_000, notAfter: second - 20 }),
    'accepted',
  ],
  [
    'a certificate that has started for the client and not for the server',
    make({ serverTime: now - 40_000, notBefore: second - 20 }),
    'UNKNOWN_KEY',
  ],
  [
    'a certificate that has ended for the server and not for the client',
    make({ serverTime: now + 40_000, notAfter: second + 20 }),
    'UNKNOWN_KEY',
  ],
  ['500 ms after the end of the certificate', make({ notAfter: second, serverTime: now + 500 }), 'UNKNOWN_KEY'],
  ['1 ms after the end of the certificate', make({ notAfter: second, serverTime: now + 1 }), 'UNKNOWN_KEY'],
  ['500 ms before the start of the certificate', make({ notBefore: second, serverTime: now - 500 }), 'UNKNOWN_KEY'],
  ['1 ms before the start of the certificate', make({ notBefore: second, serverTime: now - 1 }), 'UNKNOWN_KEY'],
  ['a certificate that never ends', make({ notAfter: Number.MAX_SAFE_INTEGER }), 'accepted'],
  ['a certificate from the start of time', make({ notBefore: 0 }), 'accepted'],
  ['a certificate that ends before it starts', make({ notBefore: second + 10, notAfter: second - 10 }), 'UNKNOWN_KEY'],
  ['the largest serial', make({ serial: Number.MAX_SAFE_INTEGER }), 'accepted', 7],
]

/** The first check that fails decides the code. */
const orderCases: ReplyCase[] = [
  [
    'a missing signature and an unreadable certificate',
    missing('X-Signet-Signature', { Certificate: 'x' }),
    'UNSIGNED_RESPONSE',
  ],
  ['an unreadable certificate and a wrong signature', changed({ Certificate: 'x', Signature: 'x' }), 'UNKNOWN_KEY'],
  ['another kid and a wrong signature', changed({ Key: 'k2', Signature: 'x' }), 'UNKNOWN_KEY'],
  [
    'a wrong signature with an ended certificate',
    make({ notAfter: second - 1, signingKey: otherSigningKey }),
    'BAD_SIGNATURE',
  ],
  ['a wrong signature two generations behind', make({ serial: 5, signingKey: otherSigningKey }), 'BAD_SIGNATURE', 7],
  ['a wrong signature of another time', make({ serverTime: far, signingKey: otherSigningKey }), 'BAD_SIGNATURE'],
  ['an ended certificate and another time', make({ notAfter: second - 1, serverTime: far }), 'UNKNOWN_KEY'],
  ['two generations behind and another time', make({ serial: 5, serverTime: far }), 'UNKNOWN_KEY', 7],
]

/** Each is signed with exactly this text as its time. */
const timeCases: ReplyCase[] = [
  ['a time of 15 digits with leading zeros', make({ serverTime: `00${now + 40}` }), 'accepted'],
  ['a time of 16 digits with leading zeros', make({ serverTime: `000${now + 40}` }), 'BAD_SIGNATURE'],
  ['a time of 16 digits', make({ serverTime: `${now + 40}000` }), 'BAD_SIGNATURE'],
  ['a time with a plus sign', make({ serverTime: `+${now + 40}` }), 'BAD_SIGNATURE'],
  ['a time with a minus sign', make({ serverTime: `-${now + 40}` }), 'BAD_SIGNATURE'],
  ['a time with a space inside', make({ serverTime: `1750 000000040` }), 'BAD_SIGNATURE'],
  ['a time with underscores', make({ serverTime: '1_750_000_000_040' }), 'BAD_SIGNATURE'],
  ['a time with a fraction of zero', make({ serverTime: `${now + 40}.0` }), 'BAD_SIGNATURE'],
  ['a time with an exponent', make({ serverTime: '175000000004e1' }), 'BAD_SIGNATURE'],
  ['a time in hexadecimal', make({ serverTime: `0x${(now + 40).toString(16)}` }), 'BAD_SIGNATURE'],
  ['a time with text after it', make({ serverTime: `${now + 40}a` }), 'BAD_SIGNATURE'],
  ['a time in Arabic digits', make({ serverTime: '١٧٥٠٠٠٠٠٠٠٠٤٠' }), 'BAD_SIGNATURE'],
  ['a time in fullwidth digits', make({ serverTime: '１７５０００００００００４０' }), 'BAD_SIGNATURE'],
]

/** A header that comes twice is joined by a comma, as HTTP does. */
const good = make().headers
const doubled = (name: string): Reply => {
  const value = good[`X-Signet-${name}`] ?? ''
  return withHeader(name, `${value}, ${value}`)
}
const headerCases: ReplyCase[] = [
  ['the key header twice', doubled('Key'), 'UNKNOWN_KEY'],
  ['the time header twice', doubled('Time'), 'BAD_SIGNATURE'],
  ['the signature header twice', doubled('Signature'), 'BAD_SIGNATURE'],
  ['the certificate header twice', doubled('Certificate'), 'UNKNOWN_KEY'],
  ['an empty key header', withHeader('Key', ''), 'UNSIGNED_RESPONSE'],
  ['an empty time header', withHeader('Time', ''), 'UNSIGNED_RESPONSE'],
  ['an empty signature header', withHeader('Signature', ''), 'UNSIGNED_RESPONSE'],
  ['an empty certificate header', withHeader('Certificate', ''), 'UNSIGNED_RESPONSE'],
  ['the kid in another case', withHeader('Key', 'K1'), 'UNKNOWN_KEY'],
  ['the start of the kid', make({ kid: 'k', certificateKid: 'k1' }), 'UNKNOWN_KEY'],
]

/** A signature that contains - or _, so that every lax spelling of it exists. */
function spellableSignature(): string {
  const signature = make().headers['X-Signet-Signature'] ?? ''
  if (!/[-_]/.test(signature)) throw new Error('Change the fixed keys: no spelling with + and / exists.')
  return signature
}

const [, inGroupOfFive] = groupCases.find(([name]) => name === 'one of a group of five') ?? []
const grouped = make(inGroupOfFive && { group: inGroupOfFive })
const path = grouped.headers['X-Signet-Path'] ?? ''
const spellingCases: ReplyCase[] = [
  ...laxSpellings(spellableSignature()).map(([name, text]): ReplyCase => [
    `the signature with ${name}`,
    withHeader('Signature', text),
    'BAD_SIGNATURE',
  ]),
  ...laxSpellings(path).map(([name, text]): ReplyCase => [
    `the path with ${name}`,
    { ...grouped, headers: { ...grouped.headers, 'X-Signet-Path': text } },
    'BAD_SIGNATURE',
  ]),
]

const signatureCases: ReplyCase[] = [
  ['S + L instead of S', make({ sign: (message, key) => withLargeS(sign(null, message, key)) }), 'BAD_SIGNATURE'],
  ['R of order 8', make({ sign: (message, key) => withSmallR(pointOfOrder8, message, key) }), 'BAD_SIGNATURE'],
  ['R unreduced', make({ sign: (message, key) => withSmallR(identityUnreduced, message, key) }), 'BAD_SIGNATURE'],
  ['a signature of zeros', make({ sign: () => Buffer.alloc(64) }), 'BAD_SIGNATURE'],
  [
    'a signature of the identity and zero',
    make({ sign: () => Buffer.concat([Buffer.from([1]), Buffer.alloc(63)]) }),
    'BAD_SIGNATURE',
  ],
  [
    'a signature of 65 bytes',
    make({ sign: (message) => Buffer.concat([sign(null, message, signingKey), Buffer.alloc(1)]) }),
    'BAD_SIGNATURE',
  ],
]

function changed(values: Record<string, string>): Reply {
  const reply = make()
  const headers = Object.fromEntries(Object.entries(values).map(([name, value]) => [`X-Signet-${name}`, value]))
  return { ...reply, headers: { ...reply.headers, ...headers } }
}

function missing(name: string, values: Record<string, string>): Reply {
  const { headers, ...reply } = changed(values)
  return { ...reply, headers: Object.fromEntries(Object.entries(headers).filter(([key]) => key !== name)) }
}

export const strictReplyCases: ReplyCase[] = [
  ...clockCases,
  ...validityCases,
  ...orderCases,
  ...timeCases,
  ...headerCases,
  ...spellingCases,
  ...signatureCases,
]
