import { useState } from 'react'
import { newId } from '../browser/new-id.ts'

/**
 * One idempotency key per distinct request, for the life of a form: pressing again after a lost reply retries the first
 * request, a changed form is a new request. Call `forget` after a reply, so that an equal request counts as new.
 */
export function useRequestKey() {
  const [keys] = useState(() => new Map<string, string>())
  return {
    keyOf: (request: unknown): string => {
      const name = JSON.stringify(request)
      const key = keys.get(name) ?? newId()
      keys.set(name, key)
      return key
    },
    forget: (request: unknown) => void keys.delete(JSON.stringify(request)),
  }
}
