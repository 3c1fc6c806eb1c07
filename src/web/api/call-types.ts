import type { Calls } from '#contract/calls.ts'

export type CallKey = keyof Calls & string

interface CallShape {
  params: unknown
  query: unknown
  body: unknown
  reply: unknown
}

type Shape<K extends CallKey> = Calls[K] extends CallShape ? Calls[K] : never

/** Nothing where the call has no such part, optional where every field of it is, required otherwise. */
type Part<N extends string, T> = [T] extends [undefined]
  ? { [P in N]?: undefined }
  : Record<never, never> extends T
    ? { [P in N]?: T }
    : undefined extends T
      ? { [P in N]?: T }
      : { [P in N]: T }

export interface CallOptions {
  signal?: AbortSignal
  /** A create or a credit move: sent as `Idempotency-Key`. `true` makes a fresh one for this attempt. */
  idempotencyKey?: string | true
  /** Acts on this app instead of the selected one. */
  appId?: string
  /** The reply is a file that the browser will save: here only whether it can be had matters. */
  isFile?: boolean
  /** Takes the file that answers the call. */
  takeFile?: (file: Response) => Promise<void>
  /** Sends the request in place of `fetch`: an upload that says how far it is. */
  transport?: typeof fetch
}

export type CallInput<K extends CallKey> = Part<'params', Shape<K>['params']> &
  Part<'query', Shape<K>['query']> &
  Part<'body', Shape<K>['body']> &
  CallOptions

export type CallReply<K extends CallKey> = Shape<K>['reply']

/** The input may be left out when nothing in it is required. */
export type CallArguments<K extends CallKey> =
  Record<never, never> extends CallInput<K> ? [input?: CallInput<K>] : [input: CallInput<K>]
