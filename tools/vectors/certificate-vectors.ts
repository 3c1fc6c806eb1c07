import { sign } from 'node:crypto'
import { issueCertificate } from '#protocol/key-certificate.ts'
import { lengthPrefixed } from '#protocol/length-prefixed.ts'
import { rawPublicKey } from '#protocol/raw-keys.ts'
import { laxSpellings } from './lax-base64url.ts'
import { identityUnreduced, pointOfOrder8, withLargeS, withSmallR } from './odd-signatures.ts'
import { base64url, notAfter, notBefore, otherRootKey, rootKey, rootPublicKey, signingKey } from './vector-keys.ts'

const key = rawPublicKey(signingKey)
const fields = { kid: 'k1', key, serial: 7, notBefore, notAfter }
const good = issueCertificate({ ...fields, rootKey, publicKey: signingKey })
const [payload = '', signature = ''] = good.split('.')

const sealed = (bytes: string | Uint8Array, signature: Uint8Array) => `${base64url(bytes)}.${base64url(signature)}`

function signed(text: string | Uint8Array, domain = 'signet/v1/key'): string {
  return sealed(text, sign(null, lengthPrefixed(domain, Buffer.from(text)), rootKey))
}

/** Signed by the root key, in another way. */
function signedBy(makeSignature: (message: Buffer) => Buffer): string {
  return sealed(json, makeSignature(lengthPrefixed('signet/v1/key', Buffer.from(json))))
}

const json = JSON.stringify({ v: 1, ...fields })
const withField = (name: string, value: string) =>
  signed(json.replace(new RegExp(`"${name}":("[^"]*"|\\d+)`), `"${name}":${value}`))
const withoutField = (name: string) =>
  signed(json.replace(new RegExp(`"${name}":("[^"]*"|\\d+),?`), '').replace(',}', '}'))
const numbers = ['serial', 'notBefore', 'notAfter']
/** y = p + 3: the same point as y = 3, of large order. */
const unreducedKey = Buffer.from(`f0${'ff'.repeat(30)}7f`, 'hex').toString('base64url')
/** Its payload has characters that only base64url spells with - and _, and one unused pair of bits. */
const spellable = signed(`${json.slice(0, -1)},"x":"?>~?>~ "}`)
const [spellablePayload = '', spellableSignature = ''] = spellable.split('.')

const lax: [string, string][] = [
  ...laxSpellings(spellablePayload).map(([name, text]): [string, string] => [
    `payload with ${name}`,
    `${text}.${spellableSignature}`,
  ]),
  ...laxSpellings(spellableSignature).map(([name, text]): [string, string] => [
    `signature with ${name}`,
    `${spellablePayload}.${text}`,
  ]),
  ...laxSpellings(key).map(([name, text]): [string, string] => [
    `key with ${name}`,
    withField('key', JSON.stringify(text)),
  ]),
]

