import type { Calls } from '#contract/calls.ts'

export type CallKey = keyof Calls & string

interface CallShape {
  params: unknown
  query: unknown
  body: unknown
  reply: unknown
}

type Shape<K extends CallKey> = Calls[K] extends CallShape ? Calls[K] : never

/** Absent if the call has no such part, optional if all its fields are, otherwise required. */
type Part<N extends string, T> = [T] extends [undefined]
  ? { [P in N]?: undefined }
  : Record<never, never> extends T
    ? { [P in N]?: T }
    : undefined extends T
      ? { [P in N]?: T }
      : { [P in N]: T }

export interface CallOptions {
  signal?: AbortSignal
  /** Sent as `Idempotency-Key`, for creations and credit transfers. `true` creates a new key for this attempt. */
  idempotencyKey?: string | true
  /** The app to act on, instead of the selected one. */
  appId?: string
  /** The reply is a file saved by the browser; only its availability matters here. */
  isFile?: boolean
  /** Receives the file of the reply. */
  takeFile?: (file: Response) => Promise<void>
  /** Replaces `fetch`, for uploads that report their progress. */
  transport?: typeof fetch
}

export type CallInput<K extends CallKey> = Part<'params', Shape<K>['params']> &
  Part<'query', Shape<K>['query']> &
  Part<'body', Shape<K>['body']> &
  CallOptions

export type CallReply<K extends CallKey> = Shape<K>['reply']

/** The input is optional if nothing in it is required. */
export type CallArguments<K extends CallKey> =
  Record<never, never> extends CallInput<K> ? [input?: CallInput<K>] : [input: CallInput<K>]
