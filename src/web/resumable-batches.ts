/** Rows of one call: many enough to be fast, few enough that one sees it move and no proxy gives up. */
const rowsPerBatch = 2000

/**
 * A long act in several calls. After a failure the next `run` goes on where the last one stopped: what was
 * done is not done again, and a piece whose answer never came is sent with the same `Idempotency-Key`.
 */
export class ResumableBatches<Body, Reply> {
  readonly replies: Reply[] = []
  #tried: { body: string; key: string } | undefined

  /** `next` gives the body for what these replies left over, nothing at the end. */
  async run(
    next: (replies: readonly Reply[]) => Promise<Body | undefined> | Body | undefined,
    send: (body: Body, key: string) => Promise<Reply>,
    onReply: (reply: Reply) => void = () => {},
  ): Promise<readonly Reply[]> {
    for (;;) {
      const body = await next(this.replies)
      if (body === undefined) return this.replies
      const reply = await send(body, this.#keyOf(JSON.stringify(body)))
      this.replies.push(reply)
      onReply(reply)
    }
  }

  #keyOf(body: string): string {
    if (this.#tried?.body !== body) this.#tried = { body, key: crypto.randomUUID() }
    return this.#tried.key
  }
}

export interface Batch {
  maxRows: number
  after?: number
}

/** What to add to a body that names a whole filter, after these replies; nothing when the last one was the end. */
export function batchAfter(replies: readonly { next: number | null }[]): Batch | undefined {
  const last = replies.at(-1)
  if (!last) return { maxRows: rowsPerBatch }
  return last.next === null ? undefined : { maxRows: rowsPerBatch, after: last.next }
}
