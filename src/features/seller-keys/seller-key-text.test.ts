import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  idOfReference,
  isSecretOf,
  newKeyId,
  newSellerKeyText,
  publicForm,
  parseSellerKey,
  secretHashOf,
} from './seller-key-text.ts'

test('a new key can be parsed, and only its hash and last characters are kept', () => {
  for (let round = 0; round < 200; round++) {
    const id = newKeyId()
    const { text, secretHash, lastFour } = newSellerKeyText(id)
    const read = parseSellerKey(text)
    expect(read?.id).toBe(id)
    expect(createHash('sha256').update(text.slice(17, 60)).digest('base64url')).toBe(secretHash)
    expect(text.endsWith(lastFour)).toBe(true)
  }
})

test('one changed, missing, or added character makes a key invalid', () => {
  const { text } = newSellerKeyText('AbCd1234')
  fc.assert(
    fc.property(fc.nat(text.length - 1), fc.string({ minLength: 0, maxLength: 2 }), (at, instead) => {
      const changed = text.slice(0, at) + instead + text.slice(at + 1)
      expect(parseSellerKey(changed) === null).toBe(changed !== text)
    }),
  )
  for (const other of ['', `${text} `, ` ${text}`, `${text}\n`, text.toUpperCase(), `${text}${text}`])
    expect(parseSellerKey(other)).toBeNull()
})

test('the checksum is the CRC-32 of the preceding text, in base 62', () => {
  const body = `lk_live_AAAAAAAA_${'A'.repeat(43)}`
  let crc = 0xffffffff
  for (const byte of Buffer.from(body)) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
  let rest = (crc ^ 0xffffffff) >>> 0
  let check = ''
  for (let at = 0; at < 6; at++) {
    check = alphabet[rest % 62] + check
    rest = Math.floor(rest / 62)
  }
  expect(parseSellerKey(`${body}_${check}`)).toEqual({ id: 'AAAAAAAA', secret: 'A'.repeat(43) })
})

test('a key can be given by its public form or its ID, with or without the prefix, and nothing else', () => {
  const shown = publicForm({ id: 'AbCd1234', last_four: 'wxyz' })
  expect(shown).toBe('lk_live_AbCd1234…wxyz')
  for (const text of [
    shown,
    'AbCd1234…wxyz',
    'AbCd1234',
    'lk_live_AbCd1234',
    'AbCd1234...wxyz',
    'lk_live_AbCd1234_...wxyz',
  ]) {
    expect(idOfReference(text)).toBe('AbCd1234')
  }
  for (const text of ['', 'AbCd123', 'AbCd12345', 'AbCd1234…', 'AbCd123%', 'lk_live_', `${shown}x`])
    expect(idOfReference(text)).toBeNull()
})

test('a secret matches its key, and the previous one only until its overlap ends', () => {
  const key = { secret_hash: secretHashOf('now'), previous_hash: secretHashOf('before'), previous_until: 100 }
  expect([isSecretOf(key, 'now', 99), isSecretOf(key, 'before', 99), isSecretOf(key, 'other', 99)]).toEqual([
    true,
    true,
    false,
  ])
  expect([isSecretOf(key, 'now', 100), isSecretOf(key, 'before', 100)]).toEqual([true, false])
  const single = { secret_hash: secretHashOf('now'), previous_hash: null, previous_until: null }
  expect([isSecretOf(single, 'now', 0), isSecretOf(single, '', 0)]).toEqual([true, false])
})
