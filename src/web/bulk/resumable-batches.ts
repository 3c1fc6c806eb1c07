import { newId } from '../browser/new-id.ts'

/**
 * A long act in several calls. After a failure the next `run` goes on where the last one stopped: what was
 * done is not done again, and a batch whose answer never came is sent with the same `Idempotency-Key`.
 */
export class ResumableBatches<Body, Reply> {
  readonly replies: Reply[] = []
  #tried: { body: string; key: string } | undefined

  /** `next` gives the body for what these replies left over, nothing at the end. */
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
