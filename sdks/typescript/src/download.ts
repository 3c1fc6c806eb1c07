import type * as NodeCrypto from 'node:crypto'
import type * as NodeFiles from 'node:fs/promises'
import type * as NodePath from 'node:path'
import { builtinModule } from './builtin-module.ts'
import type { Deadline } from './deadline.ts'
import { Attempts } from './download-attempts.ts'
import { SignetError, UnverifiedError } from './errors.ts'
import { textAt } from './session.ts'
import { hexOf, newNonce } from './wire.ts'

/** A file that stands at `path`, with the bytes that the server has signed for. */
export interface DownloadedFile {
  /** Absolute. */
  path: string
  /** As the owner uploaded it. Untrusted text, so don't use it as a path. */
  fileName: string
  /** Bytes. */
  size: number
  /** Hexadecimal. */
  sha256: string
}

/** What the server says, signed, about a file, and where its bytes are for a minute. */
export interface FileOffer extends Omit<DownloadedFile, 'path'> {
  url: string
}

/** The bytes of a file as they come in; not verified. */
export interface FileAnswer {
  /** The first byte's place in the file. */
  start: number
  chunks: AsyncIterable<Uint8Array>
}

/** The file in the reply to `download`. */
export function fileOfferOf(fields: Record<string, unknown>): FileOffer {
  const [fileName, sha256, url] = ['fileName', 'sha256', 'url'].map((name) => textAt(fields, name)) as [
    string,
    string,
    string,
  ]
  const { size } = fields
  const isProper = /^[0-9a-f]{64}$/.test(sha256) && /^\/api\/1\.0\/download\/[\w.~?=&%-]{1,500}$/.test(url)
  if (!isProper || !Number.isSafeInteger(size) || (size as number) < 0) {
    throw new SignetError('MALFORMED_REPLY', "The server's signed answer lacks a proper file.")
  }
  return { fileName, size: size as number, sha256, url }
}

export interface FileSource {
  ask: () => Promise<FileOffer>
  /** From `start` on, or all of it if the server gives no part. */
  open: (offer: FileOffer, start: number, silence: Deadline) => Promise<FileAnswer>
  /** For one attempt: its time is up after silence. */
  newDeadline: () => Deadline
  timeoutSeconds: number
}

/** Writes the file to `path`, whole and with the signed bytes, or leaves everything there as it was. */
export async function downloadFile(source: FileSource, path: string): Promise<DownloadedFile> {
  const node = nodeModules()
  const attempts = new Attempts(source)
  const offer = await attempts.repeat(() => source.ask())
  const target = await written((async () => node.path.resolve(path))())
  const partial = `${target}.${newNonce().slice(0, 12)}.part`
  const file = await written(node.files.open(partial, 'wx'))
  const receive = async () => {
    await written(keepPermissions(node, target, file))
    return new Receiver(source, attempts, file, node.crypto).receive(offer)
  }
  try {
    const { url: _url, ...received } = await receive().finally(() => written(file.close()))
    await written(node.files.rename(partial, target))
    return { path: target, ...received }
  } finally {
    await written(node.files.rm(partial, { force: true }))
  }
}

/** Those of the file that is replaced, on systems that have them: a program stays executable, a private file private. */
async function keepPermissions(
  { files, path }: ReturnType<typeof nodeModules>,
  target: string,
  file: NodeFiles.FileHandle,
): Promise<void> {
  if (path.sep === '\\') return
  const replaced = await files.stat(target).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  if (replaced) await file.chmod(replaced.mode & 0o777)
}

/** Takes in one file, going on where a connection broke off. */
class Receiver {
  readonly #source: FileSource
  readonly #attempts: Attempts
  readonly #file: NodeFiles.FileHandle
  readonly #crypto: typeof NodeCrypto
  #hash: NodeCrypto.Hash
  #received = 0

  constructor(source: FileSource, attempts: Attempts, file: NodeFiles.FileHandle, crypto: typeof NodeCrypto) {
    this.#source = source
    this.#attempts = attempts
    this.#file = file
    this.#crypto = crypto
    this.#hash = crypto.createHash('sha256')
  }

  /** Returns the offer whose bytes are in the file now; the owner may have replaced it meanwhile. */
  async receive(offer: FileOffer): Promise<FileOffer> {
    let current = offer
    let isFresh = true
    await this.#attempts.repeat(async () => {
      if (!isFresh) {
        // The address expires, and a file that was replaced has other bytes.
        const again = await this.#source.ask()
        if (again.sha256 !== current.sha256) await this.#startOver()
        current = again
      }
      isFresh = false
      // The connection broke after the last byte, and a server has no part to give beyond it.
      if (this.#received > 0 && this.#received === current.size) return
      await this.#receiveRest(current)
    })
    if (hexOf(this.#hash.digest()) !== current.sha256) throw corrupt()
    await written(this.#file.sync())
    return current
  }

  async #receiveRest(offer: FileOffer): Promise<void> {
    const silence = this.#source.newDeadline()
    try {
      const answer = await this.#source.open(offer, this.#received, silence)
      if (answer.start !== this.#received) await this.#startOver()
      for await (const chunk of answer.chunks) {
        silence.pause()
        if (this.#received + chunk.length > offer.size) throw corrupt()
        this.#hash.update(chunk)
        await this.#write(chunk)
        silence.restart()
      }
    } finally {
      silence.end()
    }
    if (this.#received < offer.size) throw new UnverifiedError('NETWORK', 'The file was cut short.')
  }

  async #write(chunk: Uint8Array): Promise<void> {
    for (let at = 0; at < chunk.length;) {
      const { bytesWritten } = await written(this.#file.write(chunk, at, chunk.length - at, this.#received))
      at += bytesWritten
      this.#received += bytesWritten
    }
  }

  async #startOver(): Promise<void> {
    this.#received = 0
    this.#hash = this.#crypto.createHash('sha256')
    await written(this.#file.truncate(0))
  }
}

const corrupt = () => new SignetError('FILE_CORRUPT', "The file isn't the one that the server has signed for.")

const written = <T>(act: Promise<T>): Promise<T> =>
  act.catch((cause: unknown) => {
    throw new SignetError('FILE_NOT_WRITTEN', `The file cannot be written: ${(cause as Error).message}`, { cause })
  })

function nodeModules() {
  const load = <T>(name: string): T => {
    const found = builtinModule<T>(name)
    if (!found)
      throw new SignetError('FILE_NOT_WRITTEN', 'There are no files here: download() needs Node 20.16 or later.')
    return found
  }
  return {
    files: load<typeof NodeFiles>('node:fs/promises'),
    path: load<typeof NodePath>('node:path'),
    crypto: load<typeof NodeCrypto>('node:crypto'),
  }
}