const wrongTypes: [string, string][] = [
  ...numbers.flatMap((name) =>
    ['null', 'true', '"1749000000"', '1749000000.5', '-1', '1e400', '9007199254740992', '[7]', '{}'].map(
      (value): [string, string] => [`${name} is ${value}`, withField(name, value)],
    ),
  ),
  ...['v', 'kid', 'key', ...numbers].map((name): [string, string] => [`no ${name}`, withoutField(name)]),
  ...['null', '7', 'true', '["k1"]'].map((value): [string, string] => [`kid is ${value}`, withField('kid', value)]),
  ...['null', '7', '""', `["${key}"]`].map((value): [string, string] => [`key is ${value}`, withField('key', value)]),
  ...['null', '"1"', '0', '1.5', '-1'].map((value): [string, string] => [`version ${value}`, withField('v', value)]),
  ['fields in another case', signed(json.replace('"serial"', '"Serial"'))],
  ['the fields one level down', signed(`{"certificate":${json}}`)],
]
const rejected: [string, string][] = [
  ['signed by another root', issueCertificate({ ...fields, rootKey: otherRootKey, publicKey: signingKey })],
  ['signed for another purpose', signed(json, 'signet/v1/response')],
  ['payload changed after signing', `${base64url(json.replace('"serial":7', '"serial":8'))}.${signature}`],
  ['no signature', payload],
  ['empty signature', `${payload}.`],
  ['a third part', `${good}.AAAA`],
  ['padded base64url', `${good}==`],
  ['trailing space', `${good} `],
  ['empty', ''],
  ['version 2', signed(json.replace('"v":1', '"v":2'))],
  ['version true', signed(json.replace('"v":1', '"v":true'))],
  ['serial is text', signed(json.replace('"serial":7', '"serial":"7"'))],
  ['serial is a fraction', signed(json.replace('"serial":7', '"serial":7.5'))],
  ['no end', signed(json.replace(`,"notAfter":${notAfter}`, ''))],
  ['empty kid', signed(json.replace('"k1"', '""'))],
  ['key of 31 bytes', signed(json.replace(key, key.slice(0, 42)))],
  ['key of small order', signed(json.replace(key, `AQ${'A'.repeat(41)}`))],
  ['payload is a list', signed('[]')],
  ['payload is not JSON', signed('{')],
  ['payload is null', signed('null')],
  ['payload is text', signed(JSON.stringify(json))],
  ['payload is empty', signed('')],
  ['payload with text after it', signed(`${json}x`)],
  ['payload twice', signed(json + json)],
  ['payload with a comma at its end', signed(`${json.slice(0, -1)},}`)],
  ['payload with a comment', signed(`${json.slice(0, -1)}/* */}`)],
  ['payload with NaN', signed(`${json.slice(0, -1)},"x":NaN}`)],
  ['payload with a byte order mark', signed(`\u{feff}${json}`)],
  [
    'payload that is not UTF-8',
    signed(Buffer.concat([Buffer.from(`${json.slice(0, -1)},"x":"`), Buffer.from([0xff]), Buffer.from('"}')])),
  ],
  ['payload nested 5,000 deep', signed(`${json.slice(0, -1)},"x":${'['.repeat(5000)}${']'.repeat(5000)}}`)],
  ['an empty third part', `${good}.`],
  ['a dot in front', `.${good}`],
  ['only a dot', '.'],
  ['key unreduced, of large order', withField('key', `"${unreducedKey}"`)],
  ['key unreduced, of small order', withField('key', `"${identityUnreduced.toString('base64url')}"`)],
  ['key off the curve', withField('key', `"Ag${'A'.repeat(41)}"`)],
  ['key of 33 bytes', withField('key', `"${key}A"`)],
  [
    'signed by the signing key itself',
    sealed(json, sign(null, lengthPrefixed('signet/v1/key', Buffer.from(json)), signingKey)),
  ],
  ['S + L instead of S', signedBy((message) => withLargeS(sign(null, message, rootKey)))],
  ['R of order 8', signedBy((message) => withSmallR(pointOfOrder8, message, rootKey))],
  ['R unreduced', signedBy((message) => withSmallR(identityUnreduced, message, rootKey))],
  ['a signature of zeros', signedBy(() => Buffer.alloc(64))],
  ...lax,
  ...wrongTypes,
]

const accepted: [string, string][] = [
  ['an unknown field is ignored', signed(`${json.slice(0, -1)},"x":1}`)],
  [
    'unknown fields of every type',
    signed(`${json.slice(0, -1)},"a":null,"b":true,"c":[1,"2",{}],"d":{"serial":1},"e":"é🦭","f":1.5e3}`),
  ],
  ['an unknown field with a large number', signed(`${json.slice(0, -1)},"x":123456789012345678901234567890}`)],
  ['unknown fields before the others', signed(`{"a":{"kid":"k2"},${json.slice(1)}`)],
  ['white space in the payload', signed(JSON.stringify({ v: 1, ...fields }, null, 2))],
  ['an escaped letter in a field name', signed(json.replace('"kid"', String.raw`"\u006bid"`))],
]

