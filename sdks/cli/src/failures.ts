/** What a script can tell apart. */
export const exitCodes = { done: 0, rejected: 1, usage: 2, unavailable: 3, notSignedIn: 4 } as const

/** Ends the program with a sentence and an exit code. */
export class Failure extends Error {
  readonly exitCode: number
  /** The error reply of the server, for `--json`. */
  readonly reply: object | undefined

  constructor(exitCode: keyof typeof exitCodes, message: string, reply?: object) {
    super(message)
    this.exitCode = exitCodes[exitCode]
    this.reply = reply
  }

  /** Of the server's error. */
  get code(): string | undefined {
    return this.reply && 'code' in this.reply ? String(this.reply.code) : undefined
  }
}

export const usage = (message: string): Failure => new Failure('usage', message)
