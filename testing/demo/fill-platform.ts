import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Database } from '#database/database.ts'
import { accountHashing } from '#server/passwords/hashing-use.ts'
import { demoPasswords, type DemoPlatform, type DemoServer, startDemoServer } from './demo-server.ts'
import { demoDays } from './days.ts'
import { type DemoApp, demoAdmin, demoOwners, makeOwners } from './owners.ts'
import { demoCountryFile } from './places.ts'
import { attackScenes } from './scenes/attack.ts'
import { platformScenes } from './scenes/platform.ts'
import { resellerScenes } from './scenes/resellers.ts'
import { runningScenes } from './scenes/running-programs.ts'
import { shopScenes } from './scenes/shop.ts'
import { supportScenes } from './scenes/support.ts'
import { demoReceiver, webhookScenes } from './scenes/webhooks.ts'
import { type LastSignIns, makeSignIns, storeLastSignIns } from './sign-ins.ts'
import { type Customer, makeStock } from './stock.ts'
import { demoPassword, type Scene, Story } from './story.ts'

const day = 86_400

export async function isEmptyPlatform(db: Database): Promise<boolean> {
  return (await db.read.selectFrom('accounts').select('id').limit(1).executeTakeFirst()) === undefined
}

/**
 * Fills an empty platform with 90 days of business until `now` (epoch seconds): three businesses of 12 apps with 20,000
 * licenses, or at most `maxLicenses` each, and small owners who register meanwhile. What happens to the first app is played on the real server; stock and sign-ins are also inserted.
 */
export async function fillPlatform(
  platform: DemoPlatform,
  { now, maxLicenses = Infinity }: { now: number; maxLicenses?: number },
): Promise<{ accounts: string[]; apps: number; licenses: number; users: number }> {
  const { config, db } = platform
  writeCountryFile(config.ipData.countryFile, now)
  const passwordHash = await demoPasswords.hash(demoPassword, accountHashing('this server'))
  const making = { platform, passwordHash, now, maxLicenses }
  const apps = await makeOwners(making)
  const from = now - (demoDays + 1) * day
  const server = await startDemoServer(platform, { from, receiver: demoReceiver(now) })
  try {
    const last: LastSignIns = new Map()
    const told = new Story(server, { app: at(apps, 0), now })
    const scenes = [...days(db, apps, { now, last }), ...story(told, apps), ...platformScenes(told, apps, making)]
    await playAll(server, scenes, now)
    await storeLastSignIns(db, last)
    // Twice, because what the first jobs find is work for the next ones.
    for (const secondsLeft of [90, 0]) {
      server.moveTo(now - secondsLeft)
      await server.settle()
    }
  } finally {
    await server.stop()
  }
  const accounts = [...demoOwners.map(({ username }) => username), demoAdmin]
  return { accounts, apps: apps.length, ...(await countRows(db)) }
}

const at = (apps: readonly DemoApp[], number: number): DemoApp => apps[number] as DemoApp

const story = (told: Story, apps: readonly DemoApp[]): Scene[] => [
  ...shopScenes(told),
  ...resellerScenes(told),
  ...webhookScenes(told),
  ...supportScenes(told),
  ...attackScenes(told, at(apps, 3)),
  ...runningScenes(told),
]

/** Before this many days ago, nothing waits for a job. */
const settledDays = 13
const quietSeconds = 10 * 60

/** Plays everything in its order; jobs run whenever nothing happens for a while. */
async function playAll(server: DemoServer, scenes: readonly Scene[], now: number): Promise<void> {
  const ordered = scenes.toSorted((one, other) => one.at - other.at)
  for (const [number, { at: time, play }] of ordered.entries()) {
    server.moveTo(time)
    await play()
    const next = ordered[number + 1]?.at ?? now
    if (time > now - settledDays * day && next - time > quietSeconds) await server.settle()
  }
}

function days(db: Database, apps: readonly DemoApp[], { now, last }: { now: number; last: LastSignIns }): Scene[] {
  const customers = new Map<string, Customer[]>()
  return Array.from({ length: demoDays }, (_, number) => {
    const end = now - (demoDays - 1 - number) * day - 600
    const play = () =>
      db.write(async (tx) => {
        for (const app of apps) {
          const known = customers.get(app.id) ?? []
          const fresh = await makeStock(tx, app, { number, end })
          known.push(...fresh)
          customers.set(app.id, known)
          await makeSignIns(tx, app, { number, end, customers: known, fresh, last })
        }
      })
    return { at: end, play }
  })
}

function writeCountryFile(file: string, now: number): void {
  if (existsSync(file)) return
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, demoCountryFile(now - 30 * day))
}

async function countRows(db: Database): Promise<{ licenses: number; users: number }> {
  const count = async (table: 'licenses' | 'users') => {
    const query = db.read.selectFrom(table).select((select) => select.fn.countAll<number>().as('n'))
    return Number((await query.executeTakeFirstOrThrow()).n)
  }
  return { licenses: await count('licenses'), users: await count('users') }
}
