import { useState } from 'react'

/**
 * Gives the same idempotency key for the same request, for the life of a dialog: pressing again after a lost
 * answer repeats the first press, a changed form is a new request.
 */
export function useAttemptKey() {
  const [keys] = useState(() => new Map<string, string>())
  return (request: unknown): string => {
    const name = JSON.stringify(request)
    const key = keys.get(name) ?? crypto.randomUUID()
    keys.set(name, key)
    return key
  }
}
