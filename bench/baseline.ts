import { type Load, perSecond } from './load.ts'
import type { LoadJob, LoadResult } from './load-job.ts'
import { median } from './percentiles.ts'
import type { Scratch } from './scratch.ts'
import { ServerProcess } from './server-process.ts'

export interface Compared {
  perSecond: number
  baselinePerSecond: number
  /** The middle one of the ratios of the rounds: neighbors on the machine slow both halves of a round. */
  ratio: number
  p50: number
  p99: number
  clientBusy: number
  baselineClientBusy: number
}

/** Measures a job and a bare `node:http` server in turns, with the same client, connections and requests. */
export async function compareWithBaseline(
  scratch: Scratch,
  load: Load,
  { rounds, measure }: { rounds: number; measure: (round: number) => Promise<{ job: LoadJob; result: LoadResult }> },
): Promise<Compared> {
  const bare = await ServerProcess.start(scratch, { script: 'bench/baseline-server.ts', environment: {} })
  const bareRun = async (job: LoadJob, maxMs: number) =>
    load.run({ ...job, port: bare.port, maxMs, maxRequests: 1_000_000, samples: 0, keepReplies: false })
  const pairs: { real: LoadResult; hello: LoadResult }[] = []
  for (let round = 0; round < rounds; round++) {
    const { job, result } = await measure(round)
    if (round === 0) await bareRun(job, 1000)
    pairs.push({ real: result, hello: await bareRun(job, Math.max(1000, Math.min(5000, result.ms))) })
  }
  await bare.end()
  const of = (pick: (pair: { real: LoadResult; hello: LoadResult }) => number) => median(pairs.map(pick))
  return {
    perSecond: of(({ real }) => perSecond(real)),
    baselinePerSecond: of(({ hello }) => perSecond(hello)),
    ratio: of(({ real, hello }) => perSecond(real) / perSecond(hello)),
    p50: of(({ real }) => real.p50),
    p99: of(({ real }) => real.p99),
    clientBusy: of(({ real }) => real.clientBusy),
    baselineClientBusy: of(({ hello }) => hello.clientBusy),
  }
}
