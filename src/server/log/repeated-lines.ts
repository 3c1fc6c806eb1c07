import type { LogFn, Logger } from 'pino'

/** Runs a function once, a second later. */
export type Schedule = (work: () => void) => void

interface Line {
  /** Repetitions since its last line. */
  repeats: number
  write: (repeats: number) => void
}

const aSecondLater: Schedule = (work) => void setTimeout(work, 1000).unref()
/** Maximum number of distinct failures; further ones are counted by message only. */
const maxLines = 1000

/** A repeated failure is logged at most once a second, with a count, so that an outage does not bury other lines. */
export class RepeatedLines {
  readonly #lines = new Map<string, Line>()
  readonly #schedule: Schedule

  constructor(schedule: Schedule = aSecondLater) {
    this.#schedule = schedule
  }

  /** For pino's hook of the same name: writes a line or counts it. */
  logMethod(logger: Logger, args: Parameters<LogFn>, write: LogFn): void {
    const [fields, message] = args as unknown as [unknown, unknown]
    const error = errorOf(fields)
    if (!error || typeof message !== 'string') return write.apply(logger, args)
    const key = this.#keyOf(message, error, fields as Record<string, unknown>)
    const { err: _, ...others } = fields as Record<string, unknown>
    // Without the stack, which the first line has.
    const writeCount = (repeats: number) => write.call(logger, { ...others, error: error.message, repeats }, message)
    const line = this.#lines.get(key)
    if (line) {
      line.repeats += 1
      line.write = writeCount
      return
    }
    this.#lines.set(key, { repeats: 0, write: writeCount })
    this.#schedule(() => this.#count(key))
    write.apply(logger, args)
  }

  /** Writes the pending counts; for the end of the process. */
  flush(): void {
    for (const { repeats, write } of this.#lines.values()) if (repeats > 0) write(repeats)
    this.#lines.clear()
  }

  #count(key: string): void {
    const line = this.#lines.get(key)
    if (!line) return
    if (line.repeats === 0) return void this.#lines.delete(key)
    line.write(line.repeats)
    line.repeats = 0
    this.#schedule(() => this.#count(key))
  }

  #keyOf(message: string, error: Error, { method, path, kind }: Record<string, unknown>): string {
    if (this.#lines.size >= maxLines) return message
    const { code } = error as { code?: unknown }
    // Numbers in a text belong to one request: IDs, ports, positions.
    return [message, method, path, kind, error.name, code, error.message.replaceAll(/\d+/g, '0')].map(String).join('|')
  }
}

const errorOf = (fields: unknown): Error | undefined => {
  const { err } = (fields ?? {}) as { err?: unknown }
  return err instanceof Error ? err : undefined
}
