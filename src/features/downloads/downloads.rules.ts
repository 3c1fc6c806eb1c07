import type { Problem } from '#contract/errors.ts'
import { hasInvisible } from '#contract/visible-text.ts'
import type { downloadsErrors } from './downloads.errors.ts'

/** Files of an app. Runs in the server and the dashboard. */

export const maxDownloadNameLength = 100
export const maxDescriptionLength = 500
export const maxFilesPerApp = 1000
/** Plans count a million bytes as one MB. */
export const bytesPerMb = 1_000_000
/** How long downloads are recorded with their address. */
export const downloadDays = 90

/** How long an upload may stay incomplete, in seconds. */
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
  /** Storage of the plan (-1 for unlimited), used storage, and maximum file size, in bytes. */
  storageBytes: number
  usedBytes: number
  maxFileBytes: number
}

/** Maximum size of another file, in bytes. */
export const bytesLeft = ({ storageBytes, usedBytes, maxFileBytes }: Quota): number =>
  storageBytes < 0 ? maxFileBytes : Math.min(maxFileBytes, Math.max(0, storageBytes - usedBytes))

/** Whether another deleted file makes the oldest deleted ones go, for which the plan has no storage. */
export const displacesDeleted = (
  bytes: number,
  { storageBytes, deletedBytes }: Pick<Quota, 'storageBytes'> & { deletedBytes: number },
): boolean => storageBytes >= 0 && deletedBytes > 0 && deletedBytes + bytes > storageBytes

const minAheadBytes = 64 * 1024
const maxAheadBytes = 8 * bytesPerMb

/**
 * Bytes to reserve once an upload of unknown length has this many: as many again, but at least 64 KiB and at most 8 MB
 * more, so that a stalled upload reserves little more than it has sent.
 */
export const reservedBytes = (bytes: number, quota: Quota): number =>
  Math.min(bytesLeft(quota), bytes + Math.min(maxAheadBytes, Math.max(minAheadBytes, bytes)))

/** The problem of a file of this size, if any. */
export function fileSizeProblem(bytes: number, quota: Quota): DownloadProblem | undefined {
  if (bytes > quota.maxFileBytes) return { code: 'FILE_TOO_LARGE', values: { maxMb: megabytes(quota.maxFileBytes) } }
  if (bytes > bytesLeft(quota)) {
    return { code: 'STORAGE_LIMIT_REACHED', values: { limitMb: megabytes(quota.storageBytes) } }
  }
  return undefined
}

/** Rounded to two decimal places. */
export const megabytes = (bytes: number): number => Math.round((bytes / bytesPerMb) * 100) / 100

/** Default name: the name of the file, shortened to the allowed length. */
export const nameOfFile = (fileName: string): string => fileName.trim().slice(0, maxDownloadNameLength)

/** Appends a number to a name that is taken, so that the upload is not rejected. */
export function freeName(name: string, taken: readonly string[]): string {
  const others = new Set(taken)
  for (let number = 2, free = name; ; number++) {
    if (!others.has(free)) return free
    const suffix = ` (${number})`
    free = name.slice(0, maxDownloadNameLength - suffix.length) + suffix
  }
}
