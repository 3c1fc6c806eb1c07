import { sign } from 'node:crypto'
import { issueCertificate } from '#protocol/key-certificate.ts'
import { lengthPrefixed } from '#protocol/length-prefixed.ts'
import { rawPublicKey } from '#protocol/raw-keys.ts'
import { base64url, notAfter, notBefore, otherRootKey, rootKey, rootPublicKey, signingKey } from './vector-keys.ts'

const key = rawPublicKey(signingKey)
const fields = { kid: 'k1', key, serial: 7, notBefore, notAfter }
const good = issueCertificate({ ...fields, rootKey, publicKey: signingKey })
const [payload = '', signature = ''] = good.split('.')

function signed(text: string, domain = 'signet/v1/key'): string {
  const proof = sign(null, lengthPrefixed(domain, Buffer.from(text)), rootKey)
  return `${base64url(text)}.${base64url(proof)}`
}

const json = JSON.stringify({ v: 1, ...fields })
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
]

export function certificateVectors() {
  return {
    about: 'Certificates read with rootPublicKey. fields null means: must be refused.',
    rootPublicKey,
    cases: [
      { name: 'good', certificate: good, fields },
      { name: 'an unknown field is ignored', certificate: signed(`${json.slice(0, -1)},"x":1}`), fields },
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
    about: 'Keys that a client must take (usable) or refuse when it is made.',
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
      bad('x25519', 'zero', hex('00'.repeat(32))),
      bad('x25519', 'one', hex(`01${'00'.repeat(31)}`)),
      bad('x25519', 'order 8', hex('e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800')),
      bad('x25519', 'p', p('ed', '7f')),
      bad('x25519', 'top bit set', hex(`09${'00'.repeat(30)}80`)),
      bad('x25519', '33 bytes', `${x25519}AA`),
    ],
  }
}
