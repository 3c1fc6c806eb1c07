import { storedCountry } from '#contract/country-filter.ts'
import { searchedCodes } from '#contract/fields.ts'
import { valuesOf } from '#contract/list-field.ts'
import { machineOf } from '#features/users/machines.ts'
import type { AppScope } from '#server/audit/actors.ts'
import { readRequestId } from '#server/http/request-ids.ts'
import { epochSeconds, type Services } from '#server/services.ts'
import type { Log, LogChoice, LogFilter } from './logs.reads.ts'
import { activeCalls, customerRejections, logText } from './logs.rules.ts'
import { fingerprintIn, fingerprintLength } from '#features/users/user-list.rules.ts'

const daySeconds = 86_400

/** Adds the hashes of the hardware IDs to a filter, and the beginning of the last `days`. */
export async function choiceOf(
  services: Services,
  app: AppScope,
  { days, ...filter }: LogFilter & { days?: number | undefined },
): Promise<LogChoice> {
  const since = days === undefined ? 0 : epochSeconds(services) - days * daySeconds
  const hashOf = async (text: string | undefined) =>
    text?.trim() ? (await machineOf(services, app, text.trim()))?.hwidHash : undefined
  const searchedRequest = readRequestId(filter.search ?? '')
  const hashes = { searchedHash: await hashOf(filter.search), hwidHash: await hashOf(filter.hwid) }
  const from = Math.max(filter.from ?? 0, since)
  return { ...filter, ...(from > 0 && { from }), appId: app.id, searchedRequest, ...hashes }
}

function customerFilterOf({ call, code, username, license }: Log): LogFilter['customers'] {
  if (isIn(customerRejections, code) && (username !== '' || license !== '')) return 'rejected'
  return code === '' && isIn(activeCalls, call) && username !== '' ? 'signed-in' : undefined
}

const isIn = (values: readonly string[], value: string): boolean => values.includes(value)

/** Whether a row matches the filter; equivalent to the list query in logs.reads.ts. */
export function isChosen(log: Log, choice: LogChoice): boolean {
  const { call, code, customers, rejected, searchedHash, searchedRequest, hwidHash } = choice
  const [search, credential, ip, hwid] = [choice.search, choice.credential, choice.ip, choice.hwid].map(
    (text) => text?.trim() ?? '',
  ) as [string, string, string, string]
  const start = log.hwid_hash.slice(0, fingerprintLength)
  if (log.app_id !== choice.appId) return false
  if (call && !valuesOf(call).includes(log.call)) return false
  if (code && !valuesOf(code).includes(log.code)) return false
  if (customers && customers !== customerFilterOf(log)) return false
  if (rejected !== undefined && (log.code !== '') !== rejected) return false
  if (log.at < (choice.from ?? 0) || log.at > (choice.until ?? Infinity)) return false
  if (choice.country && log.country !== storedCountry(choice.country)) return false
  if (ip !== '' && log.ip !== ip) return false
  if (credential !== '' && log.username !== credential && log.license !== credential) return false
  if (hwid !== '' && log.hwid_hash !== hwidHash && start !== (fingerprintIn(hwid) ?? hwid)) return false
  if (search === '') return true
  const shown = [log.message, log.username, log.license, log.ip, log.call, log.code, start, logText(log)].join(' ')
  const isMachine = log.hwid_hash !== '' && (log.hwid_hash === searchedHash || start === fingerprintIn(search))
  if (log.request !== '' && log.request === searchedRequest) return true
  const codes = searchedCodes(choice.searchCodes)
  if (codes.includes(log.code === '' && log.message === '' ? log.call : log.code)) return true
  return shown.toLowerCase().includes(search.toLowerCase()) || String(log.id) === search || isMachine
}
