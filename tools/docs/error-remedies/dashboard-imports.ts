import type { DashboardCall } from '../error-codes.ts'
import { type DashboardRemedies, notFound } from './dashboard-calls.ts'

const rows = ['POST /imports/check', 'POST /imports/rows'] as const satisfies DashboardCall[]
const sendsRows = ['POST /imports/rows'] as const satisfies DashboardCall[]

/** A cell that cannot be read; only its row is skipped. */
const unreadable = (cell: string, remedy: string) => ({
  calls: rows,
  cause: `${cell} of a row is none that can be imported. Only this row is skipped.`,
  remedy: `${remedy} Then import the file again: rows that were imported are skipped.`,
})

/** Imports, and the reasons why a row of a file is skipped. */
export const dashboardImports = {
  IMPORT_NOT_FOUND: notFound(['POST /imports/rows', 'POST /imports/undo', 'GET /import_report'], 'import', 'Import'),
  IMPORT_UNDONE: {
    calls: sendsRows,
    cause: 'The import was undone, perhaps in another browser.',
    remedy: 'Start a new import with the same file.',
  },
  IMPORT_BATCH_ORDER: {
    calls: sendsRows,
    cause: 'A batch is missing before this one.',
    remedy: 'Continue with the batch that the message names, which is the `nextBatch` of the import.',
  },
  IMPORT_BATCH_CHANGED: {
    calls: sendsRows,
    cause: 'The batch was imported before, with other rows.',
    remedy: 'Send the rows of the file with which the import began, or start a new import.',
  },
  IMPORT_ROWS_EXCEEDED: {
    calls: sendsRows,
    cause: 'The batches have more rows together than `POST /imports/start` announced.',
    remedy: 'Start a new import with the number of rows that the file has.',
  },
  ROW_DUPLICATE: {
    calls: rows,
    cause:
      'An earlier row of the file has the same license key or username, regardless of case, because the user who redeems a key is named like it. Only this row is skipped.',
    remedy: 'Nothing, if the first row is the right one. Otherwise correct the file, and import it again.',
  },
  ROW_REDEEMED: {
    calls: rows,
    cause: 'A user has redeemed the license, in the file or in the app, so the user has what is left of it.',
    remedy: 'Import the users of the other service too.',
  },
  LEVEL_UNASSIGNED: {
    calls: rows,
    cause: 'The level of a row has no subscription of the app. Only this row is skipped.',
    remedy: 'Start a new import that assigns a subscription to the level, or creates one.',
  },
  KEY_REQUIRED: unreadable('The license key', 'Fill in the key.'),
  KEY_INVALID: unreadable('The license key', 'Shorten the key, or remove its spaces.'),
  NOTES_INVALID: unreadable('The notes', 'Shorten them, or remove the invisible characters.'),
  STATUS_UNKNOWN: unreadable('The status', 'Use `unused`, `used`, or `banned`.'),
  BANNED_UNKNOWN: unreadable('The ban', 'Use `yes` or `no`.'),
  EXPIRY_INVALID: unreadable('The expiry', 'Use a date, a Unix time, or `lifetime`.'),
  IMPORTED_DURATION_INVALID: unreadable('The duration', 'Use a whole number, or 0 for a lifetime.'),
  HASH_UNSUPPORTED: unreadable('The hash of the password', 'Leave it out, and give the user a new password.'),
  HWID_TOO_LONG: unreadable('The HWID', 'Leave it out: the program sends it at the next sign-in.'),
  SUBSCRIPTIONS_TOO_MANY: unreadable('The list of subscriptions', 'Remove those that have ended.'),
} satisfies DashboardRemedies
