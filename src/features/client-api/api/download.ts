import { reject } from '#contract/errors.ts'
import { newTicket } from '#features/downloads/download-ticket.ts'
import { findPublicDownload } from '#features/downloads/downloads.reads.ts'
import { clientErrors } from '../client-api.errors.ts'
import type { ProgramHandler } from '../client-calls.ts'
import { requireRunningUser } from '../running-user.ts'

/**
 * Returns signed metadata of a file and the URL of its bytes, which are not signed: the program compares their SHA-256.
 */
export const download: ProgramHandler<'download'> = async (context) => {
  const { services, app, body, session, now } = context
  const file = await findPublicDownload(services.db.read, body.id)
  const found = file?.app_id === app.row.id ? file : undefined
  // Before sign-in, a missing file gets the same error as one that requires it, as variables do.
  if (found?.authenticated !== 0) requireRunningUser(context)
  if (!found) reject(clientErrors, 'DOWNLOAD_NOT_FOUND')
  const { id: downloadId, file_name: fileName, size, sha256 } = found
  const ticket = session.user
    ? `?ticket=${newTicket(services.masterKey, { downloadId, session: session.row.handle, now })}`
    : ''
  return { fileName, size: Number(size), sha256, url: `/api/1.0/download/${downloadId}${ticket}` }
}
