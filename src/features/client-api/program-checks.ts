import { reject } from '#contract/errors.ts'
import { hashHwid, type ProgramApp } from '#features/apps/program-apps.ts'
import type { Services } from '#server/services.ts'
import { clientErrors } from './client-api.errors.ts'

/** What a program says about itself and its machine. All of it is advisory (docs/protocol.md). */
interface ProgramFile {
  version: string
  /** Hex SHA-256 of the program file. */
  hash?: string | undefined
  ip: string
}

/** Called before anything is written. An address of unknown country is not blocked. */
export function checkProgram(services: Services, { row }: ProgramApp, { version, hash, ip }: ProgramFile): void {
  if (version !== row.version) {
    const link = row.auto_update_link
    reject(clientErrors, 'VERSION_OUTDATED', { details: { version: row.version, ...(link && { downloadUrl: link }) } })
  }
  if (row.hash_check === 1 && hash?.toLowerCase() !== row.hash_to_check) reject(clientErrors, 'HASH_MISMATCH')
  if (row.vpn_block === 1 && services.ipData.isVpn(ip)) reject(clientErrors, 'VPN_BLOCKED')
}

/** Called before anything is written, so that the license of a rejected program stays unused. */
export function checkHwid({ row }: ProgramApp, hwid: string | undefined): void {
  if (row.hwid_lock === 0) return
  if (!hwid) reject(clientErrors, 'HWID_REQUIRED')
  if (hwid.length < row.minimum_hwid_length) reject(clientErrors, 'HWID_TOO_SHORT')
}

/** Null if the program sent none. */
export const hwidHashOf = (app: ProgramApp, hwid: string | undefined): string | null =>
  hwid ? hashHwid(app, hwid) : null
