import { newId } from '../browser/new-id.ts'

/**
 * A long action in several calls. After a failure, the next `run` resumes it: finished batches are not repeated, and a
 * batch without a reply is sent again with the same `Idempotency-Key`.
 */
export class ResumableBatches<Body, Reply> {
  readonly replies: Reply[] = []
  #tried: { body: string; key: string } | undefined

  /** `next` returns the body for the rest after these replies; undefined at the end. */
  async run(
    next: (replies: readonly Reply[]) => Body | undefined,
    send: (body: Body, key: string) => Promise<Reply>,
    onReply: (reply: Reply) => void = () => {},
  ): Promise<readonly Reply[]> {
    for (;;) {
      const body = next(this.replies)
      if (body === undefined) return this.replies
      const reply = await send(body, this.#keyOf(JSON.stringify(body)))
      this.replies.push(reply)
      onReply(reply)
    }
  }

  #keyOf(body: string): string {
    if (this.#tried?.body !== body) this.#tried = { body, key: newId() }
    return this.#tried.key
  }
}
