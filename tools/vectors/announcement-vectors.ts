import { type KeyObject, sign } from 'node:crypto'
import { announceRootKey, certificateText, issueCertificate } from '#protocol/key-certificate.ts'
import { lengthPrefixed } from '#protocol/length-prefixed.ts'
import { rawPublicKey } from '#protocol/raw-keys.ts'
import { privateKeyFromSeed } from '#testing/seeded-keys.ts'
import { laxSpellings } from './lax-base64url.ts'
import { base64url, notAfter, notBefore, otherRootKey, rootKey, rootPublicKey, signingKey } from './vector-keys.ts'

const fields = { kid: 'k1', key: rawPublicKey(signingKey), serial: 7, notBefore, notAfter }
const rootAt = (byte: number): KeyObject => privateKeyFromSeed('ed25519', Buffer.alloc(32, byte))
const [second, third, fourth, fifth, sixth] = [0x13, 0x14, 0x15, 0x16, 0x17].map(rootAt) as [
  KeyObject,
  KeyObject,
  KeyObject,
  KeyObject,
  KeyObject,
]

const certifiedBy = (root: KeyObject): string => issueCertificate({ ...fields, rootKey: root, publicKey: signingKey })
const bySecond = certifiedBy(second)
const good = announceRootKey(rootKey, second)
const [payload = '', signature = ''] = good.split('.')
const json = JSON.stringify({ v: 1, root: rawPublicKey(second) })

function announced(text: string | Uint8Array, { domain = 'signet/v1/root', key = rootKey } = {}): string {
  return `${base64url(text)}.${base64url(sign(null, lengthPrefixed(domain, Buffer.from(text)), key))}`
}
const withRoot = (value: string): string => announced(`{"v":1,"root":${value}}`)
const before = (announcement: string, certificate = bySecond): string => `${announcement}.${certificate}`

const accepted: [name: string, certificate: string, root: KeyObject][] = [
  ['a replaced root key', before(good), second],
  ['no announcement', certifiedBy(rootKey), rootKey],
  ['replaced twice', certificateText([good, announceRootKey(second, third)], certifiedBy(third)), third],
  [
    'replaced four times',
    certificateText(
      [good, announceRootKey(second, third), announceRootKey(third, fourth), announceRootKey(fourth, fifth)],
      certifiedBy(fifth),
    ),
    fifth,
  ],
  ['the pinned key replaced another', before(announceRootKey(otherRootKey, rootKey), certifiedBy(rootKey)), rootKey],
  [
    'the pinned key replaced another and was replaced',
    certificateText([announceRootKey(otherRootKey, rootKey), good], bySecond),
    second,
  ],
  [
    'the announcement of a stranger between two',
    certificateText([good, announceRootKey(otherRootKey, sixth), announceRootKey(second, third)], certifiedBy(third)),
    third,
  ],
  ['a root key that announces itself', before(announceRootKey(rootKey, rootKey), certifiedBy(rootKey)), rootKey],
  [
    "a stranger's unreadable announcement",
    before(announced('x', { key: otherRootKey }), certifiedBy(rootKey)),
    rootKey,
  ],
  [
    'signed for another purpose, which announces nothing',
    before(announced(json, { domain: 'signet/v1/key' }), certifiedBy(rootKey)),
    rootKey,
  ],
  ['an unknown field is ignored', before(announced(`${json.slice(0, -1)},"x":[1]}`)), second],
  ['of two roots the last one counts', before(announced(`{"v":1,"root":"x",${json.slice(1)}`)), second],
  ['white space in the payload', before(announced(JSON.stringify(JSON.parse(json), null, 2))), second],
]

