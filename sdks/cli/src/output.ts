import type { Environment } from './environment.ts'
import { printable, printableJson, printableLines } from './printable.ts'
import { type Column, tableLines } from './table.ts'

/** A seller key, wherever it stands: what a server or a file echoes is no place to show it either. */
const sellerKey = /lk_live_[A-Za-z0-9]{8}_[\w-]+/g

/** Everything that the program writes. */
export class Output {
  readonly isJson: boolean
  readonly #environment: Environment
  #secrets: string[] = []

  constructor(environment: Environment, { isJson }: { isJson: boolean }) {
    this.#environment = environment
    this.isJson = isJson
  }

  /** Never writes this text. */
  conceal(secret: string): void {
    if (secret.length >= 8) this.#secrets.push(secret)
  }

  line(text: string): void {
    this.#write('stdout', `${text}\n`)
  }

  /** For people only, beside the result. */
  note(text: string): void {
    if (!this.isJson) this.#write('stderr', `${printable(text)}\n`)
  }

  problem(text: string): void {
    this.#write('stderr', `${printableLines(`signet: ${text}`)}\n`)
  }

  /** One document, or one line of a stream. */
  json(value: unknown, { isLine = false } = {}): void {
    this.line(printableJson(value, isLine ? undefined : 2))
  }

  table<T>(columns: readonly Column<T>[], rows: readonly T[]): void {
    const { stdout, variables } = this.#environment
    const [head = '', ...lines] = tableLines(columns, rows, stdout.isTTY ? stdout.columns || 80 : undefined)
    const isColored = stdout.isTTY && !variables['NO_COLOR'] && variables['TERM'] !== 'dumb'
    this.line(isColored ? `\u001B[1m${head}\u001B[22m` : head)
    for (const line of lines) this.line(line)
  }

  /** Exactly this text for a program that reads it, and what is safe to show in a terminal. */
  text(text: string): void {
    this.line(this.#environment.stdout.isTTY ? printableLines(text) : text)
  }

  #write(stream: 'stdout' | 'stderr', text: string): void {
    let safe = text.replace(sellerKey, '[seller key]')
    for (const secret of this.#secrets) safe = safe.replaceAll(secret, '[seller key]')
    this.#environment[stream].write(safe)
  }
}
