import { plainText } from '#contract/errors.ts'
import { addressOf } from '../../../site/pages.ts'
import { programError, sellerError } from '../error-codes.ts'
import { fileOf } from '../error-pages.ts'
import * as programCalls from '../error-remedies/program-calls.ts'
import { programRemedies, sellerRemedies } from '../error-remedies/every-remedy.ts'
import * as sellerCalls from '../error-remedies/seller-calls.ts'
import { escaped, htmlTable, withBreaks } from './html.ts'

/** Which errors an operation answers, as the error pages say it. */

interface Remedy {
  calls: readonly string[]
}

/** Errors of an operation of its own. */
const errorsIn = (remedies: Record<string, Remedy>, id: string, shared: readonly (readonly string[])[]): string[] =>
  Object.entries(remedies)
    .filter(([, { calls }]) => !shared.includes(calls) && calls.includes(id))
    .map(([code]) => code)

const sharedIn = (remedies: Record<string, Remedy>, shared: readonly string[]): string[] =>
  Object.entries(remedies)
    .filter(([, { calls }]) => calls === shared)
    .map(([code]) => code)

const ofFields = new Set<readonly string[]>([sellerCalls.callsWithBody, sellerCalls.callsWithFields])
const sharedBySellers = [sellerCalls.everyCall, ...ofFields]
const sharedByPrograms = [programCalls.everyCall, programCalls.callsWithFields]

export const sellerErrorsOf = (id: string): string[] => errorsIn(sellerRemedies, id, sharedBySellers)
export const programErrorsOf = (call: string): string[] => errorsIn(programRemedies, call, sharedByPrograms)

export const sharedSellerErrors = (): string[] => sharedIn(sellerRemedies, sellerCalls.everyCall)
export const sellerFieldErrors = (): string[] => [...ofFields].flatMap((calls) => sharedIn(sellerRemedies, calls))
export const sharedProgramErrors = (): string[] => sharedIn(programRemedies, programCalls.everyCall)
export const programFieldErrors = (): string[] => sharedIn(programRemedies, programCalls.callsWithFields)

/** Address of the page of a code. */
export function errorAddress(code: string): string {
  const [file = '', anchor] = fileOf(code).split('#')
  return `${addressOf(`reference/errors/${file}`)}${anchor === undefined ? '' : `#${anchor}`}`
}

export const errorLink = (code: string): string => `[\`${code}\`](${errorAddress(code)})`

export function errorTable(codes: readonly string[], api: 'seller' | 'programs'): string {
  const rows = codes
    .map((code) => ({ code, error: api === 'seller' ? sellerError(code) : programError(code) }))
    .toSorted((a, b) => (a.error?.status ?? 0) - (b.error?.status ?? 0))
    .map(({ code, error }) => ({
      head: `<a href="${errorAddress(code)}"><code>${withBreaks(code)}</code></a>`,
      cells: [String(error?.status ?? ''), escaped(plainText(error?.message ?? ''))],
    }))
  return htmlTable('Errors', ['Code', 'Status', 'Text'], rows)
}
