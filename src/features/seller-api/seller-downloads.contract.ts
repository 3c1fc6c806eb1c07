import { reply, strict } from '#contract/fields.ts'
import { downloadsContract } from '#features/downloads/downloads.contract.ts'
import { downloadsErrors } from '#features/downloads/downloads.errors.ts'
import { fieldsOf, insteadOf, sellerCall } from './seller-call.contract.ts'

/** Calls on the files of the app with a seller key: the same fields and rules as on the Downloads screen. */

const { listDownloads, uploadDownload, updateDownload, toggleDownload, deleteDownload } = downloadsContract

const { params, reply: downloadReply } = updateDownload
/** A key gets no file. */
const { DOWNLOAD_AUTH_REQUIRED: _, ...errors } = downloadsErrors
const { downloads, quota } = listDownloads.reply.properties
const { DOWNLOAD_ENABLE_OK, DOWNLOAD_DISABLE_OK } = toggleDownload.successes

export const sellerDownloadsContract = {
  listDownloads: sellerCall('GET /downloads', {
    scope: 'downloads:read',
    summary:
      "List all files of the app, newest first, with the remaining quota of the owner's plan. An app has at most 1000 files.",
    query: strict({}),
    reply: reply({ downloads, quota }),
  }),
  getDownload: sellerCall('GET /downloads/file/{name}', {
    scope: 'downloads:read',
    summary: 'Get a file by its name or `downloadId`: its size, its SHA-256, and its state, not its bytes.',
    params,
    reply: downloadReply,
    errors,
  }),
  uploadDownload: sellerCall('POST /downloads/upload', {
    scope: 'downloads:write',
    upload: true,
    planFeature: 'file_upload',
    summary:
      'Upload a file. `name` defaults to the name of the file. With `complete: false`, the file is not available until `PUT /downloads/file/{name}` sends `complete: true`.',
    body: fieldsOf(uploadDownload.body, ['appName', 'appId']),
    reply: downloadReply,
    successes: uploadDownload.successes,
    errors,
    failure: uploadDownload.failure,
    replaces: [insteadOf(uploadDownload)],
  }),
  updateDownload: sellerCall('PUT /downloads/file/{name}', {
    scope: 'downloads:write',
    idempotent: true,
    summary:
      'Update the name, description or access of a file. `complete: true` completes its upload. Omitted fields keep their value.',
    params,
    body: fieldsOf(updateDownload.body, ['appName', 'appId']),
    reply: downloadReply,
    successes: updateDownload.successes,
    errors,
    replaces: [insteadOf(updateDownload)],
  }),
  enableDownload: sellerCall('POST /downloads/file/{name}/enable', {
    scope: 'downloads:write',
    summary: 'Enable a file.',
    params,
    body: strict({}),
    reply: downloadReply,
    successes: { DOWNLOAD_ENABLE_OK },
    errors,
    replaces: [insteadOf(toggleDownload, {}, { active: true })],
  }),
  disableDownload: sellerCall('POST /downloads/file/{name}/disable', {
    scope: 'downloads:write',
    summary: 'Disable a file. Its link stops working until it is enabled.',
    params,
    body: strict({}),
    reply: downloadReply,
    successes: { DOWNLOAD_DISABLE_OK },
    errors,
    replaces: [insteadOf(toggleDownload, {}, { active: false })],
  }),
  deleteDownload: sellerCall('DELETE /downloads/file/{name}', {
    scope: 'downloads:delete',
    summary:
      'Delete a file. Its link stops working. The owner can restore it for 30 days, or until newer deleted files need the storage.',
    params,
    reply: reply({}),
    successes: deleteDownload.successes,
    errors,
    replaces: [insteadOf(deleteDownload)],
  }),
}
