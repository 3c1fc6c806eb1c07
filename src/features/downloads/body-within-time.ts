import { ReadableStream } from 'node:stream/web'
import { withinTime } from '#server/process/within-time.ts'

/**
 * The same bytes; fails with `failure()` and cancels the body if the next ones take longer than `silenceMs`. Time in
 * which the reader asks for none doesn't count.
 */
export function bodyWithinTime(
  body: ReadableStream<Uint8Array>,
  silenceMs: number,
  failure: () => Error,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await withinTime(reader.read(), silenceMs, failure).catch((error: unknown) => {
          void reader.cancel(error).catch(() => {})
          throw error
        })
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    // Reads nothing ahead, which would count the time of the reader.
    { highWaterMark: 0 },
  )
}
