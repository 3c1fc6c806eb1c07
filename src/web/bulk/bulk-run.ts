import {
  type BatchFields,
  type BulkAction,
  type BulkCounts,
  type BulkReply,
  type BulkResult,
  type BulkRows,
  type BulkTarget,
  rowsOf,
  type UndoBody,
  type UndoReply,
} from './bulk-action.ts'
import { ResumableBatches } from './resumable-batches.ts'

/** Rows per call: as many as the server processes in one transaction under an `Idempotency-Key`. */
const rowsPerBatch = 1000
const namesPerBatch = 250
/** Counting changes nothing and is faster. */
const rowsPerCount = 20_000

/** More than anybody reads or retries. */
const maxListed = 10_000

export interface BulkOutcome {
  done: number
  failed: number
  undoId: string | undefined
  counts: BulkCounts
  /** Results of a whole filter are not all listed; failures come first. */
  doneNames: readonly string[]
  failures: readonly BulkResult[]
}

interface RunOptions {
  /** Number of rows examined. */
  onProgress?: (rows: number) => void
  signal?: AbortSignal
}

type Sending<Body extends object, Filter> = Pick<BulkAction<Body, Filter>, 'send'> & {
  body: (rows: BulkRows<Filter>) => Body
}

export interface CountedRows {
  counts: BulkCounts
  /** Number of rows that the filter matched in total. */
  rows: number
  /** The newest of them, or a newer row. */
  newestId: number | undefined
}

/** Asks the server for the effects of the action without changing anything. */
export async function countEffects<Body extends object, Filter>(
  action: Sending<Body, Filter>,
  target: BulkTarget<Filter>,
  { onProgress, signal }: RunOptions = {},
): Promise<CountedRows> {
  const batches = new ResumableBatches<Body & BatchFields, BulkReply>()
  const replies = await batches.run(
    (before) => nextBody(action, target, before, { dryRun: true, maxRows: rowsPerCount }),
    (body) => action.send(body, { signal }),
    () => onProgress?.(rowsLookedAt(batches.replies)),
  )
  return {
    counts: sumOf(replies).counts,
    rows: rowsLookedAt(replies),
    newestId: replies[0]?.newestId ?? undefined,
  }
}

/** A bulk action in progress, or stopped by a failure: `run` resumes it. */
export class BulkRun<Body extends object, Filter> {
  readonly #batches = new ResumableBatches<Body & BatchFields, BulkReply>()
  readonly #target: BulkTarget<Filter>
  readonly #undoId: string | undefined

  /** `undoId`: of the run whose failures are retried. */
  constructor(target: BulkTarget<Filter>, undoId?: string) {
    this.#target = target
    this.#undoId = undoId
  }

  get outcome(): BulkOutcome {
    const outcome = sumOf(this.#batches.replies)
    return { ...outcome, undoId: outcome.undoId ?? this.#undoId }
  }

  async run(action: Sending<Body, Filter>, { onProgress }: RunOptions = {}): Promise<BulkOutcome> {
    const { replies } = this.#batches
    await this.#batches.run(
      () => nextBody(action, this.#target, replies, { maxRows: rowsPerBatch, undoId: this.outcome.undoId }),
      (body, idempotencyKey) => action.send(body, { idempotencyKey }),
      () => onProgress?.(rowsLookedAt(replies)),
    )
    return this.outcome
  }
}

function nextBody<Body extends object, Filter>(
  action: Sending<Body, Filter>,
  target: BulkTarget<Filter>,
  replies: readonly BulkReply[],
  { dryRun, maxRows, undoId }: BatchFields & { maxRows: number },
): (Body & BatchFields) | undefined {
  const common = { ...(dryRun && { dryRun }), ...(undoId && { undoId }) }
  if ('names' in target) {
    const from = replies.length * namesPerBatch
    if (from >= target.names.length) return undefined
    return { ...action.body({ names: target.names.slice(from, from + namesPerBatch) }), ...common }
  }
  const after = replies.at(-1)?.next
  if (after === null) return undefined
  // Rows that begin to match meanwhile are not more than were asked about.
  const left = target.count === undefined || dryRun ? Infinity : target.count - rowsLookedAt(replies)
  if (left <= 0 && replies.length > 0) return undefined
  const newestId = target.newestId ?? replies[0]?.newestId ?? undefined
  return {
    ...action.body(rowsOf(target)),
    maxRows: replies.length > 0 ? Math.min(maxRows, left) : maxRows,
    ...(after !== undefined && { after }),
    ...(newestId !== undefined && { newestId }),
    ...common,
  }
}

/** The calls of the action; batches of a filter are cut by the server. */
export function wholeBodies<Body extends object, Filter>(
  body: Sending<Body, Filter>['body'],
  target: BulkTarget<Filter>,
): Body[] {
  if (!('names' in target)) return [body(rowsOf(target))]
  const bodies: Body[] = []
  for (let from = 0; from < target.names.length; from += namesPerBatch) {
    bodies.push(body({ names: target.names.slice(from, from + namesPerBatch) }))
  }
  return bodies
}

const rowsLookedAt = (replies: readonly BulkReply[]) =>
  replies.reduce((rows, { done, failed }) => rows + done + failed, 0)

function sumOf(replies: readonly BulkReply[]): BulkOutcome {
  const results = replies.flatMap((reply) => reply.results)
  return {
    done: replies.reduce((sum, { done }) => sum + done, 0),
    failed: replies.reduce((sum, { failed }) => sum + failed, 0),
    undoId: replies.find(({ undoId }) => undoId !== null)?.undoId ?? undefined,
    counts: replies.map(({ counts }) => counts).reduce(sumOfCounts, { changed: 0, unchanged: 0 }),
    doneNames: results.filter(({ ok }) => ok).map(({ name }) => name),
    failures: results.filter(({ ok }) => !ok).slice(0, maxListed),
  }
}

export function sumOfCounts(one: BulkCounts, other: BulkCounts): BulkCounts {
  const sum = { ...one }
  for (const reason of Object.keys(other) as (keyof BulkCounts)[])
    sum[reason] = (sum[reason] ?? 0) + (other[reason] ?? 0)
  return sum
}

/** Undoes a recorded action; resumable like the action itself. */
export class UndoRun {
  readonly #batches = new ResumableBatches<UndoBody, UndoReply>()
  readonly #undoId: string

  constructor(undoId: string) {
    this.#undoId = undoId
  }

  get outcome(): { restored: number; failed: number } {
    const { replies } = this.#batches
    return {
      restored: replies.reduce((sum, { restored }) => sum + restored, 0),
      failed: replies.reduce((sum, { failed }) => sum + failed, 0),
    }
  }

  async run(undo: BulkAction<object, unknown>['undo'], onProgress?: (rows: number) => void) {
    await this.#batches.run(
      (replies) => {
        const after = replies.at(-1)?.next
        if (after === null) return undefined
        return { undoId: this.#undoId, maxRows: rowsPerBatch, ...(after !== undefined && { after }) }
      },
      (body, idempotencyKey) => undo(body, { idempotencyKey }),
      () => onProgress?.(this.outcome.restored + this.outcome.failed),
    )
    return this.outcome
  }
}
