import { sqliteCode } from './unavailable.ts'

const sqliteFull = 13
const sqliteIoError = 10

/** Why nothing can be written; undefined for temporary failures and those of a single statement. */
export function diskProblem(error: unknown): string | undefined {
  const { code } = (error ?? {}) as { code?: unknown }
  if (code === 'ENOSPC' || code === '53100' || sqliteCode(error) === sqliteFull) return 'the disk is full'
  if (code === 'EIO' || code === '58030' || sqliteCode(error) === sqliteIoError) return 'the disk fails'
  return undefined
}

/** Whether the disk accepts writes: unset by a failure until a transaction has changed something. */
export class WriteHealth {
  #problem: string | undefined

  get problem(): string | undefined {
    return this.#problem
  }

  failed(error: unknown): void {
    this.#problem = diskProblem(error) ?? this.#problem
  }

  succeeded(): void {
    this.#problem = undefined
  }
}
