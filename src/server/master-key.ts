import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

const keyBytes = 32
const nonceBytes = 12
const tagBytes = 16

/**
 * Seals secrets at rest with a key kept outside the database (R-SEC-01). What is sealed is bound
 * to its place (`table|column|row`), so that a copied row can't be opened elsewhere.
 */
export class MasterKey {
  readonly #key: Buffer

  constructor(key: Buffer) {
    if (key.length !== keyBytes) throw new Error('The master key must be 32 bytes')
    this.#key = key
  }

  /** Reads the key file; makes it, readable by its owner only, at the first start. */
  static fromFile(path: string): MasterKey {
    try {
      return MasterKey.read(path)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    try {
      writeFileSync(path, `${randomBytes(keyBytes).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' })
    } catch (error) {
      // Another process that starts with us was first.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    return MasterKey.read(path)
  }

  /** Of a file that must be there. */
  static read(path: string): MasterKey {
    return new MasterKey(Buffer.from(readFileSync(path, 'utf8').trim(), 'base64url'))
  }

  /** A key for one purpose, so that no two uses share one. */
  derive(purpose: string): Buffer {
    return Buffer.from(hkdfSync('sha256', this.#key, '', `signet/v1/${purpose}`, keyBytes))
  }

  seal(plain: Buffer | string, place: string): string {
    const nonce = randomBytes(nonceBytes)
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce).setAAD(Buffer.from(place))
    const sealed = Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
    return `v1.${sealed.toString('base64url')}`
  }

  /** Throws when the text was changed, moved or sealed with another key. */
  open(sealed: string, place: string): Buffer {
    const bytes = Buffer.from(sealed.replace(/^v1\./, ''), 'base64url')
    const decipher = createDecipheriv('aes-256-gcm', this.#key, bytes.subarray(0, nonceBytes), {
      authTagLength: tagBytes,
    })
    decipher.setAAD(Buffer.from(place)).setAuthTag(bytes.subarray(-tagBytes))
    return Buffer.concat([decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()])
  }
}
