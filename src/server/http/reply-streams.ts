import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Services } from '../services.ts'
import type { StreamedReply } from './endpoint.ts'
import { fileAnswer, type ServedFile } from './served-file.ts'
import type { WaitingCaller } from './request-abort.ts'

/** Replies that are sent as long as their reader takes them: files, and texts that are made meanwhile. */

/** Sends a file, or the part of it that is asked for. */
export async function sendFile(
  { stalledDownloadMs }: Services,
  { method, headers }: FastifyRequest,
  reply: FastifyReply,
  file: ServedFile,
): Promise<FastifyReply> {
  const { status, headers: answered, range } = fileAnswer(file, { method, headers })
  const bytes = range && (await file.open(range))
  reply.code(status).headers(answered)
  if (!bytes) return reply.send()
  cutWhenStalled(reply, stalledDownloadMs)
  whenSent(reply, range.end - range.start + 1, (sent) => {
    if (sent > 0) file.onSent({ start: range.start, end: range.start + sent - 1 })
  })
  return reply.send(bytes)
}

/** How many bytes of a reply's body were passed on to the connection when it ended, or was cut. */
function whenSent({ raw }: FastifyReply, bytes: number, onSent: (sent: number) => void): void {
  const { socket } = raw
  const before = socket?.bytesWritten ?? 0
  raw.once('close', () => {
    if (raw.writableFinished) return onSent(bytes)
    const written = (socket?.bytesWritten ?? before) - before - (socket?.writableLength ?? 0)
    // Its head is in it too, so a reply that was cut is never taken for a whole one.
    onSent(Math.min(bytes - 1, written))
  })
}

/** Sends a text while it is made. */
export function sendText(
  { stalledDownloadMs }: Services,
  reply: FastifyReply,
  { stream, headers }: StreamedReply,
  caller: WaitingCaller,
): FastifyReply {
  cutWhenStalled(reply, stalledDownloadMs)
  return reply
    .headers(headers)
    .serializer(String)
    .send(Readable.from(caller.stream(stream)))
}

/** Ends a download whose reader takes nothing for so long; one that is slow to make waits for no reader. */
function cutWhenStalled({ raw }: FastifyReply, maxMs: number): void {
  raw.setTimeout(maxMs, () => {
    if (raw.writableLength > 0) raw.destroy()
  })
}
