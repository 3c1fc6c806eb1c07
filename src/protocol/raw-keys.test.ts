import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { privateKeyFromSeed, publicKeyFromRaw, rawPublicKey, type Curve } from './raw-keys.ts'

const fromHex = (hex: string) => Buffer.from(hex, 'hex').toString('base64url')

test.each<Curve>(['ed25519', 'x25519'])('%s keys go to 43 characters and back', (curve) => {
  for (let round = 0; round < 20; round++) {
    const seed = Buffer.alloc(32, round + 1)
    const raw = rawPublicKey(privateKeyFromSeed(curve, seed))
    expect(raw).toMatch(/^[\w-]{43}$/)
    expect(rawPublicKey(publicKeyFromRaw(curve, raw))).toBe(raw)
  }
})

test('agrees with RFC 8032 §7.1 test 1', () => {
  const seed = Buffer.from('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 'hex')
  const publicKey = fromHex('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a')
  expect(rawPublicKey(privateKeyFromSeed('ed25519', seed))).toBe(publicKey)
})

test('takes any honestly made Ed25519 key', () => {
  for (let round = 0; round < 100; round++) {
    const raw = rawPublicKey(generateKeyPairSync('ed25519').publicKey)
    expect(() => publicKeyFromRaw('ed25519', raw)).not.toThrow()
  }
})

test.each([
  ['the identity', `01${'00'.repeat(31)}`],
  ['order 2', `ec${'ff'.repeat(30)}7f`],
  ['order 4', '00'.repeat(32)],
  ['order 4, other sign', `${'00'.repeat(31)}80`],
  ['order 8', '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05'],
  ['order 8, other sign', '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85'],
  ['order 8, other y', 'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a'],
  ['order 8, other y and sign', 'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa'],
  ['a y of p, not reduced', `ed${'ff'.repeat(30)}7f`],
  ['a y above p', 'ff'.repeat(32)],
  ['a y with no point on the curve', `02${'00'.repeat(31)}`],
])('refuses an Ed25519 key that is %s', (_, hex) => {
  expect(() => publicKeyFromRaw('ed25519', fromHex(hex))).toThrow('no usable ed25519')
})

test.each([
  ['zero', '00'.repeat(32)],
  ['one', `01${'00'.repeat(31)}`],
  ['of order 8', 'e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800'],
  ['of order 8, the other', '5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157'],
  ['p - 1', `ec${'ff'.repeat(30)}7f`],
  ['p', `ed${'ff'.repeat(30)}7f`],
  ['p + 1', `ee${'ff'.repeat(30)}7f`],
  ['with the top bit set', `09${'00'.repeat(30)}80`],
])('refuses an X25519 key that is %s', (_, hex) => {
  expect(() => publicKeyFromRaw('x25519', fromHex(hex))).toThrow('no usable x25519')
})

test('refuses other lengths and spellings', () => {
  const good = rawPublicKey(privateKeyFromSeed('ed25519', Buffer.alloc(32, 3)))
  const padded = `${good}=`
  const spare = `${good.slice(0, -1)}${String.fromCharCode(good.charCodeAt(42) + 1)}`
  for (const text of ['', good.slice(1), `${good}A`, padded, spare, `${good} `, good.replace(/.$/, '!')]) {
    expect(() => publicKeyFromRaw('ed25519', text), text).toThrow(TypeError)
  }
})
