import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { createFolder } from '#database/create-folder.ts'
import { OperatorError } from '#database/operator-error.ts'

const keyBytes = 32
const nonceBytes = 12
const tagBytes = 16

/** The master key cannot be used; the message tells the operator what to do. */
export class MasterKeyInvalid extends OperatorError {}

/** The file does not exist. */
export class MasterKeyMissing extends MasterKeyInvalid {}

const putBack = "Put the database's own key there, from the copy that is stored apart from the backups"

export const masterKeyMissing = (path: string): MasterKeyMissing =>
  new MasterKeyMissing(`The master key ${path} is missing. ${putBack}: a new key would open nothing of this database.`)

/** The key belongs to another database. */
export const masterKeyWrong = (path: string): MasterKeyInvalid =>
  new MasterKeyInvalid(`The master key ${path} is not the key of this database. ${putBack}.`)

const notCreated = (path: string, error: unknown): MasterKeyInvalid =>
  new MasterKeyInvalid(`The master key ${path} can't be created (${(error as Error).message}).`)

/**
 * Seals secrets at rest with a key kept outside the database. A sealed value is bound to its place
 * (`table|column|row`), so that a copied row cannot be opened elsewhere.
 */
export class MasterKey {
  /** Key objects, because Node takes about 30 µs longer whenever it gets a key as bytes. */
  readonly #key: KeyObject
  readonly #macKeys = new Map<string, KeyObject>()

  constructor(key: Buffer) {
    if (key.length !== keyBytes) throw new MasterKeyInvalid('The master key must be 32 bytes')
    this.#key = createSecretKey(key)
  }

  /** Reads a file that must exist. */
  static read(path: string): MasterKey {
    let text: string
    try {
      text = readFileSync(path, 'utf8').trim()
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw masterKeyMissing(path)
      throw new MasterKeyInvalid(`The master key ${path} can't be read (${(error as Error).message}).`)
    }
    const key = Buffer.from(text, 'base64url')
    // Any text decodes as base64: a truncated or wrong key is only noticed by its length.
    if (key.length !== keyBytes) {
      throw new MasterKeyInvalid(
        `The master key ${path} must be ${keyBytes} bytes in base64url, and is no such key. ${putBack}.`,
      )
    }
    return new MasterKey(key)
  }

  /**
   * Creates the key file for a database that was never sealed, readable only by its owner and flushed to disk before
   * anything is sealed. False if the file exists, because another process that starts at the same time created it. The
   * file appears atomically, so that nobody reads a partial key.
   */
  static create(path: string): boolean {
    const partial = `${path}.${randomBytes(6).toString('hex')}`
    try {
      createFolder(dirname(path))
    } catch (error) {
      throw notCreated(path, error)
    }
    try {
      writeFileSync(partial, `${randomBytes(keyBytes).toString('base64url')}\n`, {
        mode: 0o600,
        flag: 'wx',
        flush: true,
      })
      linkSync(partial, path)
      syncFolder(dirname(path))
      return true
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
      throw notCreated(path, error)
    } finally {
      rmSync(partial, { force: true })
    }
  }

  /** Identifies the key without revealing it: stored in the database that it seals, and in each backup. */
  get checkValue(): string {
    return this.derive('check of backups').toString('base64url')
  }

  /** Derives a key for one purpose, so that no two uses share a key. */
  derive(purpose: string): Buffer {
    return Buffer.from(hkdfSync('sha256', this.#key, '', `signet/v1/${purpose}`, keyBytes))
  }

  /** The derived key of a purpose, for HMACs, and kept: purposes are few. */
  macKey(purpose: string): KeyObject {
    const known = this.#macKeys.get(purpose)
    if (known) return known
    const key = createSecretKey(this.derive(purpose))
    this.#macKeys.set(purpose, key)
    return key
  }

  seal(plain: Buffer | string, context: string): string {
    const nonce = randomBytes(nonceBytes)
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce).setAAD(Buffer.from(context))
    const sealed = Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
    return `v1.${sealed.toString('base64url')}`
  }

  /** Throws if the text was changed, moved or sealed with another key. */
  open(sealed: string, context: string): Buffer {
    const bytes = Buffer.from(sealed.replace(/^v1\./, ''), 'base64url')
    const decipher = createDecipheriv('aes-256-gcm', this.#key, bytes.subarray(0, nonceBytes), {
      authTagLength: tagBytes,
    })
    decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(-tagBytes))
    return Buffer.concat([decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()])
  }
}

/** Otherwise a power failure may lose the directory entry of a file whose data is safe. */
function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r')
  fsyncSync(descriptor)
  closeSync(descriptor)
}
