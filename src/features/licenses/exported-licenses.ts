import { textLine } from '#contract/csv.ts'
import { formatDuration } from '#contract/duration.ts'
import type { ListOf } from '#contract/list-field.ts'
import { type Batches, type ExportColumn, exportedRows, exportedTime } from '#server/http/exported-rows.ts'
import type { License } from './licenses.reads.ts'
import { type DescribedLicense, licenseReply } from './licenses.reply.ts'
import { type LicenseExportColumn, licenseExportTitles as titles, licenseStatus } from './licenses.rules.ts'

const columns: Record<LicenseExportColumn, ExportColumn<DescribedLicense>> = {
  license: { header: titles.license, text: ({ license }) => license, fields: ['license'] },
  subscription: {
    header: titles.subscription,
    text: ({ subscription }) => subscription.name,
    fields: ['subscription'],
  },
  level: { header: titles.level, text: ({ level }) => String(level), fields: ['level'] },
  expiry: { header: titles.expiry, text: ({ expiry }) => formatDuration(expiry), fields: ['expiry'] },
  expiresAt: { header: titles.expiresAt, text: ({ expiresAt }) => exportedTime(expiresAt), fields: ['expiresAt'] },
  status: { header: titles.status, text: (license) => licenseStatus(license), fields: ['used', 'banned'] },
  usedBy: { header: titles.usedBy, text: ({ usedBy }) => usedBy, fields: ['usedBy'] },
  generatedBy: {
    header: titles.generatedBy,
    text: ({ generatedBy }) => generatedBy || 'Admin',
    fields: ['generatedBy'],
  },
  notes: { header: titles.notes, text: ({ notes }) => notes, fields: ['notes'] },
  created: { header: titles.created, text: ({ creationDate }) => exportedTime(creationDate), fields: ['creationDate'] },
}

interface Choice {
  format: 'csv' | 'json' | 'txt'
  chosen: ListOf<LicenseExportColumn> | undefined
  /** Level names of the app. */
  names: Map<number, string>
}

/** The text of a file of licenses. */
export const exportedLicenses = (batches: Batches<License>, { names, ...choice }: Choice): AsyncGenerator<string> =>
  exportedRows(described(batches, names), { ...choice, columns, line: ({ license }) => textLine(license) })

async function* described(batches: Batches<License>, names: Map<number, string>): AsyncGenerator<DescribedLicense[]> {
  for await (const rows of batches) yield rows.map((row) => licenseReply(row, names))
}
