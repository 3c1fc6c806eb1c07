/** What the load client is to send; it answers with a `LoadResult`. */
export interface LoadJob {
  port: number
  path: string
  app: string
  /** Requests take these in turn. */
  sessions: string[]
  bodies: string[]
  connections: number
  /** The run ends with whichever comes first. */
  maxMs: number
  maxRequests: number
  /** Rest of each connection between an answer and the next request; 0 is as fast as it goes. */
  pauseMs: number
  /** How many exchanges to keep, spread over the run, so that answers can be checked afterwards. */
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
  /** Processor time of the client by elapsed time: near 1 it, and not the server, is what is measured. */
  clientBusy: number
  exchanges: Exchange[]
  replies: string[]
  /** A body of each status that is no 200. */
  errors: Record<string, string>
}
