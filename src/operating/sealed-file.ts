import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  scryptSync,
} from 'node:crypto'
import { OperatorError } from '#database/operator-error.ts'

/**
 * A file that only its key opens, in chunks: each is sealed by AES-256-GCM under a key of this file, with its number
 * and whether it is the last one as the nonce. Chunks therefore cannot be changed, moved, removed or taken from another
 * file.
 */

/** The key of a file: 32 random bytes, or a passphrase. */
export type SealKey = { kind: 'key'; key: Buffer } | { kind: 'passphrase'; passphrase: string }

/** The file was changed or cut off, or belongs to another key. */
export class SealBroken extends OperatorError {}

const magic = Buffer.from('SIGNET-BACKUP\n1\n')
const kinds = ['key', 'passphrase'] as const
const saltBytes = 16
const headerBytes = magic.length + 1 + saltBytes
const chunkBytes = 65_536
const tagBytes = 16
const sealedBytes = chunkBytes + tagBytes
/** 128 MiB and about half a second for each guess of a passphrase. */
const scryptCost = { N: 131_072, r: 8, p: 1, maxmem: 192 * 1024 * 1024 }

function fileKey(key: SealKey, salt: Buffer): KeyObject {
  if (key.kind === 'passphrase') {
    return createSecretKey(scryptSync(key.passphrase.normalize('NFC'), salt, 32, scryptCost))
  }
  return createSecretKey(Buffer.from(hkdfSync('sha256', key.key, salt, 'signet/v1/backup file', 32)))
}

function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeBigUInt64BE(BigInt(number))
  nonce[11] = isLast ? 1 : 0
  return nonce
}

/** Encrypts: the bytes of the file from its content. */
export const sealWith = (key: SealKey) =>
  async function* seal(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const salt = randomBytes(saltBytes)
    const header = Buffer.concat([magic, Buffer.from([kinds.indexOf(key.kind)]), salt])
    const secret = fileKey(key, salt)
    const sealChunk = (plain: Buffer, number: number, isLast: boolean) => {
      const cipher = createCipheriv('aes-256-gcm', secret, nonceOf(number, isLast)).setAAD(header)
      return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()])
    }
    yield header
    yield* chunksOf(source, chunkBytes, sealChunk)
  }

/** Decrypts: the content of the file. Throws `SealBroken` before it returns anything of a broken chunk. */
export const openWith = (key: SealKey) =>
  async function* open(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const bytes = source[Symbol.asyncIterator]()
    let start = Buffer.alloc(0)
    while (start.length < headerBytes) {
      const { value, done } = await bytes.next()
      if (done) break
      start = Buffer.concat([start, value])
    }
    const header = start.subarray(0, headerBytes)
    if (header.length < headerBytes || !header.subarray(0, magic.length).equals(magic)) {
      throw new SealBroken('This is not a Signet backup, or its beginning is missing')
    }
    const kind = kinds[header[magic.length] as number]
    if (kind !== key.kind) {
      throw new SealBroken(
        kind === 'passphrase'
          ? 'The backup was sealed with a passphrase: add --passphrase-file FILE'
          : 'The backup was sealed with the master key: leave out --passphrase-file',
      )
    }
    const secret = fileKey(key, header.subarray(magic.length + 1))
    const openChunk = (sealed: Buffer, number: number, isLast: boolean) => {
      if (sealed.length < tagBytes) throw new SealBroken('The backup is cut off')
      const nonce = nonceOf(number, isLast)
      const decipher = createDecipheriv('aes-256-gcm', secret, nonce, { authTagLength: tagBytes }).setAAD(header)
      decipher.setAuthTag(sealed.subarray(-tagBytes))
      try {
        return Buffer.concat([decipher.update(sealed.subarray(0, -tagBytes)), decipher.final()])
      } catch (cause) {
        const where = number === 0 ? 'The key is another one, or the backup' : `The backup from chunk ${number} on`
        throw new SealBroken(`${where} was changed or cut off`, { cause })
      }
    }
    const rest = async function* () {
      yield start.subarray(headerBytes)
      for (;;) {
        const { value, done } = await bytes.next()
        if (done) return
        yield value
      }
    }
    yield* chunksOf(rest(), sealedBytes, openChunk)
  }

/** Splits into chunks of one size. The last one may be shorter or empty, and is marked as the last. */
async function* chunksOf(
  source: AsyncIterable<Buffer>,
  size: number,
  change: (chunk: Buffer, number: number, isLast: boolean) => Buffer,
): AsyncGenerator<Buffer> {
  let number = 0
  let pending: Buffer[] = []
  let length = 0
  for await (const bytes of source) {
    pending.push(bytes)
    length += bytes.length
    if (length <= size) continue
    let rest = Buffer.concat(pending)
    // A complete chunk is held back until more data follows, because it may be the last one.
    for (; rest.length > size; rest = rest.subarray(size)) yield change(rest.subarray(0, size), number++, false)
    pending = [rest]
    length = rest.length
  }
  yield change(Buffer.concat(pending), number, true)
}