export function certificateVectors() {
  return {
    about:
      'Certificates read with rootPublicKey. A client must read exactly these fields, or reject the certificate ' +
      '(fields null) with UNKNOWN_KEY. Numbers are whole, from 0 to 2^53 - 1. Whether a certificate is valid at a ' +
      'time is not asked here (replies.json).',
    rootPublicKey,
    cases: [
      { name: 'good', certificate: good, fields },
      ...accepted.map(([name, certificate]) => ({ name, certificate, fields })),
      ...rejected.map(([name, certificate]) => ({ name, certificate, fields: null })),
    ],
  }
}

/** Public keys that a client must accept or reject when it is created. */
export function publicKeyVectors() {
  const hex = (text: string) => Buffer.from(text, 'hex').toString('base64url')
  const bad = (curve: string, name: string, publicKey: string) => ({ name, curve, publicKey, usable: false })
  const p = (first: string, last: string) => hex(`${first}${'ff'.repeat(30)}${last}`)
  const x25519 = hex('3948cfe0ad1ddb695d780e59077195da6c56506b027329794ab02bca80815c4d')
  return {
    about: 'Keys that a client must accept (usable) or reject with INVALID_CONFIGURATION when it is made.',
    cases: [
      { name: 'a root key', curve: 'ed25519', publicKey: rootPublicKey, usable: true },
      {
        name: 'RFC 8032 test 1',
        curve: 'ed25519',
        usable: true,
        publicKey: hex('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a'),
      },
      { name: 'RFC 9180 A.1 recipient', curve: 'x25519', publicKey: x25519, usable: true },
      bad('ed25519', 'the identity', hex(`01${'00'.repeat(31)}`)),
      bad('ed25519', 'order 2', p('ec', '7f')),
      bad('ed25519', 'order 4', hex('00'.repeat(32))),
      bad('ed25519', 'order 8', hex('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05')),
      bad('ed25519', 'order 8, other', hex('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa')),
      bad('ed25519', 'y is p', p('ed', '7f')),
      bad('ed25519', 'off the curve', hex(`02${'00'.repeat(31)}`)),
      bad('ed25519', '31 bytes', rootPublicKey.slice(0, 42)),
      bad('ed25519', 'padded', `${rootPublicKey}=`),
      bad('ed25519', 'empty', ''),
      bad('ed25519', 'the identity, unreduced', identityUnreduced.toString('base64url')),
      bad('ed25519', 'the identity with a negative x', hex(`01${'00'.repeat(30)}80`)),
      bad('ed25519', 'y is 2^255 - 1', p('ff', '7f')),
      bad('ed25519', 'unreduced, of large order', unreducedKey),
      bad('ed25519', 'unreduced, of large order, negative x', p('f0', 'ff')),
      bad('ed25519', '33 bytes', `${rootPublicKey}AA`),
      bad('ed25519', 'hexadecimal', Buffer.from(rootPublicKey, 'base64url').toString('hex')),
      bad('ed25519', 'with a line end', `${rootPublicKey}\n`),
      bad('ed25519', 'with a space in front', ` ${rootPublicKey}`),
      ...laxSpellings(rootPublicKey).map(([name, text]) => bad('ed25519', `with ${name}`, text)),
      bad('x25519', 'zero', hex('00'.repeat(32))),
      bad('x25519', 'one', hex(`01${'00'.repeat(31)}`)),
      bad('x25519', 'order 8', hex('e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800')),
      bad('x25519', 'p', p('ed', '7f')),
      bad('x25519', 'order 8, other', hex('5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157')),
      bad('x25519', 'p - 1', p('ec', '7f')),
      bad('x25519', 'p + 1', p('ee', '7f')),
      bad('x25519', 'unreduced, of large order', p('f6', '7f')),
      bad(
        'x25519',
        'top bit set on a good key',
        hex(`${'3948cfe0ad1ddb695d780e59077195da6c56506b027329794ab02bca80815c'}cd`),
      ),
      bad('x25519', 'empty', ''),
      bad('x25519', 'with a line end', `${x25519}\n`),
      ...laxSpellings(x25519).map(([name, text]) => bad('x25519', `with ${name}`, text)),
      bad('x25519', 'top bit set', hex(`09${'00'.repeat(30)}80`)),
      bad('x25519', '33 bytes', `${x25519}AA`),
    ],
  }
}
