import type { Places } from './data-place.ts'
import { type Load, perSecond } from './load.ts'
import type { Exchange, LoadJob, LoadResult } from './load-job.ts'
import { median } from './percentiles.ts'
import { cpuMsOfFamily } from './processor-time.ts'
import type { Scratch } from './scratch.ts'
import { ServerProcess } from './server-process.ts'

/** The measurement of a round, after its preparation. */
interface Prepared {
  /** Headers and bodies, also for the bare servers. */
  job: LoadJob
  run: () => Promise<LoadResult>
}

/** One of a round's runs. */
interface Run {
  result: LoadResult
  /** CPU time of the server. */
  cpuMs: number
  /** CPU time of PostgreSQL. */
  databaseMs: number
}

interface Round {
  real: Run
  hello: Run
  echo: Run
  signing: Run | undefined
}

export interface Compared {
  perSecond: number
  helloPerSecond: number
  echoPerSecond: number
  /** Median ratio of all rounds, because other load on the machine slows a whole round. */
  byHello: number
  /** Ratio to a server that reads and sends as much. */
  byEcho: number
  /** The same of a bare server that also hashes, parses, and signs as the protocol demands; 0 if not measured. */
  signingByEcho: number
  /** CPU time of the server per request in microseconds, and its ratio to a bare hello. */
  cpuUs: number
  cpuByHello: number
  /** CPU time of PostgreSQL per request in microseconds; 0 on SQLite. */
  databaseUs: number
  p50: number
  p99: number
  clientBusy: number
  helloClientBusy: number
}

/**
 * Measures a job and two bare `node:http` servers in turn, with the same client, connections and requests; with `signs`,
 * also one that does no more than the protocol demands.
 */
export async function compareWithBaselines(
  { scratch, load, server, places }: { scratch: Scratch; load: Load; server: ServerProcess; places: Places },
  { rounds, prepare, signs = false }: { rounds: number; prepare: () => Promise<Prepared>; signs?: boolean },
): Promise<Compared> {
  const bare = (environment: Record<string, string>) =>
    ServerProcess.start(scratch, { script: 'bench/baseline-server.ts', environment })
  const hello = await bare({})
  let echo: ServerProcess | undefined
  let signing: ServerProcess | undefined
  const postgres = places.engine === 'postgres' ? (await places.postgres()).pid() : undefined
  const databaseMs = () => (postgres === undefined ? 0 : cpuMsOfFamily(postgres))
  const timed = async (of: ServerProcess, run: () => Promise<LoadResult>): Promise<Run> => {
    const before = { server: of.cpuMs(), database: databaseMs() }
    const result = await run()
    return { result, cpuMs: of.cpuMs() - before.server, databaseMs: databaseMs() - before.database }
  }
  const bareRun = (of: ServerProcess, job: LoadJob, maxMs: number) =>
    timed(of, () => load.run({ ...job, port: of.port, maxMs, maxRequests: 1_000_000, samples: 0, keepReplies: false }))
  const all: Round[] = []
  for (let round = 0; round < rounds; round++) {
    const { job, run } = await prepare()
    const real = await timed(server, run)
    const ECHO = replyOf(real.result.exchanges)
    echo ??= await bare({ ECHO })
    if (signs) signing ??= await bare({ ECHO, SIGNS: '1' })
    const ms = Math.max(1000, Math.min(5000, real.result.ms))
    if (round === 0) for (const each of [hello, echo, signing]) if (each) await bareRun(each, job, 1000)
    all.push({
      real,
      hello: await bareRun(hello, job, ms),
      echo: await bareRun(echo, job, ms),
      signing: signing && (await bareRun(signing, job, ms)),
    })
  }
  await Promise.all([hello.end(), echo?.end(), signing?.end()])
  const of = (pick: (round: Round) => number) => median(all.map(pick))
  return {
    perSecond: of((round) => perSecond(round.real.result)),
    helloPerSecond: of((round) => perSecond(round.hello.result)),
    echoPerSecond: of((round) => perSecond(round.echo.result)),
    byHello: of((round) => perSecond(round.real.result) / perSecond(round.hello.result)),
    byEcho: of((round) => perSecond(round.real.result) / perSecond(round.echo.result)),
    signingByEcho: of(({ signing: run, echo: bareEcho }) =>
      run ? perSecond(run.result) / perSecond(bareEcho.result) : 0,
    ),
    cpuUs: of((round) => cpuUs(round.real)),
    databaseUs: of(({ real: { result, databaseMs: ms } }) => (ms / result.answered) * 1000),
    cpuByHello: of((round) => cpuUs(round.real) / cpuUs(round.hello)),
    p50: of((round) => round.real.result.p50),
    p99: of((round) => round.real.result.p99),
    clientBusy: of((round) => round.real.result.clientBusy),
    helloClientBusy: of((round) => round.hello.result.clientBusy),
  }
}

const cpuUs = ({ result, cpuMs }: Run): number => (cpuMs / result.answered) * 1000

/** The head and body of a real reply, for the bare server to send. */
function replyOf([exchange]: readonly Exchange[]): string {
  if (!exchange) throw new Error('There is no reply to give as the bare server')
  const headers = exchange.head
    .split('\r\n')
    .slice(1)
    .flatMap((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)])
  return JSON.stringify({ headers, body: exchange.reply })
}