const rejected: [name: string, certificate: string][] = [
  ['no announcement of the new root key', bySecond],
  ['announced, but certified by the key before', before(good, certifiedBy(rootKey))],
  ['announced and certified by a stranger', before(announceRootKey(otherRootKey, sixth), certifiedBy(sixth))],
  ['announced by the new key itself', before(announceRootKey(second, second))],
  ['announced by the signing key', before(announced(json, { key: signingKey }))],
  ['announced for another purpose', before(announced(json, { domain: 'signet/v1/key' }))],
  ['certified for another purpose', before(good, announced(JSON.stringify({ v: 1, ...fields }), { key: second }))],
  ['in the wrong order', certificateText([announceRootKey(second, third), good], certifiedBy(third))],
  ['the certificate first', `${bySecond}.${good}`],
  ['an announcement alone', good],
  [
    'five announcements',
    certificateText(
      [
        good,
        announceRootKey(second, third),
        announceRootKey(third, fourth),
        announceRootKey(fourth, fifth),
        announceRootKey(fifth, sixth),
      ],
      certifiedBy(sixth),
    ),
  ],
  [
    'the same announcement five times',
    certificateText(
      Array.from({ length: 5 }, () => good),
      bySecond,
    ),
  ],
  ['payload changed after signing', before(`${base64url(json.replace('"v":1', '"v": 1'))}.${signature}`)],
  ['without its signature', before(payload)],
  ['with an empty signature', before(`${payload}.`)],
  ['with an empty payload', before(`.${signature}`)],
  ['with a short signature', before(`${payload}.${signature.slice(0, -2)}`)],
  ['a comma instead of a dot', `${good},${bySecond}`],
  ['a comma and a space instead of a dot', `${good}, ${bySecond}`],
  ['two dots between', `${good}..${bySecond}`],
  ['a dot in front', `.${before(good)}`],
  ['a dot at the end', `${before(good)}.`],
  ["a stranger's announcement with a short signature", before(`${payload}.AAAA`, certifiedBy(rootKey))],
  ['version 2', before(announced(json.replace('"v":1', '"v":2')))],
  ['version "1"', before(announced(json.replace('"v":1', '"v":"1"')))],
  ['no version', before(announced(json.replace('"v":1,', '')))],
  ['no root', before(announced('{"v":1}'))],
  ['payload is a list', before(announced(`[${json}]`))],
  ['payload is not JSON', before(announced('{'))],
  [
    'payload is not UTF-8',
    before(
      announced(Buffer.concat([Buffer.from(`${json.slice(0, -1)},"x":"`), Buffer.from([0xff]), Buffer.from('"}')])),
    ),
  ],
  ['the field in another case', before(announced(json.replace('"root"', '"Root"')))],
  ...['null', '7', 'true', '""', `["${rawPublicKey(second)}"]`].map((value): [string, string] => [
    `root is ${value}`,
    before(withRoot(value)),
  ]),
  ['root of 31 bytes', before(withRoot(`"${rawPublicKey(second).slice(0, 42)}"`))],
  ['root of small order', before(withRoot(`"AQ${'A'.repeat(41)}"`))],
  ['root off the curve', before(withRoot(`"Ag${'A'.repeat(41)}"`))],
  ...laxSpellings(rawPublicKey(second)).map(([name, text]): [string, string] => [
    `root with ${name}`,
    before(withRoot(JSON.stringify(text))),
  ]),
  ...laxSpellings(payload).map(([name, text]): [string, string] => [
    `payload with ${name}`,
    before(`${text}.${signature}`),
  ]),
  ...laxSpellings(signature).map(([name, text]): [string, string] => [
    `signature with ${name}`,
    before(`${payload}.${text}`),
  ]),
]

/** Certificates after announcements of replaced root keys. */
export function announcementVectors() {
  return {
    about:
      'Certificates, after announcements of replaced root keys, read by a client that pins rootPublicKey. A client must ' +
      'read exactly these fields and trust root from then on, or reject the certificate (fields null) with UNKNOWN_KEY. ' +
      'Each case is a client of its own.',
    rootPublicKey,
    cases: [
      ...accepted.map(([name, certificate, root]) => ({ name, certificate, fields, root: rawPublicKey(root) })),
      ...rejected.map(([name, certificate]) => ({ name, certificate, fields: null, root: null })),
    ],
  }
}
