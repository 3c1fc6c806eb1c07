import { newLicenses } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { Load } from './load.ts'
import { atLeast, type Measurement } from './measurement.ts'
import { connections, ProgramFleet } from './program-fleet.ts'
import { remoteApp } from './remote-app.ts'
import { ServerProcess } from './server-process.ts'

const beatSeconds = 30
const signInsPerSecond = 50
const password = 'correct horse 4711'

/**
 * As many programs as a large owner has, each with a heartbeat every 30 seconds; then heartbeats while others sign in with
 * passwords, whose hashes take most of a core.
 */
export const liveSessions: Measurement = {
  name: 'live-sessions',
  engines: 'each',
  async run({ quick, scratch, newPlace, say }) {
    const place = await newPlace()
    const server = await ServerProcess.start(scratch, place)
    const load = new Load(scratch)
    const fleet = await ProgramFleet.of(server, place, load)
    const amount = quick ? 3000 : 100_000
    const sessions: string[] = []
    while (sessions.length < amount) sessions.push(...(await fleet.signedIn(Math.min(5000, amount - sessions.length))))
    say(`${amount} programs have signed in`)

    const pauseMs = (connections * beatSeconds * 1000) / amount
    const seconds = quick ? 10 : 300
    const beats = fleet.job('heartbeat', { sessions, pauseMs, maxMs: seconds * 1000 })
    const steady = await fleet.run(beats)
    atLeast((amount / beatSeconds) * seconds * 0.5, steady.answered, 'heartbeats of live sessions')
    const { residentMb, anonymousMb } = server.memory()

    const app = remoteApp(server.url, place)
    const users = await Promise.all(
      (await newLicenses(fleet.owner, 20)).map(async (key, number) => {
        const program = await Program.of(app, fleet.owner)
        await program.init()
        const { body } = await program.register(`password-user-${number}`, password, key)
        if (!body.success) throw new Error(`Could not register: ${body.message}`)
        return program
      }),
    )
    const signIns: Promise<boolean>[] = []
    const timer = setInterval(() => {
      const number = signIns.length % users.length
      const program = users[number] as Program
      signIns.push(
        program
          .init()
          .then(async () => (await program.login(`password-user-${number}`, password)).body.success)
          // A busy server may reject without a signature.
          .catch(() => false),
      )
    }, 1000 / signInsPerSecond)
    const beside = await fleet.run({ ...beats, maxMs: quick ? 5000 : 20_000 })
    clearInterval(timer)
    const succeeded = (await Promise.all(signIns)).filter(Boolean).length
    atLeast(quick ? 10 : 100, succeeded, 'sign-ins with a password')
    load.end()
    await server.end()
    const note = `${Math.round(steady.answered / (steady.ms / 1000))} heartbeats a second`
    return [
      { name: 'live sessions', value: amount, unit: 'count' },
      { name: 'heartbeat p99 of live sessions', value: steady.p99, unit: 'ms', target: { max: 25 }, note },
      { name: 'resident memory with live sessions', value: residentMb, unit: 'MB', target: { max: 500 } },
      { name: 'the same without mapped file pages', value: anonymousMb, unit: 'MB' },
      {
        name: 'heartbeat p99 beside sign-ins with passwords',
        value: beside.p99,
        unit: 'ms',
        target: { max: 25 },
        note: `${succeeded} of ${signIns.length} begun succeeded, ${signInsPerSecond} a second`,
      },
    ]
  },
}
