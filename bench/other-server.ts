import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { resolve } from 'node:path'
import { Load, perSecond } from './load.ts'
import { atLeast, type Measurement } from './measurement.ts'
import { median } from './percentiles.ts'
import { connections, ProgramFleet } from './program-fleet.ts'
import { ServerProcess } from './server-process.ts'

/** A call of the other server. */
interface OtherCall {
  /** `{value}` stands for a line of the file `values`. */
  body: string
  /** What each reply contains if the call has succeeded. */
  expect: string
  /** A file with a value per line, such as keys that nobody has used; each is sent once. */
  values?: string
}

/** The file that `--against` names; its paths start where the bench runs. */
interface OtherServer {
  /** Over plain HTTP, as Signet is measured. */
  url: string
  headers?: Record<string, string>
  sessionCheck?: OtherCall
  activation?: OtherCall
}

const minCalls = 20

/**
 * Session checks and activations of Signet and of another server on this machine, in turn. Every reply of the other one is
 * checked: a server that rejects is fast.
 */
export const otherServer = (file: string): Measurement => ({
  name: 'other-server',
  engines: 'each',
  async run({ quick, scratch, newPlace }) {
    const other = JSON.parse(readFileSync(file, 'utf8')) as OtherServer
    const place = await newPlace()
    const server = await ServerProcess.start(scratch, place)
    const load = new Load(scratch)
    const fleet = await ProgramFleet.of(server, place, load)
    const perRound = quick ? 200 : 2000
    const maxMs = quick ? 2000 : 5000
    const rounds = quick ? 1 : 3
    const compared = async (name: string, min: number, call: OtherCall | undefined, own: () => Promise<number>) => {
      if (!call) return []
      const bodies = bodiesOf(call, rounds)
      const all: { ours: number; theirs: number }[] = []
      for (let round = 0; round < rounds; round++)
        all.push({ ours: await own(), theirs: await ratePerSecond(other, call, bodies(round), maxMs) })
      return [
        {
          name: `${name} by the other server`,
          value: median(all.map(({ ours, theirs }) => ours / theirs)),
          unit: '×',
          target: { min },
        },
        { name: `${name}, Signet`, value: median(all.map(({ ours }) => ours)), unit: 'per second' },
        { name: `${name}, the other server`, value: median(all.map(({ theirs }) => theirs)), unit: 'per second' },
      ] as const
    }
    const sessions = await fleet.signedIn(perRound)
    const heartbeats = fleet.job('heartbeat', { sessions, maxMs })
    const checks = await compared('session checks', 6, other.sessionCheck, async () =>
      perSecond(await fleet.run(heartbeats)),
    )
    const activations = await compared('activations', 200, other.activation, async () => {
      const started = await fleet.start(perRound)
      return perSecond(await fleet.activate(started.sessions, await fleet.keys(perRound)))
    })
    load.end()
    await server.end()
    return [...checks, ...activations]
  },
})

/** The bodies of each round; those with values are divided among the rounds. */
function bodiesOf({ body, values }: OtherCall, rounds: number): (round: number) => Iterator<string, undefined> {
  if (values === undefined)
    return () =>
      (function* () {
        for (;;) yield body
      })() as Iterator<string, undefined>
  const lines = readFileSync(resolve(values), 'utf8')
    .split(/\r?\n/)
    .filter((line) => line !== '')
  const perRound = Math.floor(lines.length / rounds)
  return (round) =>
    lines
      .slice(round * perRound, (round + 1) * perRound)
      .map((line) => body.replaceAll('{value}', () => line))
      .values()
}

async function ratePerSecond(
  { url, headers }: OtherServer,
  { expect }: OtherCall,
  bodies: Iterator<string, undefined>,
  maxMs: number,
): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const start = performance.now()
  let answered = 0
  const drive = async () => {
    while (performance.now() - start < maxMs) {
      const { value: body } = bodies.next()
      if (body === undefined) return
      const { status, text } = await post(url, { agent, headers: headers ?? {}, body })
      if (status !== 200 || !text.includes(expect)) throw new Error(`${url} answered ${status}: ${text.slice(0, 200)}`)
      answered++
    }
  }
  await Promise.all(Array.from({ length: connections }, drive))
  const ms = performance.now() - start
  agent.destroy()
  atLeast(minCalls, answered, 'calls of the other server')
  return (answered / ms) * 1000
}

function post(
  url: string,
  { agent, headers, body }: { agent: Agent; headers: Record<string, string>; body: string },
): Promise<{ status: number; text: string }> {
  return new Promise((done, failed) => {
    const sent = request(url, {
      method: 'POST',
      agent,
      headers: { 'content-length': Buffer.byteLength(body), ...headers },
    })
    sent.on('error', failed)
    sent.on('response', (reply) => {
      let text = ''
      reply.setEncoding('utf8')
      reply.on('data', (part: string) => (text += part))
      reply.on('end', () => done({ status: reply.statusCode ?? 0, text }))
      reply.on('error', failed)
    })
    sent.end(body)
  })
}
