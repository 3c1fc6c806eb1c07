import type { Database } from '#database/database.ts'
import type { Answer } from '#testing/people/visitor.ts'
import { Load } from './load.ts'
import type { Bench } from './measurement.ts'
import { ProgramFleet } from './program-fleet.ts'
import type { SeededRandom } from './seeded-random.ts'
import { ServerProcess } from './server-process.ts'

/** Sizes of a run; a quick run only shows that everything works. */
export const sizesOf = ({ quick }: Bench) => ({ amount: quick ? 100_000 : 1_000_000, repeats: quick ? 40 : 200 })

/** A server started with an app of this many rows; `known` are some of them. */
export async function filledServer<Known>(
  { scratch, newPlace, say }: Bench,
  rows: string,
  fill: (db: Database, appId: string) => Promise<Known>,
) {
  const place = await newPlace()
  const first = await ServerProcess.start(scratch, place)
  const load = new Load(scratch)
  const { owner } = await ProgramFleet.of(first, place, load)
  await first.end()
  const filling = performance.now()
  const known = await place.open((db) => fill(db, owner.appId))
  say(`${rows} and their search index took ${Math.round((performance.now() - filling) / 1000)} s`)

  const server = await ServerProcess.start(scratch, place)
  const fleet = await ProgramFleet.again(server, owner, load)
  const end = async () => {
    load.end()
    await server.end()
    scratch.drop(place.dataDir)
  }
  return { server, fleet, known, place, end }
}

/** 3 to 8 characters from a random position of a text, as a search. */
export function batchOf(text: string, random: SeededRandom): string {
  const length = 3 + random.below(6)
  const batch = text.slice(random.below(Math.max(1, text.length - length))).slice(0, length)
  return batch.trim().padEnd(3, '1')
}

/** The body of a list's reply, which must be successful. */
export async function listed<T>(answer: Promise<Answer<T>>): Promise<Answer<T>['body']> {
  const { status, body } = await answer
  if (status !== 200) throw new Error(`The list answered ${status}: ${body.message}`)
  return body
}
