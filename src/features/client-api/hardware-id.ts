import { createHmac } from 'node:crypto'
import { refuse } from '#contract/refusals.ts'
import type { ProgramApp } from '#features/apps/program-apps.ts'
import { clientRefusals } from './client-api.refusals.ts'

/** What is stored instead of a hardware id (R-CLI-08); null when the program sent none. */
export function hwidHashOf(app: ProgramApp, hwid: string | undefined): string | null {
  return hwid ? createHmac('sha256', app.hwidPepper).update(hwid).digest('base64url') : null
}

/** Checked before anything is written, so that a refused program leaves its license unused. */
export function checkHwid({ row }: ProgramApp, hwid: string | undefined): void {
  if (row.hwid_lock === 0) return
  if (!hwid) refuse(clientRefusals, 'HWID_REQUIRED')
  if (hwid.length < row.minimum_hwid_length) refuse(clientRefusals, 'HWID_TOO_SHORT')
}
