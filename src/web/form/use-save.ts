import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { isUnanswered } from '../api/call-failed.ts'
import type { SaveRequest } from './save-form.ts'
import { useRequestKey } from './use-request-key.ts'

interface SaveOptions<B, Reply> {
  send: (request: SaveRequest<B>) => Promise<Reply>
  onSaved: (reply: Reply, sent: SaveRequest<B>) => void
  onFailed: (error: unknown) => void
}

/**
 * Sends a form. An equal request, e.g. after a lost reply, has the same idempotency key, and is sent as it was the first
 * time: what `send` adds to the form's values, like a price or the next free number, may have changed since.
 */
export function useSave<B extends object, Reply>({ send, onSaved, onFailed }: SaveOptions<B, Reply>) {
  const [saved, setSaved] = useState<Reply>()
  const requestKey = useRequestKey()
  const [unanswered] = useState(() => new Map<string, typeof send>())
  const save = useMutation({
    mutationFn: (request: SaveRequest<B>) => {
      const first = unanswered.get(request.idempotencyKey) ?? send
      unanswered.set(request.idempotencyKey, first)
      return first(request)
    },
    onSuccess: (reply, sent) => {
      requestKey.forget(sent.body)
      unanswered.delete(sent.idempotencyKey)
      setSaved(reply)
      onSaved(reply, sent)
    },
    onError: (error, { idempotencyKey }) => {
      if (!isUnanswered(error)) unanswered.delete(idempotencyKey)
      onFailed(error)
    },
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
