import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { SaveRequest } from './save-form.ts'
import { useRequestKey } from './use-request-key.ts'

interface SaveOptions<B, Reply> {
  send: (request: SaveRequest<B>) => Promise<Reply>
  onSaved: (reply: Reply, body: B) => void
  onFailed: (error: unknown) => void
}

/** Sends a form. An equal request, e.g. after a lost reply, has the same idempotency key. */
export function useSave<B extends object, Reply>({ send, onSaved, onFailed }: SaveOptions<B, Reply>) {
  const [saved, setSaved] = useState<Reply>()
  const requestKey = useRequestKey()
  const save = useMutation({
    mutationFn: send,
    onSuccess: (reply, { body }) => {
      requestKey.forget(body)
      setSaved(reply)
      onSaved(reply, body)
    },
    onError: onFailed,
  })
  return {
    /** The reply, after saving. */
    saved,
    error: save.error,
    /** The values of the failed request. */
    rejected: save.variables?.body,
    isPending: save.isPending,
    send: (request: Omit<SaveRequest<B>, 'idempotencyKey'>) =>
      save.mutate({ ...request, idempotencyKey: requestKey.keyOf(request.body) }),
    /** Clears the failure. */
    reset: save.reset,
  }
}
