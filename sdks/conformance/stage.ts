import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Answer, type CreateOptions, type Fields, outcomeOf } from './contract.ts'
import { pause } from './pause.ts'
import { patienceMs, type Program } from './program.ts'
import { sealingKeyText, verificationKeyText } from './server/identity.ts'
import { ScriptedServer } from './server/scripted-server.ts'

export const hwid = 'conformance-machine-0123456789abcdef'

/** What a scenario works with: a server of its own, and a client's program with a new client. */
export class Stage {
  readonly program: Program
  readonly server: ScriptedServer
  #otherServer: ScriptedServer | undefined
  #folder: string | undefined

  private constructor(program: Program, server: ScriptedServer) {
    this.program = program
    this.server = server
  }

  static async open(program: Program): Promise<Stage> {
    program.forgetEvents()
    return new Stage(program, await new ScriptedServer().start())
  }

  /** Ends the client and the servers. Whether the program is still usable. */
  async close(): Promise<boolean> {
    // A client that hangs is freed by its server going away.
    const closing = this.program.ask('close', {}, 10_000).then(
      () => true,
      () => false,
    )
    await this.server.stop()
    await this.#otherServer?.stop()
    const isClosed = await closing
    const isQuiet = isClosed && (await this.until(() => this.program.unanswered === 0, 5000))
    if (this.#folder) rmSync(this.#folder, { recursive: true, force: true })
    return isQuiet
  }

  /** A server that the client was never told of. */
  async otherServer(): Promise<ScriptedServer> {
    return (this.#otherServer ??= await new ScriptedServer().start())
  }

  /** An empty folder. */
  folder(): string {
    return (this.#folder ??= mkdtempSync(join(tmpdir(), 'signet-conformance-')))
  }

  filesIn(folder: string): string[] {
    return readdirSync(folder).toSorted()
  }

  create(options: CreateOptions = {}): Promise<Answer> {
    return this.program.ask('create', {
      ownerId: 'Ab3dE6gH1j',
      appName: 'My App',
      version: '1.0',
      serverUrl: this.server.url,
      verificationKey: verificationKeyText,
      sealingKey: sealingKeyText,
      timeout: 15,
      heartbeatInterval: null,
      grace: 60,
      hwid,
      language: 'en',
      ...options,
    })
  }

  ask(name: string, fields?: Fields): Promise<Answer> {
    return this.program.ask(name, fields)
  }

  /** `ok`, or the code of the error. */
  async outcome(name: string, fields?: Fields): Promise<string> {
    return outcomeOf(await this.ask(name, fields))
  }

  /** The same, and whether it took longer than so many seconds. */
  async timed(limitSeconds: number, name: string, fields?: Fields): Promise<string> {
    const startedAt = performance.now()
    const outcome = await this.outcome(name, fields)
    const seconds = (performance.now() - startedAt) / 1000
    return seconds <= limitSeconds ? outcome : `${outcome} after ${seconds.toFixed(1)} s`
  }

  /** Signs in with a good key. */
  async signIn(): Promise<void> {
    const answer = await this.ask('license', { key: 'KEY-1' })
    if (!answer.ok) throw new Error(`the first sign-in got ${answer.code}: ${answer.message ?? ''}`)
  }

  /** `valid` or `not valid`. */
  async valid(): Promise<string> {
    const answer = await this.ask('valid')
    if (!answer.ok) return answer.code
    return answer.result['valid'] === true ? 'valid' : 'not valid'
  }

  /** Waits until the condition holds. */
  async until(condition: () => boolean | Promise<boolean>, limitMs = patienceMs): Promise<boolean> {
    const end = performance.now() + limitMs
    while (!(await condition())) {
      if (performance.now() > end) return false
      await pause(20)
    }
    return true
  }

  /** `valid` or `not valid`, once it is what was asked for or the patience is over. */
  async untilValid(wanted: boolean): Promise<string> {
    const text = wanted ? 'valid' : 'not valid'
    await this.until(async () => (await this.valid()) === text)
    return this.valid()
  }

  /** Waits for an event: `lost LICENSE_BANNED`, or `no lost`. */
  async event(name: string): Promise<string> {
    await this.until(() => this.program.events.some(({ event }) => event === name))
    const found = this.program.events.find(({ event }) => event === name)
    if (!found) return `no ${name}`
    return found.code === undefined ? name : `${name} ${found.code}`
  }

  /** All events so far, without further waiting: `lost LICENSE_BANNED, ...`, or `no event`. */
  events(): string {
    const all = this.program.events.map(({ event, code }) => (code === undefined ? event : `${event} ${code}`))
    return all.length === 0 ? 'no event' : all.join(', ')
  }

  /** Waits until the client has sent so many more requests of a call. */
  async moreRequests(call: string, more: number): Promise<boolean> {
    const wanted = this.server.count(call) + more
    return this.until(() => this.server.count(call) >= wanted)
  }
}
