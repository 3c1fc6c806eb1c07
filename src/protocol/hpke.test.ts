import { expect, test } from 'vitest'
import { privateKeyFromSeed } from '#testing/seeded-keys.ts'
import { aes128gcm, aes256gcm, open } from './hpke.ts'
import { rawPublicBytes } from './raw-keys.ts'

const bytes = (hex: string) => Buffer.from(hex, 'hex')

test('RFC 9180 appendix A.1.1, sequence number 0', () => {
  const skRm = '4612c550263fc8ad58375df3f557aac531d26850903e55a9f23f21d8534e8ac8'
  const recipient = privateKeyFromSeed('x25519', bytes(skRm))
  const publicBytes = bytes('3948cfe0ad1ddb695d780e59077195da6c56506b027329794ab02bca80815c4d')
  const enc = '37fda3567bdbd628e88668c3c8d7e97d1d1253b6d4ea6d44c150f741f1bf4431'
  const ciphertext = 'f938558b5d72f1a23810b4be2ab4f84331acc02fc97babc53a52ae8218a355a96d8770ac83d07bea87e13c512a'
  const context = { aead: aes128gcm, info: Buffer.from('Ode on a Grecian Urn'), aad: Buffer.from('Count-0') }
  const plain = Buffer.from('Beauty is truth, truth beauty')

  expect(rawPublicBytes(recipient)).toEqual(publicBytes)
  expect(open(recipient, publicBytes, bytes(enc + ciphertext), context)).toEqual(plain)
})

test('opens what another implementation sealed with AES-256-GCM', () => {
  // Made once by pyca/cryptography 48 (its own HPKE), to the key whose scalar is 32 bytes of 7.
  const sealed = [
    '5417bd7c23e8a5f27067f8f2a77f3be855f7ca0253d3765adb75584e76750f78c536e139d62dfa732b6e73e43102884d',
    '0472274b15d4ae762da69777aecf20bfccc5ae8164b9081a41c09f5ea8',
  ].join('')
  const recipient = privateKeyFromSeed('x25519', Buffer.alloc(32, 7))
  const context = { aead: aes256gcm, info: Buffer.from('Ode on a Grecian Urn'), aad: Buffer.alloc(0) }
  const plain = open(recipient, rawPublicBytes(recipient), bytes(sealed), context)
  expect(plain.toString()).toBe('Beauty is truth, truth beauty')
})
