import type { DemoServer } from './demo-server.ts'
import type { DemoApp } from './owners.ts'
import { Machine, Person, type ProgramIdentity } from './people.ts'
import { addressIn, placeOf } from './places.ts'

export const demoPassword = 'Demo-only-4711'

/** Something that happens in the demo. `at` in epoch seconds. */
export interface Scene {
  at: number
  play(): Promise<unknown>
}

const day = 86_400
/** People who act within this time don't sign in again. */
const sameSittingSeconds = 240

/** What the scenes share: the people, the app that they are about, and the time. */
export class Story {
  readonly server: DemoServer
  readonly app: DemoApp
  readonly #now: number
  readonly #people = new Map<string, { person: Person; seenAt: number }>()
  readonly #identities = new Map<string, ProgramIdentity>()
  #machines = 5000

  /** `now` in epoch seconds: when the demo ends. */
  constructor(server: DemoServer, { app, now }: { app: DemoApp; now: number }) {
    this.server = server
    this.app = app
    this.#now = now
  }

  scene = (daysAgo: number, play: Scene['play']): Scene => ({ at: Math.round(this.#now - daysAgo * day), play })

  /** A person with a password in the dashboard, signed in. */
  async person(
    username: string,
    { country = 'BR', appId }: { country?: string; appId?: string } = {},
  ): Promise<Person> {
    const now = this.server.now()
    const known = this.#people.get(username) ?? { person: new Person(this.server, addressIn(country, 7)), seenAt: 0 }
    if (now - known.seenAt > sameSittingSeconds) await known.person.signIn(username, demoPassword)
    known.person.appId = appId
    this.#people.set(username, { ...known, seenAt: now })
    return known.person
  }

  /** The owner of the app. */
  marina = (): Promise<Person> => this.person('marina', { appId: this.app.id })

  async identity(app: DemoApp = this.app): Promise<ProgramIdentity> {
    const known = this.#identities.get(app.id)
    if (known) return known
    const { apps } = await (await this.marina()).make('GET /apps')
    const rootKey = apps.find(({ appId }) => appId === app.id)?.settings.serverObfuscationKey ?? ''
    const identity = { ownerId: app.ownerId, name: app.name, rootKey }
    this.#identities.set(app.id, identity)
    return identity
  }

  /** A machine that runs the program, by default that of a new customer. */
  async machine({ app, hwid, ip }: { app?: DemoApp; hwid?: string; ip?: string } = {}): Promise<Machine> {
    const number = this.#machines++
    const identity = await this.identity(app)
    return new Machine(this.server, identity, { hwid: hwid ?? `demo-machine-${number}`, ip: ip ?? placeOf(number).ip })
  }

  /** Licenses that the owner makes for a story. */
  async licenses(amount: number, more: object = {}): Promise<string[]> {
    const marina = await this.marina()
    const body = { amount, subscription: 2, expiryUnit: 'months' as const, duration: 6, ...more }
    return (await marina.make('POST /create_licenses', { body })).licenses
  }
}
