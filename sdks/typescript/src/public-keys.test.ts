import { generateKeyPairSync, KeyObject } from 'node:crypto'
import { expect, test } from 'vitest'
import { type Curve, publicKeyBytes, publicKeyFromRaw } from './public-keys.ts'

const rawOf = (key: KeyObject) => key.export({ format: 'jwk' }).x as string
const fromHex = (hex: string) => Buffer.from(hex, 'hex').toString('base64url')

test('accepts any properly generated key', async () => {
  for (let round = 0; round < 50; round++) {
    for (const { publicKey } of [generateKeyPairSync('ed25519'), generateKeyPairSync('x25519')]) {
      const curve = publicKey.asymmetricKeyType as Curve
      const read = await publicKeyFromRaw(curve, rawOf(publicKey))
      expect(rawOf(KeyObject.from(read))).toBe(rawOf(publicKey))
    }
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
])('rejects an Ed25519 key that is %s', (_, hex) => {
  expect(() => publicKeyBytes('ed25519', fromHex(hex))).toThrow('no usable ed25519')
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
])('rejects an X25519 key that is %s', (_, hex) => {
  expect(() => publicKeyBytes('x25519', fromHex(hex))).toThrow('no usable x25519')
})

test('rejects other lengths and encodings', () => {
  const good = fromHex('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a')
  expect(() => publicKeyBytes('ed25519', good)).not.toThrow()
  const padded = `${good}=`
  const spare = `${good.slice(0, -1)}${String.fromCharCode(good.charCodeAt(42) + 1)}`
  for (const text of ['', good.slice(1), `${good}A`, padded, spare, `${good} `, good.replace(/.$/, '!')]) {
    expect(() => publicKeyBytes('ed25519', text), text).toThrow(TypeError)
  }
})
