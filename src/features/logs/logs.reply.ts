import type { Log } from './logs.reads.ts'
import { logText } from './logs.rules.ts'
import { fingerprintLength } from '#features/users/user-list.rules.ts'

/** A row as the API returns it, including field aliases. */
export function logReply(log: Log) {
  const { id, at, call, code, license, ip, country, session, request } = log
  const message = logText(log)
  const credential = log.username || license
  const device = log.hwid_hash.slice(0, fingerprintLength)
  return {
    id: Number(id),
    message,
    logData: message,
    credential,
    username: credential,
    device,
    hwid: device,
    timestamp: Number(at),
    date: Number(at),
    call,
    code,
    license,
    licenseKey: license,
    ip,
    country,
    session,
    requestId: request,
  }
}
