import { CallFailed } from '#web/call-failed.ts'
import { loadCodeTexts } from '#web/texts/code-text.ts'
import type { LicenseFilter } from './license-list.ts'

export type ExportFormat = 'txt' | 'csv'

interface Download extends LicenseFilter {
  appId: string
  format: ExportFormat
}

/**
 * Leaves the file to the browser, which writes it to disk as it comes: a million keys never stand in the page.
 * A link can't say why it failed, so the export is tried first and aborted once it begins. Throws `CallFailed`.
 */
export async function downloadLicenses(query: Download): Promise<void> {
  const search = new URLSearchParams({ download: 'true' })
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value))
  const url = `/api/1.0/website/export_licenses?${search}`
  await checkExport(url)
  const link = document.createElement('a')
  link.href = url
  link.download = ''
  link.click()
}

async function checkExport(url: string): Promise<void> {
  const trial = new AbortController()
  const response = await fetch(url, { signal: trial.signal }).catch(() => undefined)
  if (!response) throw new CallFailed(0, {})
  if (response.ok) return trial.abort()
  const reply: unknown = await response.json().catch(() => ({}))
  await loadCodeTexts()
  throw new CallFailed(response.status, reply as Record<string, unknown>)
}
