/** A job for the load client, which replies with a `LoadResult`. */
export interface LoadJob {
  port: number
  path: string
  app: string
  /** Used by the requests in turn. */
  sessions: string[]
  bodies: string[]
  connections: number
  /** The run ends when the first limit is reached. */
  maxMs: number
  maxRequests: number
  /** Pause of each connection between a reply and the next request; 0 for full speed. */
  pauseMs: number
  /** Number of exchanges to keep, spread over the run, to verify the replies afterward. */
  samples: number
  /** Keep every reply body, in the order of the requests. */
  keepReplies: boolean
}

export interface Exchange {
  nonce: string
  time: string
  session: string
  body: string
  status: number
  head: string
  reply: string
}

export interface LoadResult {
  answered: number
  ms: number
  statuses: Record<string, number>
  p50: number
  p99: number
  slowest: number
  /** CPU time of the client relative to elapsed time: near 1, the client is the bottleneck, not the server. */
  clientBusy: number
  exchanges: Exchange[]
  replies: string[]
  /** One body for each status other than 200. */
  errors: Record<string, string>
}
