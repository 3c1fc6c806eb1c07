import { plural, t } from '@lingui/core/macro'
import { call } from '#web/api/call.ts'
import { levelNameOf } from '#features/levels/levels.rules.ts'
import { callQuery } from '#web/api/call-query.ts'
import type { CallInput, CallReply } from '#web/api/call-types.ts'
import { appKey, appKeyOf } from '#web/api/query-keys.ts'
import { queryClient } from '#web/api/query-client.ts'
import { saveTextFile } from '#web/browser/save-text-file.ts'
import { undoNow } from '#web/bulk/bulk-toasts.ts'
import type { App } from '#web/session/session.ts'
import { batchFrom, type ImportRows } from '../batch-rows.rules.ts'
import {
  type Columns,
  decodeFile,
  type FileProblem,
  type ImportFile,
  maxFileMiB,
  readImportFile,
} from '../import-files.rules.ts'
import { maxImportRows } from '../imported-rows.rules.ts'

export type Import = CallReply<'GET /imports'>['imports'][number]
export type CheckReply = CallReply<'POST /imports/check'>
export type RowResult = CheckReply['results'][number]
type RowsBody = NonNullable<CallInput<'POST /imports/rows'>['body']>
type StartBody = NonNullable<CallInput<'POST /imports/start'>['body']>

export interface ChosenFile {
  name: string
  /** SHA-256 in hex; empty where the browser has no cryptography (plain HTTP). */
  fingerprint: string
  file: ImportFile
}

/** What the person chooses for a file. `levels` by label: a level's number, `new`, or empty for none. */
export interface Choices {
  columns: Columns
  levels: Readonly<Record<string, string>>
  onConflict: NonNullable<StartBody['onConflict']>
  durationUnit: NonNullable<StartBody['durationUnit']>
  withHwids: boolean
  withKeys: boolean
}

export const importsQuery = () => callQuery(appKey('imports'), 'GET /imports')

/** Reads a file in the browser; throws the reason as a text. */
export async function readChosen(chosen: File, wanted: Import['kind']): Promise<ChosenFile> {
  if (chosen.size > maxFileMiB * 2 ** 20) throw new Error(t`The file is larger than ${maxFileMiB} MiB. Split it.`)
  const bytes = new Uint8Array(await chosen.arrayBuffer())
  const text = decodeFile(bytes)
  const { file, problem = 'FILE_ENCODING' } = text === undefined ? {} : readImportFile(text, wanted)
  if (!file) throw new Error(problemText(problem))
  return { name: chosen.name.slice(0, 200).toWellFormed(), fingerprint: await fingerprintOf(bytes), file }
}

function problemText(problem: FileProblem): string {
  const rows = maxImportRows.toLocaleString(document.documentElement.lang || 'en')
  const texts: Record<FileProblem, string> = {
    FILE_EMPTY: t`The file contains no rows.`,
    FILE_ENCODING: t`The file is not UTF-8 text. Save it as UTF-8 and try again.`,
    FILE_JSON_BROKEN: t`The file is not valid JSON. It may be incomplete.`,
    FILE_QUOTE_OPEN: t`The file has a quotation mark without an end. It may be incomplete.`,
    FILE_UNKNOWN: t`The file has no column for license keys or usernames.`,
    FILE_ROWS_EXCEEDED: t`The file has more than ${rows} rows. Split it.`,
  }
  return texts[problem]
}

async function fingerprintOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  // Absent on pages without TLS.
  const subtle = (crypto as Partial<Crypto>).subtle
  if (!subtle) return ''
  return [...new Uint8Array(await subtle.digest('SHA-256', bytes))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
}

export interface Checked extends Pick<CheckReply, 'valid' | 'conflicts' | 'results' | 'room'> {}

