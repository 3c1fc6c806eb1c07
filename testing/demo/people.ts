import type { Calls } from '#contract/calls.ts'
import type { DemoServer } from './demo-server.ts'
import { Program } from '../people/program.ts'
import { type CallInput, Visitor } from '../people/visitor.ts'

const forwarded = (ip: string) => ({ 'x-forwarded-for': ip })

type SendInput = Parameters<Visitor['send']>[2]

/** A person of the demo in the dashboard, at an address. */
export class Person extends Visitor {
  readonly #ip: string

  constructor({ url }: Pick<DemoServer, 'url'>, ip: string) {
    super(url)
    this.#ip = ip
  }

  override send<T = Record<string, unknown>>(method: string, path: string, input: SendInput = {}) {
    return super.send<T>(method, path, { ...input, headers: { ...forwarded(this.#ip), ...input.headers } })
  }

  /** Makes a call that must succeed. */
  async make<K extends keyof Calls & string>(key: K, input: CallInput<K> = {}) {
    const { status, body } = await this.call(key, input)
    if (status !== 200) throw new Error(`${key} of the demo: ${status} ${JSON.stringify(body)}`)
    return body
  }

  async signIn(username: string, password: string): Promise<void> {
    await this.make('POST /login', { body: { username, password, rememberMe: true } })
  }
}

/** An app of the demo, as its programs know it. */
export interface ProgramIdentity {
  ownerId: string
  name: string
  rootKey: string
}

export const demoVersion = '2.4.1'
/** SHA-256 of the program file of the first app. */
export const demoHash = '5e'.repeat(32)

/** A customer's machine that runs a program. */
export class Machine extends Program {
  readonly #ip: string

  constructor(
    server: DemoServer,
    { ownerId, name, rootKey }: ProgramIdentity,
    { hwid, ip }: Record<'hwid' | 'ip', string>,
  ) {
    super(server, { id: ownerId, appName: name }, rootKey)
    this.hwid = hwid
    this.#ip = ip
  }

  override send(call: string, fields: unknown, options: Parameters<Program['send']>[2] = {}) {
    return super.send(call, fields, { ...options, headers: { ...forwarded(this.#ip), ...options.headers } })
  }

  start = ({ version = demoVersion, hash = demoHash } = {}) => this.init(version, { hash })
}
