import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Services } from '../services.ts'
import type { StreamedReply } from './endpoint.ts'
import { fileAnswer, type ServedFile } from './served-file.ts'
import type { WaitingCaller } from './request-abort.ts'

/** Replies sent at the pace of their reader: files, and texts generated on the fly. */

export async function sendFile(
  { stalledTransferMs }: Services,
  { method, headers }: FastifyRequest,
  reply: FastifyReply,
  file: ServedFile,
): Promise<FastifyReply> {
  const { status, headers: answered, range } = fileAnswer(file, { method, headers })
  const bytes = range && (await file.open(range))
  reply.code(status).headers(answered)
  // Without a stream, Fastify answers HEAD with a length of 0.
  if (!bytes) return method === 'HEAD' && status === 200 ? reply.send(Readable.from([])) : reply.send()
  cutWhenStalled(reply, stalledTransferMs)
  whenSent(reply, range.end - range.start + 1, (sent) => {
    if (sent > 0) file.onSent({ start: range.start, end: range.start + sent - 1 })
  })
  return reply.send(bytes)
}

/** Number of body bytes that were passed to the connection when the reply ended or was cut off. */
function whenSent({ raw }: FastifyReply, bytes: number, onSent: (sent: number) => void): void {
  const { socket } = raw
  const before = socket?.bytesWritten ?? 0
  raw.once('close', () => {
    if (raw.writableFinished) return onSent(bytes)
    const written = (socket?.bytesWritten ?? before) - before - (socket?.writableLength ?? 0)
    // Includes the head, so that a reply that was cut off is never counted as complete.
    onSent(Math.min(bytes - 1, written))
  })
}

export function sendText(
  { stalledTransferMs }: Services,
  reply: FastifyReply,
  { stream, headers }: StreamedReply,
  caller: WaitingCaller,
): FastifyReply {
  cutWhenStalled(reply, stalledTransferMs)
  return reply
    .headers(headers)
    .serializer(String)
    .send(Readable.from(caller.stream(stream)))
}

/** Ends a download whose reader accepts no data for this long. Time spent generating the text does not count. */
function cutWhenStalled({ raw }: FastifyReply, maxMs: number): void {
  raw.setTimeout(maxMs, () => {
    if (raw.writableLength > 0) raw.destroy()
  })
}
