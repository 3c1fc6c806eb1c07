import type { Problem } from '#contract/errors.ts'
import { hasInvisible } from '#contract/visible-text.ts'
import type { downloadsErrors } from './downloads.errors.ts'

/** Files of an app. Runs in the server and the dashboard. */

export const maxDownloadNameLength = 100
export const maxDescriptionLength = 500
export const maxFilesPerApp = 1000
/** As plans count. */
export const bytesPerMb = 1_000_000
/** How long it is known who downloaded what (R-UP-08). */
export const downloadDays = 90

/** How long an upload may wait until its owner completes it. */
export const incompleteSeconds = 86_400

type DownloadProblem = Problem<keyof typeof downloadsErrors>

export function downloadNameProblem(name: string): DownloadProblem | undefined {
  const trimmed = name.trim()
  if (trimmed === '') return { code: 'DOWNLOAD_NAME_REQUIRED', field: 'name' }
  if (trimmed.length > maxDownloadNameLength) {
    return { code: 'DOWNLOAD_NAME_TOO_LONG', values: { max: maxDownloadNameLength }, field: 'name' }
  }
  // `.` and `..` would be lost from an address that names the file.
  if (hasInvisible(trimmed) || /^\.{1,2}$/.test(trimmed)) return { code: 'DOWNLOAD_NAME_INVALID', field: 'name' }
  return undefined
}

export const downloadDescriptionProblem = (description: string): DownloadProblem | undefined =>
  description.length > maxDescriptionLength
    ? { code: 'DOWNLOAD_DESCRIPTION_TOO_LONG', values: { max: maxDescriptionLength }, field: 'description' }
    : undefined

interface Quota {
  /** Of the plan, -1 without a limit; of what the owner has; of the largest file. In bytes. */
  storageBytes: number
  usedBytes: number
  maxFileBytes: number
}

/** How many bytes one more file may have. */
export const bytesLeft = ({ storageBytes, usedBytes, maxFileBytes }: Quota): number =>
  storageBytes < 0 ? maxFileBytes : Math.min(maxFileBytes, Math.max(0, storageBytes - usedBytes))

const minAheadBytes = 64 * 1024
const maxAheadBytes = 8 * bytesPerMb

/**
 * How much an upload of unknown length reserves once it has this many bytes: at most as many again, so that one that
 * stalls takes hardly more than what it has sent.
 */
export const reservedBytes = (bytes: number, quota: Quota): number =>
  Math.min(bytesLeft(quota), bytes + Math.min(maxAheadBytes, Math.max(minAheadBytes, bytes)))

/** Why a file of this size is not taken. */
export function fileSizeProblem(bytes: number, quota: Quota): DownloadProblem | undefined {
  if (bytes > quota.maxFileBytes) return { code: 'FILE_TOO_LARGE', values: { maxMb: megabytes(quota.maxFileBytes) } }
  if (bytes > bytesLeft(quota)) {
    return { code: 'STORAGE_LIMIT_REACHED', values: { limitMb: megabytes(quota.storageBytes) } }
  }
  return undefined
}

/** To two places. */
export const megabytes = (bytes: number): number => Math.round((bytes / bytesPerMb) * 100) / 100

/** A name to begin with: that of the file, as far as it is allowed. */
export const nameOfFile = (fileName: string): string => fileName.trim().slice(0, maxDownloadNameLength)

/** A file of a name that is taken begins with a number behind it, so that its upload isn't for nothing. */
export function freeName(name: string, taken: readonly string[]): string {
  const others = new Set(taken)
  for (let number = 2, free = name; ; number++) {
    if (!others.has(free)) return free
    const suffix = ` (${number})`
    free = name.slice(0, maxDownloadNameLength - suffix.length) + suffix
  }
}
