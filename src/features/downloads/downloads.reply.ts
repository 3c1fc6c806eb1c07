import type { Download } from './downloads.reads.ts'

export const downloadReply = (row: Download) => ({
  _id: row.id,
  downloadId: row.id,
  name: row.name,
  description: row.description,
  fileName: row.file_name,
  fileSize: Number(row.size),
  sha256: row.sha256,
  downloadCount: Number(row.download_count),
  authenticated: row.authenticated === 1,
  active: row.active === 1,
  completed: row.incomplete_since === null,
  pending: row.unscanned_since !== null,
  createdAt: Number(row.created_at),
})
