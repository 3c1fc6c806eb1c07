import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { Busboy, type BusboyFileStream } from '@fastify/busboy'
import { commonErrors } from '#contract/common-errors.ts'
import { callError } from '#contract/errors.ts'

/** Maximum size of the form fields besides the file, in bytes. */
export const maxFormBytes = 64 * 1024

/** The client disconnected before its file was complete. */
export class UploadAborted extends Error {}

export interface UploadedFile {
  /** The file name as sent, without its path. */
  name: string
  bytes: Readable
}

export interface UploadForm<B> {
  /** Announced size of the whole form; undefined if missing. Never trusted. */
  announcedBytes: number | undefined
  /**
   * Passes the file to `receive` while it arrives, then returns the validated fields. An error thrown by `receive` ends
   * the upload. Throws `UploadAborted` if the client disconnects.
   */
  read<T>(receive: (file: UploadedFile) => Promise<T>): Promise<{ fields: B; received: T | undefined }>
}

/** A form with one file, read as a stream: at most one chunk of the file is in memory. */
export function uploadForm<B>(raw: IncomingMessage, check: (fields: unknown) => B): UploadForm<B> {
  const announced = raw.headers['content-length']
  return {
    announcedBytes: announced === undefined ? undefined : Number(announced),
    async read(receive) {
      const { fields, received } = await readParts(raw, receive)
      return { fields: check(fields), received }
    },
  }
}

type Fields = Record<string, unknown>

function readParts<T>(
  raw: IncomingMessage,
  receive: (file: UploadedFile) => Promise<T>,
): Promise<{ fields: Fields; received: T | undefined }> {
  return new Promise((resolve, reject) => {
    const parser = newParser(raw)
    const fields: Fields = {}
    let receiving: Promise<T> | undefined
    let current: BusboyFileStream | undefined
    let hasFailed = false
    const fail = (error: unknown) => {
      if (hasFailed) return
      hasFailed = true
      raw.off('close', left)
      raw.unpipe(parser)
      current?.destroy(error as Error)
      // Cleanup of the received data must wait until nothing more is written.
      void Promise.allSettled([receiving]).then(() => reject(error as Error))
    }
    // The whole form may have arrived and been dropped unread with its connection.
    const left = () => !raw.readableEnded && fail(new UploadAborted('The sender left before the file was whole'))
    raw.once('close', left)
    parser.on('field', (name, value, nameTruncated, valueTruncated) => {
      if (Object.hasOwn(fields, name)) fail(callError(commonErrors, 'FIELD_REPEATED'))
      else if (nameTruncated || valueTruncated) fail(callError(commonErrors, 'BODY_TOO_LARGE'))
      else if (name === '__proto__') fail(unknownField(name))
      else fields[name] = value
    })
    parser.on('file', (name, stream, fileName) => {
      // Data received with it is parsed to its end.
      if (hasFailed) return void stream.resume()
      current = stream
      let broken: Error | undefined
      stream.on('error', (error: Error) => (broken = error))
      if (name !== 'file') return fail(unknownField(name))
      receiving = receive({ name: sentName(fileName), bytes: stream })
      receiving.catch((error: unknown) => fail(error === broken ? callError(commonErrors, 'BAD_REQUEST') : error))
    })
    for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) {
      parser.on(limit, () => fail(callError(commonErrors, 'FIELD_REPEATED')))
    }
    parser.on('error', () => fail(callError(commonErrors, 'BAD_REQUEST')))
    parser.on('finish', () => {
      raw.off('close', left)
      Promise.resolve(receiving).then((received) => resolve({ fields, received }), fail)
    })
    if (raw.destroyed) left()
    else raw.pipe(parser)
  })
}

function newParser(raw: IncomingMessage) {
  const headers = { ...raw.headers, 'content-type': raw.headers['content-type'] ?? '' }
  const limits = { fieldNameSize: 100, fieldSize: 32 * 1024, fields: 10, files: 1, parts: 11, headerPairs: 20 }
  try {
    return new Busboy({ headers, limits: { ...limits, headerSize: 16 * 1024 } })
  } catch {
    // The boundary is missing.
    throw callError(commonErrors, 'BAD_REQUEST')
  }
}

/** Browsers escape exactly these three characters of a file name. */
const sentName = (name = ''): string =>
  // PostgreSQL cannot store U+0000 in text.
  name.replaceAll('\0', '').replace(/%(22|0d|0a)/gi, (escaped) => decodeURIComponent(escaped))

const unknownField = (field: string) =>
  callError(commonErrors, 'FIELD_UNKNOWN', { values: { field: field.slice(0, 100) }, details: { field } })
