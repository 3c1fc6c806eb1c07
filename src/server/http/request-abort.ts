import type { FastifyReply } from 'fastify'
import { asReportCaller, RequestAborted, type ReportCaller } from '#database/report-queue.ts'
import type { Actor, AppScope } from '../audit/actors.ts'

/** A caller whose connection may close before the reply: nothing more is read or done for it then. */
export class WaitingCaller implements ReportCaller {
  readonly owner: string
  signal: AbortSignal | undefined
  readonly #reply: FastifyReply
  readonly #leave: () => void

  constructor(reply: FastifyReply, actor: Actor, app: AppScope | undefined) {
    // Resellers and seller keys share the queue of their owner.
    this.owner = app?.ownerId ?? ('ownerId' in actor ? actor.ownerId : 'id' in actor ? actor.id : '')
    this.#reply = reply
    const left = new AbortController()
    this.signal = left.signal
    this.#leave = () => {
      if (!reply.raw.writableFinished) left.abort()
    }
    // The caller may have left before the handler of its call begins.
    if (reply.raw.destroyed) this.#leave()
    else reply.raw.once('close', this.#leave)
  }

  /** Runs the handler of a call; for a stream, the caller stays the same until it ends. */
  async run<T extends object>(work: () => Promise<T>): Promise<T> {
    let isStreaming = false
    try {
      const result = await asReportCaller(this, work)
      isStreaming = 'stream' in result
      return result
    } finally {
      if (!isStreaming) this.#end()
    }
  }

  async *stream(batches: AsyncIterable<string>): AsyncGenerator<string> {
    const iterator = batches[Symbol.asyncIterator]()
    try {
      for (;;) {
        const { value, done } = await asReportCaller(this, () => iterator.next())
        if (done) return
        yield value
      }
    } catch (error) {
      if (!(error instanceof RequestAborted)) throw error
    } finally {
      this.#end()
      await iterator.return?.()
    }
  }

  /** Work the call has started without awaiting it has no caller. */
  #end(): void {
    this.signal = undefined
    this.#reply.raw.off('close', this.#leave)
  }
}
