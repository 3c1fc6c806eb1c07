import { notify } from '../browser/notify.ts'
import type { Coded } from './code-text.ts'
import { failureText, successText } from './errors.ts'

/** Sends a call and says that it succeeded, or why it failed. Returns the reply; undefined after a failure. */
export async function notifyOutcome<R extends Coded>(send: () => Promise<R>, failure: string): Promise<R | undefined> {
  try {
    const reply = await send()
    notify.success(successText(reply))
    return reply
  } catch (error) {
    notify.error(failureText(error, failure))
    return undefined
  }
}