/** Checks all rows in batches and changes nothing. */
export async function checkRows(
  rows: ImportRows,
  { levels, onConflict, durationUnit, withHwids }: Choices,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (rows: number) => void },
): Promise<Checked> {
  const labels = Object.keys(levels).filter((label) => levels[label] !== '')
  const all: Checked = { valid: 0, conflicts: 0, results: [], room: null }
  for (let from = 0; ;) {
    const batch = batchFrom(rows, from)
    const size = sizeOf(batch)
    if (size === 0) return all
    const body = { ...batch, levels: labels, onConflict, durationUnit, withHwids }
    const { valid, conflicts, results, room } = await call('POST /imports/check', { body, signal })
    signal.throwIfAborted()
    all.valid += valid
    all.conflicts += conflicts
    all.results.push(...results)
    all.room = room
    from += size
    onProgress(from)
  }
}

export const sizeOf = ({ licenses, users }: ImportRows): number => (licenses ?? users).length

const labeled = ([label, choice]: [string, string]) =>
  choice === 'new' ? { label, name: levelNameOf(label) } : { label, level: Number(choice) }

interface RunOptions {
  /** After an abort, the batch that is being sent is the last one. */
  signal: AbortSignal
  /** The idempotency key of a start with this body. */
  keyOf: (body: StartBody) => string
  onProgress: (row: Import) => void
}

/** An import in progress, or stopped: `run` resumes it. */
export class ImportRun {
  readonly #app: App
  readonly #chosen: ChosenFile
  /** Once it has started. */
  #row: Import | undefined

  /** `row`: an import of the same file that stopped. */
  constructor(app: App, chosen: ChosenFile, row?: Import) {
    this.#app = app
    this.#chosen = chosen
    this.#row = row
  }

  async run(rows: ImportRows, choices: Choices, { signal, keyOf, onProgress }: RunOptions): Promise<Import> {
    const { appId } = this.#app
    let row = this.#row ?? (await this.#start(rows, choices, keyOf))
    for (;;) {
      this.#row = row
      onProgress(row)
      const batch = batchFrom(rows, row.doneRows)
      if (signal.aborted || sizeOf(batch) === 0) break
      row = await sendBatch({ ...batch, importId: row.importId, batch: row.nextBatch }, appId)
    }
    await refreshApp(appId)
    return row
  }

  async #start(
    rows: ImportRows,
    { levels, columns, ...settings }: Choices,
    keyOf: RunOptions['keyOf'],
  ): Promise<Import> {
    const { name, fingerprint, file } = this.#chosen
    const { kind, source } = file
    const assigned = Object.entries(levels)
      .filter(([, choice]) => choice !== '')
      .map(labeled)
    const body = {
      kind,
      source,
      fileName: name,
      fingerprint,
      rows: sizeOf(rows),
      columns,
      levels: assigned,
      ...settings,
    }
    const reply = await call('POST /imports/start', { body, appId: this.#app.appId, idempotencyKey: keyOf(body) })
    return reply.import
  }
}

async function sendBatch(body: RowsBody, appId: string): Promise<Import> {
  return (await call('POST /imports/rows', { body, appId })).import
}

/** An import and its undo change the lists, the counts, and the levels of the app. */
export const refreshApp = (appId: string): Promise<void> => queryClient.invalidateQueries({ queryKey: appKeyOf(appId) })

export function undoImport({ appId }: App, { importId, created, overwritten }: Import): Promise<void> {
  return undoNow(
    {
      undo: (body, options) => call('POST /imports/undo', { body, appId, ...options }),
      refresh: () => refreshApp(appId),
      restoredText: (count) => plural(count, { one: 'Undid # row', other: 'Undid # rows' }),
    },
    importId,
    created + overwritten,
  )
}

/** Saves which rows an import did not create, with the reasons. */
export async function saveReport(app: App, { importId }: Import): Promise<void> {
  const { content } = await call('GET /import_report', { query: { importId }, appId: app.appId })
  saveTextFile('import-report', 'csv', content)
}
